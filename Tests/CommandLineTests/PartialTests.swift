// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `--partial` writes lines on one machine, `--merge` adds them up on another; one machine's total is the oracle.
@Suite("Lines of sums, and their total")
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

  private func lines(_ command: [String], _ traces: [String]) throws -> [String] {
    let answer = try Program.run(command + ["--partial"] + traces)
    #expect(answer.code == 0, "\(answer.errors)")
    return answer.output.split(separator: "\n").map(String.init)
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
    #expect(total["total_of"] as? [String] == names)
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
    // A single list gives the same output as without --merge.
    let one = try #require(
      try Program.run(["score", "--merge", "--json", parts[1]]).documents().first)
    for (key, value) in documents[1] where key.contains("latency") || key.contains("overshoot") {
      #expect("\(one[key] ?? "")" == "\(value)", "\(key)")
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
      says: "\(path):1: walk.csv from \(Self.time("start", of: line)) to "
        + "\(Self.time("end", of: line)) stands at \(path):1 too; leave one of them out")
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
      ["compare", "--merge", "-"],
      says:
        "--merge reads its files twice, so none of them can be standard input (-); save it first")
    try expect(
      ["compare", "--merge", "--partial", path],
      says: "--partial and --merge are two steps; choose one")
    try expect(
      ["compare", "--partial", "--json", path],
      says: "--json does not go with --partial; leave it out")
    try expect(["score", "a"], says: "Missing expected argument '<events>'")
    try expect(
      ["score", "a", "b", "c"],
      says: "Unexpected argument 'c': one list of deliveries at a time")
  }

  @Test("No number of a line, whatever it becomes, ends the program by a signal")
  func hostile() throws {
    let options = ["compare", "--worlds", "1", "--upload", "each"]
    let line = try #require(try lines(options, [traces[0]]).first)
    // Each with the text before it.
    let numbers = line.ranges(of: try Regex(#"[:,\[]-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?"#))
    #expect(numbers.count > 1_000)
    let others = [
      "-1", "0", "1e15", "1e300", "9007199254740991", "\"inf\"", "\"nan\"", "null", "[]",
    ]
    for turn in 0..<45 {
      var changed = line
      let number = numbers[turn * numbers.count / 45]
      let rest = line.index(after: number.lowerBound)..<number.upperBound
      changed.replaceSubrange(rest, with: others[turn % others.count])
      let path = try scratch.write("hostile.jsonl", changed)
      let answer = try Program.run(options + ["--merge", "--details", path])
      #expect(
        answer.code == 0 || answer.code == 2,
        "\(others[turn % others.count]) behind \(line[..<number.lowerBound].suffix(60))")
    }
  }

  @Test("A key that stands twice in one object is refused: readers differ in which one counts")
  func twice() throws {
    let options = ["compare", "--worlds", "1"]
    let line = try #require(try lines(options, [traces[0]]).first)
    let key = "\"counters\":"
    let path = try scratch.write(
      "twice.jsonl", line.replacingOccurrences(of: key, with: key + "0," + key))
    let answer = try Program.run(options + ["--merge", path])
    #expect(answer.code == 2)
    #expect(
      answer.errors
        == "milepost: error: \(path):1: the key 'counters' stands twice in one object; make the line again\n"
    )
  }

  private static func time(_ name: String, of line: String) -> String {
    let rest = line.components(separatedBy: "\"\(name)\":\"").last ?? ""
    return String(rest.prefix { $0 != "\"" })
  }
}
