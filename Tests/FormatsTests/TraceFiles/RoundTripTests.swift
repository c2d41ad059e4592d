// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Geodesy
import LocationModel
import Testing
import TraceFiles

/// Fixes with every field, with none, with awkward numbers, in two segments.
private func sample() throws -> [TraceEvent] {
  func fix(_ latitude: Double, _ longitude: Double, _ micros: Int64) throws -> Fix {
    Fix(
      time: UTCInstant(microseconds: micros),
      coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)))
  }
  var full = try fix(35.780_411_269_515_752, -121.329_866_945_743_56, 1_571_754_960_123_456)
  full.horizontalAccuracy = 4.1
  full.altitude = 91.800_003_051_757_81
  full.ellipsoidalHeight = 55.123_456_789
  full.verticalAccuracy = 0.1 + 0.2
  full.speed = 3.333_333_333_333_333_5
  full.course = 359.999_999
  full.speedAccuracy = 0.1 + 0.2
  full.courseAccuracy = 21.500_000_000_000_004
  full.hdop = 0.8
  full.satellites = 11
  full.source = .network
  return [
    .fix(full, line: 0), .fix(try fix(-90, -180, 1_571_754_961_000_000), line: 0),
    .segmentEnd(line: 0), .fix(try fix(0.000_001, 179.999_999_9, 1_571_754_962_000_000), line: 0),
    .noFix(time: UTCInstant(microseconds: 1_571_754_963_000_000), line: 0),
    .fix(try fix(89.5, 0.5, -1_000), line: 0),
  ]
}

/// Events without their lines, and without an end of a segment that separates nothing.
private func content(_ events: [TraceEvent]) -> [TraceEvent] {
  var plain = events.map { event -> TraceEvent in
    switch event {
    case .fix(let fix, _): .fix(fix, line: 0)
    case .noFix(let time, _): .noFix(time: time, line: 0)
    case .segmentEnd: .segmentEnd(line: 0)
    }
  }
  while plain.last == .segmentEnd(line: 0) { plain.removeLast() }
  return plain
}

/// The formats of these names.
private func formats(_ names: String...) -> [OutputFormat] {
  names.compactMap { OutputFormat($0) }
}

private func written(_ events: [TraceEvent], _ format: OutputFormat) -> [UInt8] {
  var writer = TraceWriter(format: format)
  var bytes: [UInt8] = []
  writer.begin(into: &bytes)
  for event in events { writer.encode(event, into: &bytes) }
  writer.finish(into: &bytes)
  return bytes
}

private func read(_ bytes: [UInt8]) throws -> [TraceEvent] {
  let format = try TraceFormat.recognise(bytes.span)
  var decoder = format.decoder(options: DecodingOptions())
  var events: [TraceEvent] = []
  try decoder.decode(bytes.span, into: &events)
  try decoder.finish(into: &events)
  return events
}

struct RoundTripTests {
  @Test(arguments: formats("csv", "jsonl", "geojson"))
  func theseFormatsLoseNothing(format: OutputFormat) throws {
    let events = try sample()
    #expect(format.loses.isEmpty)
    #expect(content(try read(written(events, format))) == content(events))
  }

  @Test func gpxLosesOnlyTheEpochsWithoutAPosition() throws {
    let events = try sample()
    let gpx = try #require(OutputFormat("gpx"))
    #expect(gpx.loses.isEmpty, "each is counted")
    let kept = events.filter { if case .noFix = $0 { false } else { true } }
    // A dilution without an accuracy would gain one; the sample states both.
    #expect(content(try read(written(events, gpx))) == content(kept))
  }

  /// 10000-01-01T00:00:00Z is 253,402,300,800 s after 1970.
  @Test(arguments: OutputFormat.all)
  func aYearThatNothingReadsBackIsNotWrittenAndCounted(format: OutputFormat) throws {
    let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
    var writer = TraceWriter(format: format)
    var bytes: [UInt8] = []
    for seconds: Int64 in [253_402_300_800, -62_167_219_201] {
      let fix = Fix(time: UTCInstant(microseconds: seconds * 1_000_000), coordinate: coordinate)
      writer.encode(.fix(fix, line: 1), into: &bytes)
    }
    #expect(bytes.isEmpty)
    #expect(writer.dropped == ["fixes of years that have not four digits": 2])
  }

  @Test func nmeaCountsWhatDoesNotComeBack() throws {
    let coordinate = try #require(Coordinate(latitude: 1, longitude: 2))
    let time = UTCInstant(microseconds: 1_777_878_489_000_000)
    var writer = TraceWriter(format: try #require(OutputFormat("nmea")))
    var bytes: [UInt8] = []
    for _ in 0..<3 {
      writer.encode(.fix(Fix(time: time, coordinate: coordinate), line: 1), into: &bytes)
    }
    writer.encode(.segmentEnd(line: 1), into: &bytes)
    #expect(
      writer.dropped == [
        "fixes with the time and the place of the one before, which come back as one": 2,
        "ends of segments": 1,
      ])
  }

  @Test(arguments: formats("csv", "jsonl", "geojson", "gpx"))
  func aTraceWithoutFixesIsStillAFileOfItsFormat(format: OutputFormat) throws {
    let bytes = written([], format)
    if format.identifier == "jsonl" { return #expect(bytes.isEmpty) }
    #expect(try TraceFormat.recognise(bytes.span).output == format)
    #expect(try read(bytes).isEmpty)
  }

  /// Tracks of the corpus, through each format and back.
  @Test(
    .enabled(if: corpusFolder != nil, "the corpus of real traces is not here"),
    arguments: formats("gpx", "csv", "jsonl", "geojson"))
  func realTracksComeBackUnchanged(format: OutputFormat) throws {
    let folder = try #require(corpusFolder)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      let data = try Data(contentsOf: folder.appendingPathComponent(name))
      // The largest show nothing that the others do not, and take seconds.
      guard name.hasSuffix(".gpx"), data.count < 500_000 else { continue }
      let events = try read(Array(data))
      let kept = events.filter {
        if case .noFix = $0 { format.identifier != "gpx" } else { true }
      }
      #expect(content(try read(written(kept, format))) == content(kept), "\(name)")
    }
  }
}

let corpusFolder: URL? = {
  let environment = ProcessInfo.processInfo.environment["MILEPOST_CORPUS"]
  var folder = URL(fileURLWithPath: #filePath)
  for _ in 0..<5 { folder.deleteLastPathComponent() }
  folder.appendPathComponent("shared/corpus/public")
  if let environment { folder = URL(fileURLWithPath: environment) }
  return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
}()
