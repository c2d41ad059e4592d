// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import Testing

@testable import Sinks

/// A real Home Assistant on a free port of the loopback, with its integrations OwnTracks and MQTT; it publishes its
/// positions to a broker (integration MQTT Statestream).
final class RealHomeAssistant {
  /// Its path on PATH; `nil` if it is missing.
  static let installed = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
    .map { "\($0)/hass" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  static let missing: Comment = "there is no hass (Home Assistant) on PATH"
  static let webhook = "0123456789abcdef"

  private let port = Loopback.freePort()
  private let broker: RealBroker
  private let process = Process()

  var url: String { "http://127.0.0.1:\(port)" }

  init(in folder: String, at broker: RealBroker) throws {
    self.broker = broker
    let configuration = """
      homeassistant: { name: Test, latitude: 40, longitude: 1, elevation: 0, time_zone: UTC }
      http: { server_host: 127.0.0.1, server_port: \(port) }
      mqtt_statestream: { base_topic: seen, publish_attributes: true, include: { domains: [device_tracker, sensor] } }
      """
    try configuration.write(
      toFile: folder + "/configuration.yaml", atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(
      atPath: folder + "/.storage", withIntermediateDirectories: true)
    let entries = """
      {"version":1,"minor_version":1,"key":"core.config_entries","data":{"entries":[
        \(Self.entry("mqtt", #"{"broker":"127.0.0.1","port":\#(broker.port)}"#)),
        \(Self.entry("owntracks", #"{"webhook_id":"\#(Self.webhook)","secret":"","cloudhook":false}"#))]}}
      """
    try entries.write(
      toFile: folder + "/.storage/core.config_entries", atomically: true, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: try #require(Self.installed))
    process.arguments = ["-c", folder, "--skip-pip"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try #require(isReady(), "Home Assistant did not subscribe within its three minutes")
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static func entry(_ domain: String, _ data: String) -> String {
    #"{"entry_id":"\#(domain)","version":1,"minor_version":1,"domain":"\#(domain)","title":"\#(domain)","#
      + #""data":\#(data),"options":{},"pref_disable_new_entities":false,"pref_disable_polling":false,"#
      + #""source":"user","unique_id":null,"disabled_by":null}"#
  }

  private func isReady() -> Bool {
    for _ in 0..<1_800 where process.isRunning {
      if broker.log.contains("homeassistant/device/+/config") { return true }
      poll(nil, 0, 100)
    }
    return false
  }

  /// Its attributes of an entity as texts of JSON, by their names, once `name` has that value.
  func attributes(of entity: String, once name: String, is value: String) throws -> [String: String]
  {
    var found: [String: String] = [:]
    for _ in 0..<100 where found[name] != value {
      for line in try broker.retained("seen/\(entity)/#") {
        let parts = line.split(separator: " ", maxSplits: 1)
        if let key = parts[0].split(separator: "/").last {
          found[String(key)] = parts.dropFirst().first.map(String.init)
        }
      }
      poll(nil, 0, 100)
    }
    return found
  }
}

@Suite(
  "A real Home Assistant", .enabled(if: RealBroker.isThere, RealBroker.missing),
  .enabled(if: RealHomeAssistant.installed != nil, RealHomeAssistant.missing))
struct RealHomeAssistantTests {
  /// The source of its entities: home-assistant.io/integrations/owntracks, /integrations/mqtt.
  @Test(
    "Traps 1, 5: by its webhook and by MQTT it has the newest position; a webhook that it does not know is found out"
  )
  func both() async throws {
    try await Samples.withFolder { folder in
      let broker = try RealBroker()
      let home = try RealHomeAssistant(in: folder, at: broker)
      let batch = [
        TestSinks.delivery(1), TestSinks.delivery(2, after: 60, accuracy: 33, speed: 10),
      ]
      let mqtt = try TestSinks.sink(
        "homeassistant",
        [
          ("url", .string("mqtt://127.0.0.1:\(broker.port)")), ("device", "van"),
          ("name", "Our van"),
        ])
      _ = try await mqtt.send(batch)
      let seen = try home.attributes(of: "device_tracker/our_van", once: "gps_accuracy", is: "33")
      #expect(seen["latitude"] == "48.5" && seen["longitude"] == "11.25", "\(seen)")
      #expect(seen["sequence"] == "2" && seen["source_type"] == "\"gps\"", "\(seen)")
      let speed = try home.attributes(of: "sensor/our_van_speed", once: "state", is: "10")
      #expect(speed["unit_of_measurement"] == "\"m/s\"", "\(speed)")

      func ownTracks(_ webhook: String) throws -> any Sink {
        try TestSinks.sink(
          "owntracks",
          [
            ("url", .string("\(home.url)/api/webhook/\(webhook)")), ("user", "jane"),
            ("device", "van"),
            ("only_newest", true), ("transitions", false),
          ])
      }
      let sink = try ownTracks(RealHomeAssistant.webhook)
      #expect(try await sink.probe() == "Home Assistant at \(home.url) knows this webhook")
      _ = try await sink.send(batch)
      let tracked = try home.attributes(
        of: "device_tracker/jane_van", once: "gps_accuracy", is: "33")
      #expect(tracked["latitude"] == "48.5" && tracked["velocity"] == "36", "\(tracked)")
      let stranger = try ownTracks("fedcba9876543210")
      await #expect(throws: SinkError.self) { _ = try await stranger.probe() }
      await #expect(throws: SinkError.self) { _ = try await stranger.send(batch) }
    }
  }
}
