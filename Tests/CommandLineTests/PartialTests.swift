// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `--partial` writes lines on one machine, `--merge` adds them up on another; one machine's total is the oracle.
@Suite("Sums as lines, and their total")
struct PartialTests {
  private let scratch: Scratch
  private let traces: [String]

  /// Pieces of three trips, and one of a day, whose name begins like that of another.
  init() throws {
    let scratch = try Scratch()
    let pieces = [("walk", 900), ("train", 900), ("car-commute", 700), ("walk-late", 400)]
    traces = try pieces.map { name, rows in
      let source = name == "walk-late" ? "walk" : name
      let text = try String(
        contentsOfFile: Package.trace("\(source).truth.csv"), encoding: .utf8)
      let lines = text.split(separator: "\n")
      let body = name == source ? lines[1...rows] : lines[(lines.count - rows)...]
      return try scratch.write("\(name).csv", ([lines[0]] + body).joined(separator: "\n") + "\n")
    }
    self.scratch = scratch
  }

  /// A line of each trace.
  private func lines(_ command: [String], _ traces: [String]) throws -> [String] {
    try traces.map { trace in
      let answer = try Program.run(command + ["--partial", trace])
      #expect(answer.code == 0, "\(answer.errors)")
      return answer.output.trimmingCharacters(in: .newlines)
    }
  }

  private func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index in
      var rest = elements
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }

  @Test(
    "In whatever order traces, lines and files come, the total is that of one process, byte for byte",
    arguments: [[], ["--upload", "each", "--scenario", "pocket"]])
  func anyOrder(options: [String]) throws {
    let options = ["--worlds", "3"] + options
    let three = Array(traces.prefix(3))
    let alone = try Program.run(["compare", "--json"] + options + three)
    let total = try #require(alone.output.split(separator: "\n").last.map { $0 + "\n" })
    let turned = try Program.run(["compare", "--json"] + options + three.reversed())
    #expect(turned.output.split(separator: "\n").last.map { $0 + "\n" } == total)
    let partials = try lines(["compare"] + options, three)
    #expect(partials.count == 3)
    for (number, order) in permutations(partials).enumerated() {
      // One file, or two; an empty one, as Spark writes, and no last line feed change nothing.
      let cut = number % 3
      let parts = [
        try scratch.write("one", order[..<cut].joined(separator: "\n")),
        try scratch.write("two", order[cut...].map { $0 + "\n" }.joined()),
      ]
      let merged = try Program.run(["compare", "--merge", "--json"] + options + parts)
      #expect(merged.output == total, "order \(number): \(merged.errors)")
    }
    // Sums of sums, of which one process wrote the same.
    let whole = try Program.run(["compare", "--partial"] + options + three).output
    let pair = try scratch.write("pair", partials[1] + "\n" + partials[2])
    let two = try Program.run(["compare", "--merge", "--partial"] + options + [pair])
    let rest = try scratch.write("rest", two.output)
    let first = try scratch.write("first", partials[0])
    let tree = try Program.run(["compare", "--merge", "--partial"] + options + [rest, first])
    #expect(tree.output == whole, "\(tree.errors)")
    #expect(whole.utf8.count <= 20_000, "\(whole.utf8.count) bytes")
  }

  @Test("Packed files and standard input are added up as they come")
  func packed() throws {
    let options = ["--worlds", "1"]
    let line = try #require(try lines(["compare"] + options, [traces[0]]).first)
    let path = try scratch.write("part", line + "\n")
    let plain = try Program.run(["compare", "--merge"] + options + [path])
    #expect(plain.code == 0 && plain.output.hasPrefix("total of 1 trace"), "\(plain.errors)")
    for tool in ["gzip", "zstd"] {
      let packed = scratch.path("part.\(tool)")
      let made = try Program.shell("\(tool) -c '\(path)' > '\(packed)'", in: scratch)
      guard made.code == 0 else { continue }
      let merged = try Program.run(["compare", "--merge"] + options + [packed])
      #expect(merged.output == plain.output, "\(merged.errors)")
      _ = try Program.shell("head -c 300 '\(packed)' > '\(packed).cut'", in: scratch)
      let cut = try Program.run(["compare", "--merge"] + options + [packed + ".cut"])
      #expect(cut.code == 2 && cut.output.isEmpty)
    }
    let piped = try Program.run(
      ["compare", "--merge"] + options + ["-"], input: line, in: scratch)
    #expect(piped.output == plain.output, "\(piped.errors)")
  }

  @Test("The total has every form, and says what the last part of one process' answer says")
  func forms() throws {
    let options = ["--worlds", "1"]
    let path = try scratch.write(
      "part", try lines(["compare"] + options, traces).joined(separator: "\n"))
    for form in [[], ["--details"], ["--csv"]] {
      let merged = try Program.run(["compare", "--merge"] + options + form + [path])
      #expect(merged.code == 0 && merged.errors.isEmpty)
      let alone = try Program.run(["compare"] + options + form + traces)
      // The heads differ, of the first and of all.
      #expect(merged.output.count > 300)
      #expect(alone.output.hasSuffix(merged.output.suffix(300)), "\(form)")
    }
  }

  @Test("Lines follow their schemas; a trace's sums are its own, whatever else is in the total")
  func schemas() throws {
    let options = ["--worlds", "2"]
    let partials = try lines(["compare"] + options, traces)
    let validator = try SchemaValidator("compare-partial")
    for line in partials {
      let document = try JSONSerialization.jsonObject(with: Data(line.utf8))
      #expect(validator.errors(in: document).isEmpty)
    }
    let documents = try Program.run(["compare", "--json"] + options + traces).documents()
    let path = try scratch.write("part", partials.joined(separator: "\n"))
    let total = try #require(
      try Program.run(["compare", "--merge", "--json"] + options + [path]).documents().first)
    #expect(try SchemaValidator("compare").errors(in: total).isEmpty)
    let names = ["car-commute.csv", "train.csv", "walk-late.csv", "walk.csv"]
    #expect(total["total_of"] as? [String] == names && total["traces"] as? Int == 4)
    for key in ["fixes", "judged_s", "distance_m"] {
      let values = documents.map { ($0["trace"] as? [String: Any])?[key] as? Double ?? -1 }
      let sum = values.dropLast().reduce(0, +)
      #expect(abs(((total["trace"] as? [String: Any])?[key] as? Double ?? 0) - sum) < 0.3)
    }
  }

  @Test("Lists that were scored apart add up, in either order")
  func scores() throws {
    var documents: [[String: Any]] = []
    var parts: [String] = []
    for trace in traces.prefix(3) {
      let events = try scratch.write(
        "events.jsonl", try Program.run(["replay", "--format", "jsonl", trace]).output)
      documents += try Program.run(["score", "--json", trace, events]).documents()
      let line = try #require(
        try Program.run(["score", "--partial", trace, events]).documents().first)
      #expect(try SchemaValidator("score-partial").errors(in: line).isEmpty)
      parts.append(
        try scratch.write(
          "score-\(parts.count)", try Program.run(["score", "--partial", trace, events]).output))
    }
    let answers = try permutations(parts).map {
      try Program.run(["score", "--merge", "--json"] + $0)
    }
    #expect(Set(answers.map(\.output)).count == 1)
    let total = try #require(try answers[0].documents().first)
    #expect(try SchemaValidator("score").errors(in: total).isEmpty)
    for key in ["crossings", "missed", "spurious", "early", "unjudged", "departures"] {
      #expect(
        total[key] as? Int == documents.reduce(0) { $0 + ($1[key] as? Int ?? -100) }, "\(key)")
    }
    #expect((total["total_of"] as? [[String: Any]])?.count == 3)
    // A single list gives the same quantiles as without --merge, to 5 %.
    let one = try #require(
      try Program.run(["score", "--merge", "--json", parts[1]]).documents().first)
    for (key, value) in documents[1] where key.contains("latency") || key.contains("overshoot") {
      guard let exact = value as? Double, key.contains("p95") else { continue }
      #expect(abs((one[key] as? Double ?? -1) - exact) <= 0.1 * exact + 0.001, "\(key)")
    }
    let text = try Program.run(["score", "--merge"] + parts).output
    #expect(text.hasPrefix("total of 3 lists against their traces\njudged: "))
  }

  @Test("Lines that cannot be added up are refused by file and line, with what differs")
  func refusals() throws {
    let options = ["compare", "--worlds", "1"]
    let line = try #require(try lines(options, [traces[0]]).first)
    let path = try scratch.write("part.jsonl", line + "\n")
    func expect(_ arguments: [String], says words: String) throws {
      let answer = try Program.run(arguments)
      #expect(answer.code == 2)
      #expect(answer.errors.hasPrefix("milepost: error: \(words)\n"), "\(answer.errors)")
    }
    let advice = "give --merge the options that --partial had, or make the line again"
    try expect(
      ["compare", "--merge", path], says: "\(path):1: made with worlds 1, not 20; \(advice)")
    try expect(
      options + ["--merge", "--seed", "7", path],
      says: "\(path):1: made with seed 1, not 7; \(advice)")
    try expect(
      options + ["--merge", "--policy", "ios", path],
      says: "\(path):1: made with policy ios-field,milepost, not ios; \(advice)")
    let older = try scratch.write(
      "older.jsonl", "\n" + line.replacing("\"release\":\"", with: "\"release\":\"0.1-"))
    let release = try Program.run(["--version"]).output.trimmingCharacters(
      in: .whitespacesAndNewlines)
    try expect(
      options + ["--merge", older],
      says: "\(older):2: made by milepost 0.1-\(release), not \(release); make the line again")
    try expect(
      options + ["--merge", path, path],
      says: "\(path):1: the same line stands at \(path):1 too; leave one of them out")
    let half = try scratch.write("half.jsonl", String(line.prefix(2_000)))
    #expect(
      try Program.run(options + ["--merge", half]).errors.hasPrefix(
        "milepost: error: \(half):1: not JSON: "))
    try expect(
      ["score", "--merge", path],
      says: "\(path):1: no line of milepost score --partial; leave the file out")
    let trace = try scratch.write("trip.csv", "time,lat,lon\n")
    try expect(
      options + ["--merge", trace],
      says: "\(trace):1: no line of milepost compare --partial; leave the file out")
    let empty = try scratch.write("empty.jsonl", "")
    try expect(
      options + ["--merge", empty],
      says: "\(empty): no line to add up; milepost compare --partial writes them")
    try expect(
      ["compare", "--merge", "-", "-"], says: "standard input (-) can be read only once")
    try expect(["compare", "--partial"], says: "Missing expected argument '<trace> ...'")
    try expect(
      ["compare", "--trip-seconds", "1", path],
      says: "--trip-seconds is for --stream; leave it out")
    try expect(
      ["compare", "--partial", "--json", path],
      says: "--json does not go with --partial; leave it out")
    try expect(["score", "a"], says: "Missing expected argument '<events>'")
    try expect(
      ["score", "a", "b", "c"],
      says: "Unexpected argument 'c': one list of deliveries at a time")
  }

  @Test("No byte of the sums, whatever it becomes, ends the program by a signal")
  func hostile() throws {
    let options = ["compare", "--worlds", "1", "--upload", "each"]
    let line = try #require(try lines(options, [traces[0]]).first)
    let parts = line.components(separatedBy: "\"sums\":\"")
    #expect(parts.count == 2)
    let sums = Array(parts[1])
    var wasRead = 0
    for turn in 0..<60 {
      var changed = sums
      changed[turn * (sums.count - 4) / 60] = Array("AQgw/9")[turn % 6]
      let path = try scratch.write("hostile.jsonl", parts[0] + "\"sums\":\"" + String(changed))
      let answer = try Program.run(options + ["--merge", "--details", path])
      if answer.code == 0 {
        wasRead += 1
      } else {
        #expect(
          answer.errors
            == "milepost: error: \(path):1: 'sums' is not as --partial writes it; make the line again\n"
        )
      }
    }
    #expect(wasRead > 5)
  }

  @Test("A key that stands twice in one object is refused: readers differ in which one counts")
  func twice() throws {
    let options = ["compare", "--worlds", "1"]
    let both = try lines(options, Array(traces.prefix(2)))
    let key = "\"traces\":"
    // Alone, and behind a line that begins alike.
    for (place, other) in [(1, "\"traces\":0,"), (2, "\"release\":\"0\",")] {
      let twice = both[1].replacingOccurrences(of: key, with: other + key)
      let path = try scratch.write(
        "twice.jsonl", (both.prefix(place - 1) + [twice]).joined(separator: "\n"))
      let answer = try Program.run(options + ["--merge", path])
      #expect(answer.code == 2)
      let name = place == 1 ? "traces" : "release"
      #expect(
        answer.errors
          == "milepost: error: \(path):\(place): the key '\(name)' stands twice in one object; make the line "
          + "again\n")
    }
  }

  @Test("Lines that another program wrote anew are read as well: other spaces, another order")
  func others() throws {
    let options = ["compare", "--worlds", "1"]
    let both = try lines(options, Array(traces.prefix(2)))
    let path = try scratch.write("plain", both.joined(separator: "\n"))
    let plain = try Program.run(options + ["--merge", path])
    for words in ["json.dumps(line)", "json.dumps(line, sort_keys=True, separators=(',', ':'))"] {
      let anew = scratch.path("anew")
      let made = try Program.shell(
        "python3 -c \"import json, sys; [print(\(words)) for line in map(json.loads, sys.stdin)]\" < '\(path)' > '\(anew)'",
        in: scratch)
      #expect(made.code == 0, "\(made.errors)")
      // Behind a line as it was written, and alone.
      _ = try Program.shell("(head -1 '\(path)'; tail -1 '\(anew)') > '\(anew).mixed'", in: scratch)
      for file in [anew, anew + ".mixed"] {
        let merged = try Program.run(options + ["--merge", file])
        #expect(merged.output == plain.output, "\(merged.errors)")
      }
    }
  }
}
