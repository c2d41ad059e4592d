// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Glibc
import JSONText
import LocationModel
import ServiceContract
import Synchronization
import Testing

@testable import Sinks

@Suite("Home Assistant over MQTT", .enabled(if: RealBroker.isThere, RealBroker.missing))
struct HomeAssistantTests {
  private static func sink(
    _ broker: RealBroker, _ more: [(String, JSONValue)] = []
  ) throws -> any Sink {
    try TestSinks.sink(
      "homeassistant",
      [
        ("url", .string("mqtt://127.0.0.1:\(broker.port)")), ("device", "van"), ("name", "Our van"),
      ] + more)
  }

  /// Members: home-assistant.io/integrations/mqtt (device discovery), /integrations/device_tracker.mqtt and
  /// /integrations/sensor.mqtt.
  @Test(
    "Discovery names what Home Assistant's documentation asks for, and nothing that is deprecated")
  func discovery() throws {
    let config = HomeAssistantDevice(id: "van", name: "Our van").config
    #expect(config.topic == "homeassistant/device/milepost_van/config" && config.isRetained)
    let root = try TestSinks.json(Substring(decoding: config.payload, as: UTF8.self))
    #expect(Set(root.keys) == ["device", "origin", "components", "qos"])
    let device = try #require(root["device"] as? [String: Any])
    #expect(device["identifiers"] as? [String] == ["milepost_van"])
    #expect(device["name"] as? String == "Our van")
    #expect((root["origin"] as? [String: Any])?["name"] as? String == "Milepost")
    let components = try #require(root["components"] as? [String: [String: Any]])
    #expect(Set(components.keys) == ["location", "event", "time", "speed", "battery"])
    let ids = components.values.compactMap { $0["unique_id"] as? String }
    #expect(Set(ids).count == 5)
    let tracker = try #require(components["location"])
    #expect(
      Set(tracker.keys)
        == ["platform", "unique_id", "name", "json_attributes_topic", "source_type"])
    #expect(tracker["platform"] as? String == "device_tracker" && tracker["name"] is NSNull)
    #expect(tracker["source_type"] as? String == "gps")
    for (key, sensor) in components where key != "location" {
      #expect(sensor["platform"] as? String == "sensor")
      #expect(sensor["value_template"] as? String == "{{ value_json.\(key) }}")
      #expect(sensor["state_topic"] is String)
    }
    #expect(components["battery"]?["unit_of_measurement"] as? String == "%")
    #expect(components["battery"]?["device_class"] as? String == "battery")
    #expect(components["time"]?["device_class"] as? String == "timestamp")
  }

  @Test(
    "Trap 5: of a batch the newest position is shown, and one that is older than it never again")
  func newest() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("milepost/#")
    let sink = try Self.sink(broker)
    _ = try await sink.send([
      TestSinks.delivery(1, after: 10), TestSinks.delivery(2, after: 30, speed: 8.24),
      TestSinks.delivery(3, after: 20, event: .entered("Home")),
    ])
    _ = try await sink.send([TestSinks.delivery(4, after: 25)])
    _ = try await sink.send([TestSinks.delivery(5, after: 40, accuracy: nil)])
    let heard = try ear.takeAll()
    #expect(
      heard.map { $0.prefix { $0 != "{" } } == [
        "milepost/van/event 1 0 ", "milepost/van/location 1 0 ", "milepost/van/location 1 0 ",
      ])
    let bodies = try heard.map { try TestSinks.json($0.drop { $0 != "{" }) }
    #expect(bodies[0]["event"] as? String == "entered Home" && bodies[0]["sequence"] as? Int == 3)
    #expect(bodies[1]["sequence"] as? Int == 2 && bodies[1]["speed"] as? Double == 8.2)
    #expect(bodies[1]["latitude"] as? Double == 48.5 && bodies[1]["longitude"] as? Double == 11.25)
    #expect(bodies[1]["gps_accuracy"] as? Double == 12.4)
    #expect(bodies[1]["time"] as? String == "2026-11-22T12:00:30.000Z")
    #expect(bodies[2]["sequence"] as? Int == 5 && bodies[2]["speed"] is NSNull)
    #expect(bodies[2]["gps_accuracy"] == nil, "unknown is not 0")
  }

  @Test(
    "A departure is shown after an exit that was told before it, although its position is older")
  func departure() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("milepost/van/event")
    let sink = try Self.sink(broker)
    let home = Visit(
      coordinate: TestSinks.delivery(1).delivery.fix.coordinate, horizontalAccuracy: 20,
      arrival: nil, departure: TestSinks.delivery(1, after: 150).received)
    _ = try await sink.send([TestSinks.delivery(1, after: 160, event: .exited("Home"))])
    _ = try await sink.send([
      TestSinks.delivery(2, after: 240, event: .departed(home), dated: -90)
    ])
    let bodies = try ear.take(2).map { try TestSinks.json($0.drop { $0 != "{" }) }
    #expect(bodies.map { $0["sequence"] as? Int } == [1, 2])
  }

  @Test("A position with a date in the future, as of a cold receiver, silences none of the next")
  func future() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("milepost/van/location")
    let sink = try Self.sink(broker)
    // 1,024 weeks ahead.
    _ = try await sink.send([TestSinks.delivery(1, after: 10, dated: 1_024 * 7 * 86_400)])
    _ = try await sink.send([TestSinks.delivery(2, after: 20)])
    let bodies = try ear.take(2).map { try TestSinks.json($0.drop { $0 != "{" }) }
    #expect(bodies.map { $0["sequence"] as? Int } == [1, 2])
  }

  @Test("A held connection outlives a broker that goes on sending")
  func keptAlive() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("milepost/van/availability")
    let sink = try Self.sink(broker, [("keep_connected", true), ("keepalive_s", 5)])
    _ = try await sink.send([TestSinks.delivery(1)])
    #expect(try ear.take(1, form: "%p") == ["online"])
    // The broker gives it up one and a half of these times after its last packet.
    for _ in 0..<11 {
      try broker.publish("homeassistant/status", "offline")
      poll(nil, 0, 900)
    }
    let log = try String(contentsOfFile: broker.folder + "/log", encoding: .utf8)
    #expect(!log.contains("exceeded timeout"))
  }

  @Test(
    "Discovery is told with the first batch of a day; position and event stay for who comes later")
  func retained() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("homeassistant/#")
    let sink = try Self.sink(broker, [("unknown_accuracy_m", 50)])
    // Home Assistant listens to the rest only once it has read the first one: that is no news, later it is.
    for (number, seconds, isNews) in [(1, 0, false), (2, 60, true), (3, 86_400, false)]
      as [(UInt64, Int64, Bool)]
    {
      let receipt = try await sink.send([
        TestSinks.delivery(number, after: seconds, event: .exited("Home"), accuracy: nil)
      ])
      let unheard = "mqtt://127.0.0.1:\(broker.port): nobody listens to 'milepost/van/event' (0x10)"
      #expect(receipt.notes == (isNews ? [unheard] : []))
    }
    #expect(
      try ear.takeAll(form: "%t %p").map { $0.prefix { $0 != " " } }
        == Array(repeating: "homeassistant/device/milepost_van/config", count: 2))
    let kept = try broker.retained("homeassistant/#", "milepost/#")
    #expect(
      kept.map { $0.prefix { $0 != " " } }.sorted() == [
        "homeassistant/device/milepost_van/config", "milepost/van/event", "milepost/van/location",
      ])
    #expect(kept.contains { $0.contains(#""gps_accuracy":50"#) })
  }

  @Test(
    "A held connection is available while it stands, and discovery follows Home Assistant's birth")
  func availability() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("milepost/van/availability")
    let discovery = try broker.subscriber("homeassistant/device/#")
    var sink: (any Sink)? = try Self.sink(broker, [("keep_connected", true)])
    _ = try await sink?.send([TestSinks.delivery(1)])
    let config = try TestSinks.json(
      discovery.take(1)[0].drop { $0 != "{" })
    #expect(config["availability_topic"] as? String == "milepost/van/availability")
    let later = try broker.subscriber("homeassistant/device/#")
    try broker.publish("homeassistant/status", "online")
    #expect(try later.take(1, form: "%t") == ["homeassistant/device/milepost_van/config"])
    sink = nil
    #expect(try ear.take(2, form: "%p") == ["online", "offline"])
    #expect(
      try broker.retained("milepost/van/availability") == ["milepost/van/availability offline"])
  }

  @Test("A trial tells discovery and no position")
  func probe() async throws {
    let broker = try RealBroker()
    #expect(
      try await Self.sink(broker).probe()
        == "mqtt://127.0.0.1:\(broker.port) lets us in with MQTT 5 and takes "
        + "'homeassistant/device/milepost_van/config', to which nobody listens now")
    #expect(try broker.retained("milepost/#").isEmpty)
  }

  @Test(
    "Where the URL is wrong, that is said, and no other key is doubted",
    arguments: [
      ("homeassistant", "mqtt:// or mqtts://"), ("mqtt", "mqtt:// or mqtts://"),
      ("owntracks", "http:// or https:// or mqtt:// or mqtts://"),
    ])
  func wrongScheme(kind: String, schemes: String) {
    let own: [(String, JSONValue)] =
      switch kind {
      case "mqtt": [("topic", "fleet/van"), ("payload", "x")]
      case "owntracks":
        [("device", "van"), ("tid", "v"), ("commands", true), ("only_newest", true)]
      default: [("device", "van"), ("name", "Van"), ("discovery_prefix", "ha")]
      }
    let shared: [(String, JSONValue)] = [
      ("url", "tcp://h"), ("user", "ann"), ("password_file", "p"), ("keep_connected", true),
      ("keepalive_s", 60), ("client_id", "c"), ("proxy", "socks5://p:1080"),
    ]
    #expect(
      TestSinks.problems(kind, shared + own)
        == ["m.yaml: sink.url: 'tcp://h' does not begin with \(schemes)"])
  }

  @Test("What is wrong with the table is told with what to do")
  func settings() {
    #expect(
      TestSinks.problems("homeassistant", [("url", "mqtt://h")]) == [
        "m.yaml: sink.device: missing; say under which name topics and ids know the device, as in van"
      ])
    #expect(
      TestSinks.problems(
        "homeassistant",
        [("url", "mqtt://h"), ("device", "our van"), ("discovery_prefix", "a/#")]) == [
          "m.yaml: sink.device: 'our van' is not 1 to 64 letters, digits, _ or -",
          "m.yaml: sink.discovery_prefix: 'a/#' is no topic; say what Home Assistant's MQTT settings "
            + "say, which is homeassistant unless it was changed",
        ])
  }
}
