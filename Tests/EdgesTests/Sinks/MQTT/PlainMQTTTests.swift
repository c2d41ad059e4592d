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

@Suite("MQTT with a topic of one's own", .enabled(if: RealBroker.isThere, RealBroker.missing))
struct PlainMQTTTests {
  @Test("Each event is the protocol's message LOCATION, under the topic, as quality and retain say")
  func messages() async throws {
    let broker = try RealBroker()
    for (qos, retain) in [(1, false), (0, true)] {
      let ear = try broker.subscriber("fleet/#")
      let sink = try TestSinks.sink(
        "mqtt",
        [
          ("url", .string("mqtt://127.0.0.1:\(broker.port)")), ("topic", "fleet/van"),
          ("qos", .number(Double(qos))), ("retain", .bool(retain)),
        ])
      _ = try await sink.send([TestSinks.delivery(1), TestSinks.delivery(2)])
      let heard = try ear.take(2)
      #expect(heard.allSatisfy { $0.hasPrefix("fleet/van \(qos) 0 {") }, "\(heard)")
      let bodies = try heard.map { try TestSinks.json($0.drop { $0 != "{" }) }
      #expect(bodies.map { $0["class"] as? String } == ["LOCATION", "LOCATION"])
      #expect(bodies.map { $0["sequence"] as? Int } == [1, 2])
      #expect(try broker.retained("fleet/#").count == (retain ? 1 : 0))
    }
    #expect(
      TestSinks.problems("mqtt", [("url", "mqtt://h"), ("topic", "a/#"), ("qos", 2)]) == [
        "m.yaml: sink.topic: 'a/#' is no topic: 1 to 1024 bytes without + and #",
        "m.yaml: sink.qos: 2 is not a whole number from 0 to 1",
      ])
  }

  @Test("Each event is said to have arrived as it is acknowledged, in order")
  func arrivals() async throws {
    let broker = try RealBroker()
    let sink = try TestSinks.sink(
      "mqtt",
      [("url", .string("mqtt://127.0.0.1:\(broker.port)")), ("topic", "fleet/van")])
    let told = await sink.arrivals(of: (1...40).map { TestSinks.delivery($0) })
    // The last one is the end of the batch.
    #expect(told.areAll && told.numbers == Array(1...39), "\(told.numbers)")
  }

  @Test("Topic and payload are made of templates; what no topic may hold becomes _")
  func templates() async throws {
    let broker = try RealBroker()
    let ear = try broker.subscriber("fleet/#")
    for payload in [#"{"at":[%LON,%LAT],"where":%REGION}"#, "%EVENT at %LAT"] {
      let sink = try TestSinks.sink(
        "mqtt",
        [
          ("url", .string("mqtt://127.0.0.1:\(broker.port)")),
          ("topic", "fleet/van/%EVENT/%REGION"), ("payload", .string(payload)),
        ])
      _ = try await sink.send([TestSinks.delivery(1, event: .entered("A+B"))])
    }
    #expect(
      try ear.take(2, form: "%t %p") == [
        #"fleet/van/enter/A_B {"at":[11.250000,48.500000],"where":"A+B"}"#,
        "fleet/van/enter/A_B enter at 48.500000",
      ])
  }

  @Test("A trial publishes nothing, and says what it cannot know")
  func probe() async throws {
    let broker = try RealBroker()
    let sink = try TestSinks.sink(
      "mqtt", [("url", .string("mqtt://127.0.0.1:\(broker.port)")), ("topic", "fleet/van")])
    #expect(
      try await sink.probe()
        == "mqtt://127.0.0.1:\(broker.port) lets us in with MQTT 5; whether it takes 'fleet/van' is "
        + "seen with the first position")
    #expect(!broker.log.contains("PUBLISH"))
  }
}
