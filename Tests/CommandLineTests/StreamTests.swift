// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `--stream` judges trips that another program hands over; what it says of all together is what `--partial` says.
@Suite("A stream of trips")
struct StreamTests {
  private let scratch: Scratch
  private let options = ["--worlds", "1"]

  init() throws { scratch = try Scratch() }

  /// Pieces of a trip, by name.
  private func pieces() throws -> [(name: String, text: String)] {
    let text = try String(contentsOfFile: Package.trace("car-commute.truth.csv"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    return [("a.csv", 1...500), ("b.csv", 400...900)].map { name, rows in
      (name, ([lines[0]] + lines[rows]).joined(separator: "\n") + "\n")
    }
  }

  private func frame(_ name: String, _ text: String) -> String {
    "{\"name\":\"\(name)\",\"bytes\":\(text.utf8.count)}\n" + text
  }

  private func stream(_ input: String, _ more: [String] = []) throws -> Program.Answer {
    try Program.run(["compare", "--stream"] + options + more, input: input, in: scratch)
  }

  @Test("Each trip has its line, one that fails its reason, and the sums are those of --partial")
  func lines() throws {
    let pieces = try pieces()
    let input =
      frame("monday/a.csv", pieces[0].text) + frame("no.gpx", "no trace")
      + frame("b.csv", pieces[1].text)
    let answer = try stream(input)
    #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.errors)")
    let documents = try answer.documents()
    #expect(documents.count == 4)
    let validator = try SchemaValidator("compare-trip")
    for document in documents.dropLast() { #expect(validator.errors(in: document).isEmpty) }
    #expect(
      documents.compactMap { $0["name"] as? String } == ["monday/a.csv", "no.gpx", "b.csv"])
    #expect(
      (documents[1]["failed"] as? String)?.hasPrefix("no.gpx: text in no known trace format")
        == true)
    let paths = try pieces.map { try scratch.write($0.name, $0.text) }
    let whole = try Program.run(["compare", "--partial"] + options + paths)
    #expect(answer.output.hasSuffix(whole.output))
    // A line says what compare says of the trip.
    let alone = try #require(
      try Program.run(["compare", "--json"] + options + [paths[0]]).documents().first)
    let energies = { (document: [String: Any], key: String) in
      (document[key] as? [[String: Any]])?.map { $0["energy_j"] as? Double }
    }
    #expect(energies(documents[0], "modes") == energies(alone, "runs"))
    // An empty line asks for the sums so far, which begin anew.
    let apart = try stream(
      frame("a.csv", pieces[0].text) + "\n" + frame("b.csv", pieces[1].text) + "\n\n")
    let parts = apart.output.split(separator: "\n").map(String.init)
    #expect(parts.count == 4)
    let first = try scratch.write("first", parts[1] + "\n" + parts[3])
    let merged = try Program.run(["compare", "--merge", "--partial"] + options + [first])
    #expect(merged.output == whole.output, "\(merged.errors)")
  }

  @Test("A truth that is handed over counts as one beside the trace")
  func truth() throws {
    let trace = try String(contentsOfFile: Package.trace("car-commute.gpx"), encoding: .utf8)
    let truth = try String(contentsOfFile: Package.trace("car-commute.truth.csv"), encoding: .utf8)
    let head =
      "{\"name\":\"car-commute.gpx\",\"bytes\":\(trace.utf8.count),\"truth_bytes\":\(truth.utf8.count)}\n"
    let answer = try stream(head + trace + truth)
    let whole = try Program.run(
      ["compare", "--partial"] + options + [Package.trace("car-commute.gpx")])
    #expect(answer.output.hasSuffix(whole.output))
  }

  @Test("A trip that takes too long has failed, and the next is judged")
  func budget() throws {
    let trace = try String(contentsOfFile: Package.trace("commute-day.gpx"), encoding: .utf8)
    let piece = try pieces()[0]
    let answer = try stream(
      frame("day.gpx", trace) + frame("a.csv", piece.text),
      ["--trip-seconds", "0.03", "--worlds", "200"])
    let documents = try answer.documents()
    #expect(
      documents.first?["failed"] as? String
        == "day.gpx: not done in 0.03 s of the processor; give it more with --trip-seconds, or cut the trace"
    )
    #expect(documents.count >= 2 && documents[1]["name"] as? String == "a.csv")
  }

  @Test("A trip for which a busy machine has no time has not failed: the processor's time counts")
  func stopped() throws {
    let path = Package.trace("commute-day.gpx")
    let script = """
      { printf '{"name":"day.gpx","bytes":%d}\\n' "$(stat -c %s '\(path)')"; cat '\(path)'; } > frames
      '\(Program.path)' compare --stream --worlds 5 --trip-seconds 3 < frames & stream=$!
      sleep 0.1; kill -STOP $stream; sleep 3.5; kill -CONT $stream; wait $stream
      """
    let answer = try Program.shell("cd '\(scratch.path("."))'; \(script)", in: scratch)
    let documents = try answer.documents()
    #expect(documents.first?["name"] as? String == "day.gpx")
    #expect(documents.first?["failed"] is NSNull, "\(answer.output)")
  }

  @Test("A frame that cannot be right ends the stream without sums")
  func frames() throws {
    let piece = try pieces()[0]
    let whole = frame("a.csv", piece.text)
    func expect(_ input: String, says words: String) throws {
      let answer = try stream(whole + input)
      #expect(answer.code == 2)
      #expect(answer.errors == "milepost: error: standard input: frame 2: \(words)\n")
      #expect(try answer.documents().count == 1)
    }
    try expect(
      String(frame("b.csv", "time,lat,lon\n").dropLast(4)),
      says: "b.csv: ends after 9 of 13 bytes; hand it over again, whole")
    try expect(
      "{\"name\":\"b.csv\",\"bytes\":99999999999}\n",
      says: "b.csv: bytes is 99999999999, not a whole number from 0 to 1073741824")
    try expect(
      "{\"name\":\"b.csv\",\"bytes\":-1}\n",
      says: "b.csv: bytes is -1, not a whole number from 0 to 1073741824")
    try expect(
      "time,lat,lon\n",
      says:
        #"no head of a trip; it is a line like {"name":"trip.gpx","bytes":48211}, before the bytes"#
    )
    try expect(
      "{\"name\":\"..\",\"bytes\":1}\nx",
      says: "'..' names no file; a name has 1 to 242 bytes behind its last /")
    try expect(
      String(repeating: "x", count: 400_000),
      says:
        "its head is longer than 65536 bytes; it ends with a line feed, and the trip's bytes follow"
    )
    // Nothing is left of any trip.
    let left = try FileManager.default.contentsOfDirectory(
      atPath: ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp")
    #expect(!left.contains { $0.hasPrefix("milepost-") && $0.hasSuffix("a.csv") })
  }

  @Test("score --stream takes the deliveries behind the trace")
  func score() throws {
    let piece = try pieces()[0]
    let trace = try scratch.write(piece.name, piece.text)
    let events = try Program.run(["replay", "--format", "jsonl", trace]).output
    _ = try scratch.write("a.events.jsonl", events)
    let head =
      "{\"name\":\"a.csv\",\"bytes\":\(piece.text.utf8.count),\"events_bytes\":\(events.utf8.count)}\n"
    let answer = try Program.run(
      ["score", "--stream"], input: head + piece.text + events + frame("b.csv", piece.text),
      in: scratch)
    #expect(answer.code == 0, "\(answer.errors)")
    let documents = try answer.documents()
    #expect(documents.count == 3)
    let validator = try SchemaValidator("score-trip")
    for document in documents.dropLast() { #expect(validator.errors(in: document).isEmpty) }
    #expect(
      documents[1]["failed"] as? String
        == "b.csv: no list of deliveries; give its length as events_bytes")
    let whole = try Program.run(["score", "--partial", trace, scratch.path("a.events.jsonl")])
    #expect(answer.output.hasSuffix(whole.output))
  }

  @Test("What does not go with --stream is refused")
  func combinations() throws {
    func expect(_ arguments: [String], says words: String) throws {
      let answer = try Program.run(arguments)
      #expect(answer.code == 2)
      #expect(answer.errors.hasPrefix("milepost: error: \(words)\n"), "\(answer.errors)")
    }
    try expect(
      ["compare", "--stream", "a.gpx"],
      says: "--stream reads trips from standard input; leave 'a.gpx' out")
    try expect(
      ["compare", "--stream", "--partial"],
      says: "--stream writes its sums at the end; leave --partial and --merge out")
    try expect(
      ["compare", "--stream", "--json"], says: "--json does not go with --stream; leave it out")
  }
}
