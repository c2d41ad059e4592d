// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import JSONText
import LocationModel
import Testing
import TraceFiles

/// A separate folder for each test, removed at its end.
final class Scratch {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "milepost-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}

private let twoFixes = """
  time,lat,lon
  2026-05-04T07:08:09Z,45.5,13.5
  2026-05-04T07:08:10Z,45.6,13.5

  """

struct TraceFileTests {
  @Test func recordingsThatAreLongerThanAnyReplayAreRefusedWithTheirLines() throws {
    // 1978 to 9999 are 8,021.96 years: the thirteenth recording passes 100,000.
    let recording =
      "1978-01-01T00:00:00Z,48,11\n1978-01-01T00:00:01Z,48.0001,11\n"
      + "9999-12-31T23:00:00Z,48.0002,11\n9999-12-31T23:00:01Z,48.0003,11\n"
    let scratch = try Scratch()
    let path = try scratch.write(
      "a.csv", "time,latitude,longitude\n" + String(repeating: recording, count: 38))
    let words = message { _ = try SurveyedTrace(TraceFile(path: path), truthPath: nil) }
    #expect(
      words
        == "a.csv:52: up to here the trace lasts for more than 100000 years, the longest replay: time steps back on "
        + "lines 6, 10, 14, 18, 22, …; leave out the fixes whose times are wrong")
    let short = try scratch.write(
      "b.csv", "time,latitude,longitude\n" + String(repeating: recording, count: 12))
    #expect(try SurveyedTrace(TraceFile(path: short), truthPath: nil).ledger.fixes == 48)
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch let error as Complaint {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  @Test func aTraceCanBeReadTwiceWithTheSameResult() throws {
    let scratch = try Scratch()
    let file = try TraceFile(path: try scratch.write("walk.txt", twoFixes))
    #expect(file.format == .csv)
    #expect(file.name == "walk.txt")
    var passes: [[TraceEvent]] = [[], []]
    for pass in 0..<2 {
      var fractions: [Double?] = []
      let ledger = try file.read(options: DecodingOptions(), progress: { fractions.append($0) }) {
        passes[pass] += $0
      }
      #expect(ledger.fixes == 2)
      #expect(fractions.last == 1)
    }
    #expect(passes[0].count == 2)
    #expect(passes[0] == passes[1])
  }

  @Test func aFileThatIsNotThereIsNamed() throws {
    let scratch = try Scratch()
    let path = scratch.path("none.gpx")
    #expect(
      message { _ = try TraceFile(path: path) } == "\(path): no such file; check the path")
  }

  @Test func aDirectoryIsRefused() throws {
    let scratch = try Scratch()
    #expect(
      message { _ = try TraceFile(path: scratch.url.path) }
        == "\(scratch.url.path): a directory, not a trace; name a file in it")
  }

  @Test func anEmptyFileIsSaidToBeEmpty() throws {
    let scratch = try Scratch()
    let path = try scratch.write("walk.gpx", "")
    #expect(message { _ = try TraceFile(path: path) } == "walk.gpx: the file is empty")
  }

  @Test func anErrorInTheContentNamesFileAndLine() throws {
    let scratch = try Scratch()
    let path = try scratch.write("walk.csv", "lat,lon,time\n45.5,13.5,noon\n")
    var options = DecodingOptions()
    options.strict = true
    let file = try TraceFile(path: path)
    #expect(
      message { _ = try file.read(options: options) { _ in } }
        == "walk.csv:2: the time is 'noon'; it should look like 2026-05-04T07:08:09Z")
  }

  @Test func aPipeIsReadTwiceThroughATemporaryFile() throws {
    let scratch = try Scratch()
    let path = scratch.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let thread = Thread {
      let handle = FileHandle(forWritingAtPath: path)
      handle?.write(Data(twoFixes.utf8))
      try? handle?.close()
    }
    thread.start()
    let file = try TraceFile(path: path)
    for _ in 0..<2 {
      #expect(try file.read(options: DecodingOptions()) { _ in }.fixes == 2)
    }
  }

  /// Rows of a resting device, one every `seconds`.
  private func rows(_ count: Int, every seconds: Int, from start: Int = 0) -> String {
    let form = ISO8601DateFormatter()
    return (0..<count).map {
      form.string(from: Date(timeIntervalSince1970: 1_790_000_000 + Double(start + $0 * seconds)))
        + ",45.5,13.5\n"
    }.joined()
  }

  /// A pipe into which `text` is written, repeatedly with `repeats`, until its reader has gone.
  private func pipe(_ text: String, repeats: Bool = false, in scratch: Scratch) throws -> String {
    let path = scratch.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    signal(SIGPIPE, SIG_IGN)
    let thread = Thread {
      guard let handle = FileHandle(forWritingAtPath: path) else { return }
      repeat {
        do { try handle.write(contentsOf: Data(text.utf8)) } catch { break }
      } while repeats
      try? handle.close()
    }
    thread.start()
    return path
  }

  @Test func aStreamWithoutEndIsRefusedAtItsLimit() throws {
    let scratch = try Scratch()
    let rows = (10...59).map { "2026-05-04T07:08:\($0)Z,45.5,13.5\n" }.joined()
    let path = try pipe("time,lat,lon\n" + rows, repeats: true, in: scratch)
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    #expect(
      message { _ = try TraceFile(path: path, reading: .again(Spool(limit: 2_000_000))) }
        == "pipe: longer than 2 MB, as much as is kept in \(folder) of what can be read only once; write it to a file "
        + "and name that")
  }

  @Test func aLongStreamsCopyIsTheStream() throws {
    let scratch = try Scratch()
    // Several chunks after the bytes by which its format is recognized.
    let text = "time,lat,lon\n" + rows(20_000, every: 1)
    let file = try TraceFile(path: try scratch.write("t.csv", text))
    let copy = try TraceFile(path: try pipe(text, in: scratch))
    var (events, copied): ([TraceEvent], [TraceEvent]) = ([], [])
    let ledger = try file.read(options: DecodingOptions()) { events += $0 }
    for _ in 0..<2 {
      copied = []
      #expect(try copy.read(options: DecodingOptions()) { copied += $0 } == ledger)
      #expect(copied == events)
    }
    #expect(events.count == 20_000)
  }

  @Test func aStreamOfTheLimitsLengthIsKept() throws {
    let scratch = try Scratch()
    let path = try pipe(twoFixes, in: scratch)
    let limit = twoFixes.utf8.count
    let file = try TraceFile(path: path, reading: .again(Spool(limit: limit)))
    for _ in 0..<2 {
      #expect(try file.read(options: DecodingOptions()) { _ in }.fixes == 2)
    }
  }

  @Test func whatIsNoTraceIsRefusedBeforeAnythingIsKeptOfIt() throws {
    let scratch = try Scratch()
    let path = try pipe("y\n", repeats: true, in: scratch)
    // Not one byte may be kept.
    let error = message { _ = try TraceFile(path: path, reading: .again(Spool(limit: 0))) }
    #expect(error?.hasPrefix("pipe: text in no known trace format; ") == true)
  }

  @Test func aStreamThatIsReadOnceIsNotKept() throws {
    let scratch = try Scratch()
    // More than the bytes by which its format is recognized, and more than one chunk.
    let many = 20_000
    let rows = rows(many, every: 1)
    let path = try pipe("time,lat,lon\n" + rows, in: scratch)
    let file = try TraceFile(path: path, reading: .once)
    var largest = 0
    var shares: [Double?] = []
    let ledger = try file.read(options: DecodingOptions(), progress: { shares.append($0) }) {
      largest = max(largest, $0.count)
    }
    #expect(ledger.fixes == many)
    // A pipe gives 64 KiB at a time, of rows of 31 bytes.
    #expect(largest <= TraceFile.chunkLength / 31 + 1)
    #expect(shares.allSatisfy { $0 == nil })
  }

  @Test func aReplaysPiecesAreShortInTimeAndInEvents() throws {
    let scratch = try Scratch()
    func pieces(every seconds: Int, _ count: Int) throws -> (sizes: [Int], shares: [Double]) {
      let rows = rows(count, every: seconds)
      let file = try TraceFile(path: try scratch.write("t.csv", "time,lat,lon\n" + rows))
      let surveyed = try SurveyedTrace(file, truthPath: nil)
      var (sizes, shares): ([Int], [Double]) = ([], [])
      try surveyed.forEachPiece(of: file, progress: { shares.append($0) }) {
        sizes.append($0.count)
      }
      return (sizes, shares)
    }
    // One fix an hour: each is a piece, and moves the progress by its share.
    let hourly = try pieces(every: 3_600, 50)
    #expect(hourly.sizes.dropFirst().allSatisfy { $0 == 1 })
    #expect(hourly.sizes.reduce(0, +) == 50)
    #expect(hourly.shares == hourly.shares.sorted())
    #expect(Set(hourly.shares).count == hourly.sizes.count)
    #expect(hourly.shares.last == 1)
    // One a second: 2,048 s, or the rest of the chunk.
    let dense = try pieces(every: 1, 10_000)
    #expect(dense.sizes.allSatisfy { $0 <= SurveyedTrace.piece + 2 })
    #expect(dense.sizes.reduce(0, +) == 10_000)
    #expect(dense.shares.last == 1)
  }

  @Test func aShortTraceIsDecodedOnceAndALongOneTwice() throws {
    let scratch = try Scratch()
    // The number of events that the replay gets if the file is empty by then.
    func replayed(_ count: Int) throws -> Int {
      let path = try scratch.write("t.csv", "time,lat,lon\n" + rows(count, every: 1))
      let file = try TraceFile(path: path)
      let surveyed = try SurveyedTrace(file, truthPath: nil)
      try #require(truncate(path, 0) == 0)
      var events = 0
      try surveyed.forEachPiece(of: file) { events += $0.count }
      return events
    }
    #expect(try replayed(SurveyedTrace.keptEvents) == SurveyedTrace.keptEvents)
    #expect(try replayed(SurveyedTrace.keptEvents + 1) == 0)
  }

  @Test func aDenseTraceIsLookedThroughWhileItIsRead() throws {
    let scratch = try Scratch()
    let truth = try scratch.write("truth.csv", "time,lat,lon\n" + rows(1_000, every: 1))
    // What was seen in the first pass, whether that was right, and the events of the second pass.
    func look(_ text: String, truth: String? = nil, takes: Bool = true) throws
      -> (early: [TraceEvent], isSeen: Bool, second: [TraceEvent])
    {
      let file = try TraceFile(path: try scratch.write("t.csv", "time,lat,lon\n" + text))
      var (early, second): ([TraceEvent], [TraceEvent]) = ([], [])
      let surveyed = try SurveyedTrace(
        file, truthPath: truth,
        look: {
          if takes { early += $0 }
          return takes
        })
      try surveyed.forEachPiece(of: file) { second += $0 }
      return (early, surveyed.isSeen, second)
    }
    // Several chunks.
    let dense = try look(rows(20_000, every: 1))
    #expect(dense.isSeen && dense.early.count == 20_000 && dense.early == dense.second)
    // Its gaps are longer than 120 s, which only its end shows.
    let turned = try look(rows(20_000, every: 1) + rows(30_000, every: 25, from: 20_000))
    #expect(!turned.isSeen && turned.early.count == 50_000 && turned.early == turned.second)
    // 24 s is the longest interval of a dense trace.
    #expect(try look(rows(100, every: 24)).isSeen)
    let sparse = try look(rows(100, every: 25))
    #expect(!sparse.isSeen && sparse.early.isEmpty && sparse.second.count == 100)
    // Too few to tell by; one that does not take any; one over the truth.
    for few in [
      try look(rows(SurveyedTrace.tellingEvents - 1, every: 1)),
      try look(rows(1_000, every: 1), takes: false),
      try look(rows(1_000, every: 1), truth: truth),
    ] {
      #expect(!few.isSeen && few.early.isEmpty && !few.second.isEmpty)
    }
  }

  @Test func theTruthLiesBesideItsTrace() throws {
    let scratch = try Scratch()
    let trace = try scratch.write("drive.gpx", "")
    #expect(TraceFile.truthPath(beside: trace) == nil)
    let truth = try scratch.write("drive.truth.csv", twoFixes)
    #expect(TraceFile.truthPath(beside: trace) == truth)
    #expect(TraceFile.truthPath(beside: "-") == nil)
  }
}

struct OutputFileTests {
  @Test func aFileAppearsOnlyWhenItIsComplete() throws {
    let scratch = try Scratch()
    let path = scratch.path("out.csv")
    do {
      let output = try OutputFile(path: path)
      try output.write("half")
      #expect(try !scratch.names().contains("out.csv"))
    }
    #expect(try scratch.names().isEmpty)
    let output = try OutputFile(path: path)
    try output.write("whole")
    try output.commit()
    #expect(try scratch.names() == ["out.csv"])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "whole")
  }

  @Test func aFileThatIsWrittenLiesInNoFolderSoThatAnyEndLeavesNothing() throws {
    let scratch = try Scratch()
    let output = try OutputFile(path: scratch.path("out.csv"))
    try output.write("half")
    try output.flush()
    #expect(try scratch.names().isEmpty)
    let old = try scratch.write("old.csv", "old")
    let next = try OutputFile(path: old)
    try next.write("new")
    try next.flush()
    #expect(try scratch.names() == ["old.csv"])
    try next.commit()
    #expect(try scratch.names() == ["old.csv"])
    #expect(try String(contentsOfFile: old, encoding: .utf8) == "new")
  }

  @Test func whatStoodThereBeforeStaysUntilTheNewFileIsComplete() throws {
    let scratch = try Scratch()
    let path = try scratch.write("out.csv", "old")
    do { try OutputFile(path: path).write("new") }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
  }

  @Test func aFolderThatDoesNotExistIsSaid() throws {
    let scratch = try Scratch()
    let path = scratch.path("none/out.csv")
    #expect(throws: Complaint("\(path): the folder does not exist")) {
      _ = try OutputFile(path: path)
    }
  }

  /// Swift replaces a command line that was not UTF-8 by U+FFFD, which would be another file.
  @Test func aNameThatWasNotUTF8IsRefused() throws {
    let scratch = try Scratch()
    let path = scratch.path("caf\u{FFFD}.csv")
    #expect(
      throws: Complaint(
        "\(path): the name is not UTF-8; rename the file, or read it from standard input (- < FILE)"
      )
    ) { _ = try TraceFile(path: path) }
    #expect(
      throws: Complaint("\(path): the name is not UTF-8; name another file to write to")
    ) { _ = try OutputFile(path: path) }
    #expect(try scratch.names().isEmpty)
  }

  @Test func whatIsNoRegularFileIsWrittenStraightAndNeverReplaced() throws {
    let output = try OutputFile(path: "/dev/null")
    try output.write("gone")
    try output.commit()
    var status = stat()
    #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func aLinkKeepsPointingWhereItPoints() throws {
    let scratch = try Scratch()
    let target = try scratch.write("real.csv", "old")
    let link = scratch.path("link.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let output = try OutputFile(path: link)
    try output.write("new")
    try output.commit()
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
  }
}
