// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import LocationModel
import ServiceContract
import Testing

@testable import Sinks

@Suite(
  "A real OwnTracks Recorder",
  .enabled(if: RecorderProcess.installed != nil, RecorderProcess.missing))
struct RecorderTests {
  /// All kinds of deliveries, and those of them that are positions, by number.
  private static let batch = [
    Samples.delivery(1, event: .entered("a \"b\" & é")),
    Samples.delivery(2, event: .exited("home")),
    Samples.delivery(
      3,
      event: .arrived(
        Visit(
          coordinate: Samples.fix.coordinate, horizontalAccuracy: 30,
          arrival: Samples.moment.advanced(bySeconds: -600), departure: nil))),
    Samples.delivery(4, .continuous), Samples.delivery(5, .standard, isCached: true),
    Samples.delivery(6, .standard, occasion: .request),
  ]

  private static func sink(_ url: String) throws -> any Sink {
    try Samples.sink([
      .init("kind", "owntracks"), .init("url", .string(url)), .init("user", "jane"),
      .init("device", "van"),
    ])
  }

  private static func expectAll(in recorder: RecorderProcess) throws {
    let positions = try recorder.positions(of: "jane", "van")
    #expect(
      positions.map { $0["_id"]?.string } == [
        "3-1", "3-2", "3-3", "3-3-2", "3-3-3", "3-3-4", "3-4", "3-5", "3-6",
      ])
    #expect(positions.map { $0["t"]?.string } == ["c", "c", "v", "v", "v", "v", "t", nil, "r"])
    #expect(recorder.isRunning)
  }

  @Test("Trap 3: over HTTP it takes all messages, lives, and has the newest position")
  func http() async throws {
    try await Samples.withFolder { folder in
      let recorder = try RecorderProcess(in: folder)
      let sink = try Self.sink(recorder.url + "/pub")
      _ = try await sink.send(Self.batch)
      try Self.expectAll(in: recorder)
      #expect(
        try await sink.probe()
          == "\(recorder.url) answered 200; its last position of owntracks/jane/van is of "
          + "2026-11-22T23:59:59.000Z")
    }
  }

  @Test(
    "Trap 3: over MQTT, through a real broker, it takes the same, in the same order",
    .enabled(if: RealBroker.isThere, RealBroker.missing))
  func mqtt() async throws {
    try await Samples.withFolder { folder in
      let broker = try RealBroker()
      let recorder = try RecorderProcess(in: folder, hearing: broker)
      _ = try await Self.sink("mqtt://127.0.0.1:\(broker.port)").send(Self.batch)
      // The broker has accepted all; the Recorder receives them a moment later.
      for _ in 0..<200 where (try? recorder.positions(of: "jane", "van").count) != 9 {
        poll(nil, 0, 50)
      }
      try Self.expectAll(in: recorder)
    }
  }
}
