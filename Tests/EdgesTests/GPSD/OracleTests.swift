// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Geodesy
import JSONText
import LocationModel
import ServiceContract
import Testing

@testable import GPSDSource

/// Our reading of gpsd's lines against libgps', line by line, and the live merging against the decoder of
/// logs, over the same logs.
@Suite("libgps and the decoder of logs are the oracles")
struct OracleTests {
  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let corpus = repository.deletingLastPathComponent()
    .appendingPathComponent("shared/corpus/public")

  /// The source's result for `bytes`, each epoch's lines a millisecond apart and a second between.
  static func live(_ bytes: [UInt8]) -> (fixes: [Fix], lateReports: Int) {
    var intake = ReportIntake(passesLines: false)
    intake.beginConnection()
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
      _ = intake.read(bytes: whole.span, at: now, into: &events)
    }
    intake.flush(at: now, into: &events)
    let fixes = events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
    return (fixes, intake.merger.lateReports)
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

  /// The number of fields of all lines in which libgps and we differ, and the number of compared lines.
  static func differences(_ bytes: [UInt8]) throws -> (fields: [String: Int], lines: Int) {
    var unpacker = ReportUnpacker()
    var (fields, lines) = ([String: Int](), 0)
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: true) {
      let line = Array(line.last == 0x0D ? line.dropLast() : line)
      let report = try JSONValue.parse(line.span)
      let names: [String]
      switch report["class"]?.string {
      case "TPV":
        names = UnpackComparison.differences(try GPSDPosition(report), unpacker.position(line))
      case "SKY":
        guard let sky = GPSDSky(report) else { continue }
        names = UnpackComparison.differences(
          sky, countsSatellites: report["satellites"] != nil && report["uSat"] == nil,
          unpacker.sky(line))
      default: continue
      }
      lines += 1
      for name in names { fields[name, default: 0] += 1 }
    }
    return (fields, lines)
  }

  /// Whether two fixes are the same. The sky is left out: a log closes an epoch after the next SKY
  /// report, a live stream before it.
  static func agree(_ a: Fix, _ b: Fix) -> Bool {
    a.time == b.time && a.coordinate == b.coordinate && a.altitude == b.altitude
      && a.ellipsoidalHeight == b.ellipsoidalHeight && a.verticalAccuracy == b.verticalAccuracy
      && a.speed == b.speed && a.course == b.course && a.speedAccuracy == b.speedAccuracy
      && a.courseAccuracy == b.courseAccuracy
      && (a.horizontalAccuracy == b.horizontalAccuracy || a.hdop != b.hdop)
  }

  @Test("The bus of the traces: every fix the same, libgps never differs")
  func bus() throws {
    let bytes = Array(
      try Data(contentsOf: Self.repository.appendingPathComponent("Traces/bus.gpsd.json")))
    let (fixes, lateReports) = Self.live(bytes)
    let expected = try Self.oracle(bytes)
    #expect(expected.count > 1_000)
    #expect(fixes.count == expected.count)
    let differing = zip(fixes, expected).filter { !Self.agree($0, $1) }
    #expect(differing.isEmpty)
    #expect(lateReports == 0)
    let (fields, lines) = try Self.differences(bytes)
    #expect(fields == [:])
    #expect(lines > 2_500)
  }

  @Test("libgps reads what speed and course may be off by as we do, and tells when it would not")
  func speedAndCourseErrors() throws {
    let line =
      #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2026-05-04T07:08:09.000Z","#
      + #""lat":45.5,"lon":13.25,"speed":12.5,"track":271,"eps":0.82,"epd":21.5}"#
    let bytes = Array(line.utf8)
    var unpacker = ReportUnpacker()
    let position = unpacker.position(bytes)
    let unpacked = try #require(position)
    #expect(unpacked.speedAccuracy == 0.82 && unpacked.courseAccuracy == 21.5)
    #expect(try Self.differences(bytes + [0x0A]).fields == [:])
    var other = try GPSDPosition(try JSONValue.parse(bytes.span))
    (other.speedAccuracy, other.courseAccuracy) = (0.83, nil)
    #expect(UnpackComparison.differences(other, unpacked) == ["TPV.eps", "TPV.epd"])
  }

  @Test(
    "A line that names another class later is not given to libgps, which would not return from it")
  func secondClass() {
    var unpacker = ReportUnpacker()
    // A time that is no text fails, and the second class is looked for from there, for ever (libgps 3.22).
    let failing =
      #"{"class":"TPV","device":"/dev/b","mode":2,"time":1445678.5,"lat":50.1,"class":"SKY"}"#
    let isRead = unpacker.position(Array(failing.utf8)) != nil
    #expect(!isRead)
    let quoted = #"{"class":"TPV","device":"\"class\":","mode":2,"lat":50.1,"lon":8.2}"#
    let position = unpacker.position(Array(quoted.utf8))
    #expect(position?.device == #""class":"#)
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
    // Beside gpsd's JSON these files hold the NMEA from which it was made.
    let bytes = Array(
      data.split(separator: 0x0A).filter { $0.first == UInt8(ascii: "{") }
        .joined(separator: [0x0A]))
    let (fixes, lateReports) = Self.live(bytes)
    let expected = try Self.oracle(bytes)
    let times = Set(fixes.compactMap(\.time))
    let missing = expected.filter { $0.time.map { !times.contains($0) } ?? false }
    #expect(missing.isEmpty)
    var same = 0
    for fix in fixes where expected.contains(where: { Self.agree($0, fix) }) { same += 1 }
    #expect(try Self.differences(bytes).fields == [:])
    #expect(fixes.count - same <= lateReports)
    #expect((fixes.count - expected.count).magnitude <= 1)
  }
}
