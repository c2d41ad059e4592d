// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import Geodesy
import Glibc
import JSONText
import LocationModel
import Testing
import TraceFiles

/// A separate folder for each test, removed at its end.
private final class Folder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A second apart; every field is stated, so that a cut through any of them shows.
private func fix(_ number: Int) throws -> Fix {
  let step = Double(number)
  var fix = Fix(
    time: UTCInstant(microseconds: 1_777_878_489_000_000 + Int64(number) * 1_000_000),
    coordinate: try #require(
      Coordinate(latitude: 52.123_456 + step / 1_000, longitude: 5.654_321)))
  fix.horizontalAccuracy = 12.5
  fix.altitude = 101.25
  fix.ellipsoidalHeight = 146.75
  fix.verticalAccuracy = 21.5
  fix.speed = 13.25
  fix.course = 271.5
  fix.hdop = 0.75
  fix.satellites = 11
  return fix
}

/// A reader's result for a file with these bytes; `nil` if it refuses them, which it may as long as no fix is whole.
private func read(_ bytes: some Sequence<UInt8>, at path: String) throws -> [TraceEvent]? {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
  var events: [TraceEvent] = []
  do {
    _ = try TraceFile(path: path).read(options: DecodingOptions()) { events += $0 }
  } catch is Complaint {
    return nil
  }
  return events
}

extension OutputFormat {
  fileprivate static var gpx: OutputFormat { get throws { try #require(OutputFormat("gpx")) } }
  fileprivate static var csv: OutputFormat { get throws { try #require(OutputFormat("csv")) } }
  fileprivate static var jsonl: OutputFormat { get throws { try #require(OutputFormat("jsonl")) } }
}

/// NMEA writes an epoch in three sentences and rounds: only the places of its fixes are compared.
private func isSame(_ one: Fix, _ other: Fix, in format: OutputFormat) -> Bool {
  guard format.identifier == "nmea" else { return one == other }
  return one.time == other.time
    && abs(one.coordinate.latitude - other.coordinate.latitude) < 1e-7
    && abs(one.coordinate.longitude - other.coordinate.longitude) < 1e-7
}

@Suite("A trace file that is written live")
struct LiveTraceTests {
  /// The file after the start and after each of three fixes, with a segment's end before the third.
  private func stages(
    _ format: OutputFormat, in folder: Folder
  ) throws -> (stages: [[UInt8]], fixes: [Fix]) {
    let path = folder.path + "/live." + format.identifier
    let trace = try LiveTrace(path: path, format: format)
    let content = { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    try trace.beginDocument()
    var stages = [try content()]
    let fixes = try (0..<3).map(fix)
    for (index, fix) in fixes.enumerated() {
      if index == 2 { trace.endSegment() }
      try trace.write(fix: fix)
      stages.append(try content())
    }
    return (stages, fixes)
  }

  @Test(
    "After every fix the file is what a writer makes that ends there",
    arguments: OutputFormat.all)
  func whole(format: OutputFormat) throws {
    let folder = try Folder()
    let (stages, fixes) = try stages(format, in: folder)
    for count in 0...3 {
      var writer = TraceWriter(format: format)
      var bytes: [UInt8] = []
      writer.begin(into: &bytes)
      for index in 0..<count {
        if index == 2 { writer.encode(.segmentEnd(line: 1), into: &bytes) }
        writer.encode(.fix(fixes[index], line: 1), into: &bytes)
      }
      writer.finish(into: &bytes)
      #expect(stages[count] == bytes)
    }
  }

  @Test(
    "Cut at any byte, the fixes before the cut are read, and none that never was",
    arguments: OutputFormat.all)
  func cut(format: OutputFormat) throws {
    let folder = try Folder()
    let (stages, fixes) = try stages(format, in: folder)
    let last = try #require(stages.last)
    // The start of the second fix's bytes: before it no fix need be whole.
    let first = zip(stages[1], stages[2]).prefix { $0 == $1 }.count
    var found = 0
    for length in 0...last.count {
      guard let events = try read(last.prefix(length), at: folder.path + "/cut") else {
        #expect(found == 0 && length < first, "\(format): refused when cut at \(length)")
        continue
      }
      let read = LiveTraceTests.check(events, against: fixes, in: format, "cut at \(length)")
      // A fix that was read once is read from every longer file.
      #expect(read >= found, "\(format): cut at \(length)")
      found = max(found, read)
    }
    #expect(found == 3)
  }

  @Test(
    "Killed within a write, the fixes before are read: new bytes lie over the old close",
    arguments: OutputFormat.all)
  func torn(format: OutputFormat) throws {
    let folder = try Folder()
    let (stages, fixes) = try stages(format, in: folder)
    for (count, pair) in zip(stages, stages.dropFirst()).enumerated() {
      let (old, new) = pair
      let common = zip(old, new).prefix { $0 == $1 }.count
      for length in common...new.count {
        let torn = new.prefix(length) + old.dropFirst(length)
        guard let events = try read(torn, at: folder.path + "/torn") else {
          #expect(count == 0, "\(format): torn at \(length)")
          continue
        }
        let read = LiveTraceTests.check(events, against: fixes, in: format, "torn at \(length)")
        #expect(read == count || read == count + 1, "\(format): torn at \(length)")
      }
    }
  }

  /// The number of fixes that came; they must be the first that were written.
  private static func check(
    _ events: [TraceEvent], against written: [Fix], in format: OutputFormat, _ place: String
  ) -> Int {
    let came = fixes(events)
    #expect(came.count <= written.count, "\(format): \(place)")
    for (one, other) in zip(came, written) {
      #expect(isSame(one, other, in: format), "\(format): \(place)")
    }
    return came.count
  }

  @Test("Ends of segments stand between fixes only, and several are one")
  func segments() throws {
    let folder = try Folder()
    let path = folder.path + "/live.jsonl"
    let trace = try LiveTrace(path: path, format: .jsonl)
    trace.endSegment()
    try trace.write(fix: try fix(0))
    trace.endSegment()
    trace.endSegment()
    try trace.write(fix: try fix(1))
    trace.endSegment()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[1] == "{\"gap\":true}")
  }

  @Test("Nothing is written over; an empty file is taken")
  func existing() throws {
    let folder = try Folder()
    let path = folder.path + "/live.csv"
    try Data("something".utf8).write(to: URL(fileURLWithPath: path))
    #expect {
      try LiveTrace(path: path, format: .csv)
    } throws: {
      ($0 as? Complaint)?.message
        == "\(path): it is there already; name another file, nothing is written over"
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "something")
    try Data().write(to: URL(fileURLWithPath: path))
    try LiveTrace(path: path, format: .csv).beginDocument()
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("time,latitude,"))
  }

  @Test("What came to nothing is taken away; what holds a document stays")
  func discard() throws {
    let folder = try Folder()
    let path = folder.path + "/live.gpx"
    let trace = try LiveTrace(path: path, format: .gpx)
    trace.discard()
    #expect(!FileManager.default.fileExists(atPath: path))
    let second = try LiveTrace(path: path, format: .gpx)
    try second.beginDocument()
    second.discard()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("A full device refuses each fix, and each is counted", arguments: OutputFormat.all)
  func full(format: OutputFormat) throws {
    let trace = try LiveTrace(path: "/dev/full", format: format)
    for number in 0..<3 {
      #expect {
        try trace.write(fix: try fix(number))
      } throws: {
        ($0 as? Complaint)?.message == "/dev/full: no space left on the device"
      }
    }
    #expect(trace.lost == 3)
    try trace.finishDocument()
  }

  /// The limit on a file's size stands for a disk that is full for a while. Its signal is ignored, as the program's
  /// start does with that of a closed pipe; both belong to the whole process, so this test uses a separate process.
  @Test("A disk that was full for a while: the file stays whole, and goes on afterwards")
  func fullForAWhile() async throws {
    let result = await #expect(processExitsWith: .success) {
      let folder = try Folder()
      let path = folder.path + "/live.gpx"
      let trace = try LiveTrace(path: path, format: .gpx)
      try trace.write(fix: try fix(0))
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(1), &limit)
      var small = limit
      // Room for the old end and a part of the next point.
      small.rlim_cur = rlim_t(before.count + 40)
      setrlimit(__rlimit_resource_t(1), &small)
      #expect(throws: Complaint.self) { try trace.write(fix: try fix(1)) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
      setrlimit(__rlimit_resource_t(1), &limit)
      try trace.write(fix: try fix(2))
      #expect(trace.lost == 1)
      let events = try #require(
        try read(try Data(contentsOf: URL(fileURLWithPath: path)), at: path + "2"))
      #expect(fixes(events) == [try fix(0), try fix(2)])
    }
    #expect(result != nil)
  }

  @Test("A reader that goes away is no error")
  func closed() throws {
    let folder = try Folder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    signal(SIGPIPE, SIG_IGN)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    let trace = try LiveTrace(path: path, format: .jsonl)
    try trace.write(fix: try fix(0))
    #expect(!trace.isClosed)
    close(reader)
    try trace.write(fix: try fix(1))
    #expect(trace.isClosed)
    #expect(trace.lost == 0)
    try trace.finishDocument()
  }
}
