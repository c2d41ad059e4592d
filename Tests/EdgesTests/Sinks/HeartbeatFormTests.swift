// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import ServiceContract
import Testing

@testable import Sinks

// The position is of 2026-11-22T23:59:59Z (1795391999), and an hour old (1795395599); the machine's clock is a day behind.

@Suite("A heartbeat as each protocol says it")
struct HeartbeatFormTests {
  private static let pending = Samples.delivery(
    isCached: true, received: Samples.moment.advanced(bySeconds: 3_600 - 86_400), since: 3_600,
    occasion: .heartbeat)

  @Test(
    "OwnTracks: a ping at the time of the heartbeat, since servers drop a repeat of place and tst")
  func ownTracks() throws {
    let message = try #require(OwnTracksMessage.messages(for: Self.pending).first)
    let device = OwnTracksDevice(user: "jane", device: "van")
    let json = try JSONValue.parse(message.json(from: device).span)
    #expect(json["t"]?.string == "p" && json["m"]?.number == 1)
    #expect(json["tst"]?.number == 1_795_395_599)
    #expect(json["created_at"]?.number == 1_795_309_199)
    // It is of a stay, not of a device that moved at 45 km/h when it was seen.
    #expect(json["vel"] == nil && json["acc"]?.number == 5)
  }

  @Test(
    "Overland and Traccar have one time, that of the heartbeat, and the other as an extra value")
  func oneTime() throws {
    let overland = Overland(device: "van", takesAnyAnswer: false)
    let secrets = try Secrets(
      reading: Login(), for: Endpoint("https://server.example/", schemes: [.https]))
    let body = try #require(overland.requests(for: [Self.pending], with: secrets).first?.body)
    let point = try JSONValue.parse(body.span)["locations"]?.array?.first?["properties"]
    #expect(point?["timestamp"]?.string == "2026-11-23T00:59:59Z")
    #expect(point?["position_timestamp"]?.string == "2026-11-22T23:59:59Z")
    #expect(point?["motion"]?.array?.compactMap(\.string) == ["stationary"])
    let values = Traccar.values(of: Self.pending, position: 0, device: "van")
    let named = Dictionary(uniqueKeysWithValues: values.map { ($0.0, $0.1) })
    #expect(named["timestamp"] == "1795395599" && named["measured"] == "1795391999")
    #expect(named["event"] == "heartbeat")
  }

  @Test("A template has the position's time, the message's, and the word heartbeat")
  func template() {
    let text = EventTemplate("%EVENT %TIMESTAMP %DECIDED %CACHED", form: .text)
    #expect(
      text.text(for: Self.pending) == "heartbeat 1795391999 2026-11-22T00:59:59.000Z true")
  }

  @Test("Home Assistant's attributes have both times")
  func homeAssistant() throws {
    let device = HomeAssistantDevice(id: "van", name: "Van")
    let json = try JSONValue.parse(device.location(Self.pending, battery: nil).payload.span)
    #expect(json["time"]?.string == "2026-11-22T23:59:59.000Z")
    #expect(json["sent"]?.string == "2026-11-22T00:59:59.000Z")
  }

  @Test("A heartbeat more often than once a minute is refused")
  func tooOften() {
    let table: [JSONValue.Member] = [
      .init("kind", .string("webhook")), .init("url", .string("https://server.example/in")),
      .init("heartbeat_s", .number(5)),
    ]
    #expect(
      Samples.problems(table)
        == ["m.yaml: sink.heartbeat_s: 5 is too often; say at least 60, or 0 for none"])
  }
}
