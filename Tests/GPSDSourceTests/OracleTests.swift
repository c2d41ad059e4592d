// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Geodesy
import LocationModel
import ServiceContract
import Testing

@testable import GPSDSource

/// The source's path (libgps, live merging) and the pure decoder over the same logs.
@Suite("The pure decoder is the oracle")
struct OracleTests {
  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let corpus = repository.deletingLastPathComponent()
    .appendingPathComponent("shared/corpus/public")

  /// What the source makes of `bytes`, each epoch's lines a millisecond apart and a second between.
  static func live(_ bytes: [UInt8]) -> (fixes: [Fix], tallies: GPSDTallies) {
    var intake = ReportIntake()
    intake.begin()
    var events: [GPSDEvent] = []
    var now = EngineInstant.zero
    var lastTime = ""
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
      let text = String(decoding: line, as: UTF8.self)
      let time =
        text.range(of: #""time":"[^"]*""#, options: .regularExpression).map { String(text[$0]) }
        ?? lastTime
      now = now.advanced(bySeconds: time == lastTime || lastTime.isEmpty ? 0.001 : 1)
      lastTime = time
      intake.advance(to: now, into: &events)
      let whole = Array(line) + [0x0A]
      _ = intake.take(whole.span, at: now, into: &events)
    }
    intake.flush(at: now, into: &events)
    let fixes = events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
    return (fixes, intake.tallies)
  }

  static func oracle(_ bytes: [UInt8]) throws -> [Fix] {
    var options = DecodingOptions()
    options.allowsUndated = true
    var decoder = GPSDJSONDecoder(options: options)
    var events: [TraceEvent] = []
    try decoder.decode(bytes.span, into: &events)
    try decoder.finish(into: &events)
    return events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }

  /// Whether two fixes are the same but for the last bits of libgps' decimals. The sky is left out: a
  /// log closes an epoch after the next SKY report, a live stream before it.
  static func agree(_ a: Fix, _ b: Fix) -> Bool {
    a.time == b.time
      && [
        (a.coordinate.latitude, b.coordinate.latitude),
        (a.coordinate.longitude, b.coordinate.longitude),
      ].allSatisfy { UnpackComparison.agree($0, $1) }
      && UnpackComparison.agree(a.altitude, b.altitude)
      && UnpackComparison.agree(a.ellipsoidalHeight, b.ellipsoidalHeight)
      && UnpackComparison.agree(a.verticalAccuracy, b.verticalAccuracy)
      && UnpackComparison.agree(a.speed, b.speed) && UnpackComparison.agree(a.course, b.course)
      && (UnpackComparison.agree(a.horizontalAccuracy, b.horizontalAccuracy) || a.hdop != b.hdop)
  }

  @Test("The bus of the traces: every fix the same, libgps never differs")
  func bus() throws {
    let bytes = Array(
      try Data(contentsOf: Self.repository.appendingPathComponent("Traces/bus.gpsd.json")))
    let (fixes, tallies) = Self.live(bytes)
    let expected = try Self.oracle(bytes)
    #expect(expected.count > 1_000)
    #expect(fixes.count == expected.count)
    let differing = zip(fixes, expected).filter { !Self.agree($0, $1) }
    #expect(differing.isEmpty)
    #expect(tallies.lateReports == 0)
    // The trace's revision is a sentence, longer than libgps has room for.
    #expect(tallies.differences == ["VERSION": 1])
    #expect(tallies.lines == tallies.reports + tallies.badLines + tallies.overlongLines)
  }

  static var logs: [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: corpus.path)
    return (names ?? []).filter { $0.hasSuffix(".log.chk") }.sorted()
  }

  @Test(
    "What gpsd itself made of recorded logs",
    .enabled(if: !OracleTests.logs.isEmpty, "the recorded logs are not here"), arguments: logs)
  func recorded(_ name: String) throws {
    let data = try Data(contentsOf: Self.corpus.appendingPathComponent(name))
    // Beside gpsd's JSON these files hold the NMEA that it came from.
    let bytes = Array(
      data.split(separator: 0x0A).filter { $0.first == UInt8(ascii: "{") }
        .joined(separator: [0x0A]))
    let (fixes, tallies) = Self.live(bytes)
    let expected = try Self.oracle(bytes)
    let times = Set(fixes.compactMap(\.time))
    let missing = expected.filter { $0.time.map { !times.contains($0) } ?? false }
    #expect(missing.isEmpty)
    var same = 0
    for fix in fixes where expected.contains(where: { Self.agree($0, fix) }) { same += 1 }
    #expect(tallies.differences == [:])
    #expect(fixes.count - same <= tallies.lateReports)
    #expect((fixes.count - expected.count).magnitude <= 1)
  }
}
