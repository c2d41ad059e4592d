// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("compare")
struct CompareTests {
  @Test(
    "The answer for a commute is what was reviewed, fits 100 columns, and needs no word compare")
  func text() throws {
    let answer = try Program.run([Package.trace("car-commute.gpx")])
    #expect(answer.code == 0)
    #expect(answer.errors.isEmpty)
    #expect(answer.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    try Golden.expect(answer.output, is: "compare-car-commute")
  }

  @Test("The details of a commute are what was reviewed, and fit 100 columns")
  func details() throws {
    let answer = try Program.run(["compare", "--details", Package.trace("car-commute.gpx")])
    #expect(answer.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    try Golden.expect(answer.output, is: "compare-car-commute-details")
  }

  @Test("Twenty hours or more have a share of the battery per day, in 100 columns")
  func day() throws {
    let answer = try Program.run([
      "compare", "--details", "--worlds", "1", Package.trace("mixed-day.gpx"),
    ])
    #expect(answer.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(answer.output.contains("a day"))
    try Golden.expect(answer.output, is: "compare-mixed-day")
  }

  /// Curves need the length of the trace first, so with them it is always replayed after it was read.
  @Test(
    "A trace that is replayed while it is read has the figures of one that is replayed afterwards",
    arguments: [0, 400])
  func whileRead(sparse: Int) throws {
    let scratch = try Scratch()
    let form = ISO8601DateFormatter()
    // 300 fixes a second apart at 15 m/s; then none, or more that are 100 s apart and so make the trace sparse.
    let times = Array(0..<300) + (0..<sparse).map { 400 + $0 * 100 }
    let rows = times.map { second in
      let latitude = 45 + Double(second) * 15 / 111_132
      let time = form.string(from: Date(timeIntervalSince1970: 1_790_000_000 + Double(second)))
      return "\(time),\(latitude),13.5\n"
    }
    let path = try scratch.write("t.csv", "time,lat,lon\n" + rows.joined())
    func document(_ more: [String]) throws -> NSDictionary {
      let answer = try Program.run(["compare", "--worlds", "2", "--json", path] + more)
      var document = try #require(try answer.documents().first)
      let runs = try #require(document["runs"] as? [[String: Any]])
      document["runs"] = runs.map { $0.filter { $0.key != "curves" } }
      return document.filter { $0.key != "together" } as NSDictionary
    }
    #expect(try document([]) == document(["--details"]))
  }

  @Test("A baseline names each option that differs, and a scenario in the foreground has its row")
  func otherSettings() throws {
    let walk = Package.trace("walk.nmea")
    let scratch = try Scratch()
    let saved = try Program.run(["compare", "--worlds", "2", "--json", walk]).output
    let baseline = try scratch.write("b.json", saved)
    let more =
      try ["--worlds", "1"]
      + scratch.world(
        "vbus_off: yes\nmax_late_s: 5\nlateness_price_mj_per_s: 2\nexternal_power: yes")
    let text = try Program.run(["compare", "--baseline", baseline, walk] + more).output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for words in [
      "--worlds 2 then, 1 now", "vbus_off no then, yes now", "max_late_s none then, 5 now",
      "lateness_price_mj_per_s none then, 2 now", "external_power no then, yes now",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    let front = try Program.run(["compare", "--worlds", "1", "--scenario", "foreground", walk])
    #expect(front.output.contains("\nin the foreground "), "\(front.output)")
  }

  @Test("A Pi without a modem shows significant change by sessions and by our policy, and says so")
  func pi() throws {
    let arguments = [
      "compare", "--worlds", "1", Package.trace("walk.nmea"), "--profile", "pi-zero-ublox7",
    ]
    let text = try Program.run(arguments + ["--details"]).output
    #expect(text.contains("policy receiver") && text.contains("policy milepost"))
    let runs = try Self.significant(Program.run(arguments + ["--json"]))
    #expect(runs.map { $0["policy"] as? String } == ["receiver", "milepost"])
    #expect(runs.allSatisfy { $0["gnss_on_s"] as? Double ?? 0 > 0 })
  }

  @Test("Documents follow their schema, also several with their total")
  func schema() throws {
    let answer = try Program.run(
      [
        "compare", "--worlds", "1", "--json", Package.trace("walk.nmea"),
        Package.trace("train.gpx"),
      ])
    let documents = try answer.documents()
    let validator = try SchemaValidator("compare")
    #expect(documents.count == 3)
    #expect(documents.flatMap(validator.errors(in:)).isEmpty)
    #expect(documents[2]["total_of"] as? [String] == ["train.gpx", "walk.nmea"])
    for key in ["energy_j", "blind_s", "gnss_on_s"] {
      let values = documents.map { ($0["runs"] as? [[String: Any]])?.last?[key] as? Double ?? -1 }
      // Each component's energy is rounded to a millionth, and seconds to a thousandth.
      let rounding = key.hasSuffix("_j") ? 1e-5 : 1.6e-3
      #expect(abs(values[0] + values[1] - values[2]) < rounding)
    }
  }

  @Test(
    "The track begins once, and once more after each gap",
    arguments: ["train.gpx", "mixed-day.gpx", "car-commute.gpx", "flight-antimeridian.gpx"])
  func breaks(name: String) throws {
    let answer = try Program.run([
      "compare", "--worlds", "1", "--json", "--details", Package.trace(name),
    ])
    let document = try #require(try answer.documents().first)
    let gaps = try #require((document["trace"] as? [String: Any])?["gaps"] as? Int)
    for run in try Self.runs(answer) {
      let track = (run["curves"] as? [String: Any])?["track"] as? [[String: Any]]
      let starts = try #require(track).count { $0["leg"] as? String == "start" }
      #expect(starts == gaps + 1)
    }
  }

  @Test("The page and the card are written beside the table, and each can be the output")
  func pictures() throws {
    let scratch = try Scratch()
    let (page, card) = (scratch.path("r.html"), scratch.path("c.svg"))
    let trace = Package.trace("walk.nmea")
    let answer = try Program.run(["compare", trace, "--html", page, "--card", card])
    #expect(answer.code == 0 && answer.output.contains("continuous"))
    #expect(try scratch.read("r.html").hasPrefix("<!DOCTYPE html>"))
    let text = try scratch.read("c.svg")
    #expect(text.hasPrefix("<?xml"))
    #expect(try Program.run(["compare", trace, "--card", "-"]).output == text)
    // Before the work, not behind it.
    let nowhere = try Program.run(["compare", trace, "--html", scratch.path("none/r.html")])
    #expect(nowhere.code == 2 && nowhere.output.isEmpty && nowhere.errors.contains("none/r.html"))
  }

  @Test("With --json --details each run carries what the report draws, by the same schema")
  func curves() throws {
    let answer = try Program.run([
      "compare", "--worlds", "1", "--json", "--details", Package.trace("walk.nmea"),
    ])
    let document = try #require(try answer.documents().first)
    #expect(try SchemaValidator("compare").errors(in: document).isEmpty)
    for run in try Self.runs(answer) {
      let curves = try #require(run["curves"] as? [String: Any])
      let days = try #require(curves["days"] as? [[String: Any]])
      let total = days.compactMap { $0["energy_j"] as? Double }.reduce(0, +)
      #expect(abs(total - (run["energy_j"] as? Double ?? 0)) < 1e-3)
    }
  }

  @Test("The validator refuses what the schema does not say")
  func validator() throws {
    let validator = try SchemaValidator("compare")
    var document = try #require(
      try Program.run(["compare", "--worlds", "1", "--json", Package.trace("walk.nmea")])
        .documents().first)
    document["seed"] = "1"
    document["extra"] = 1
    document["runs"] = [["mode": "sometimes"]]
    let errors = validator.errors(in: document)
    #expect(errors.contains("$.seed: not [\"integer\"]"))
    #expect(errors.contains("$: extra is not in the schema"))
    #expect(errors.contains("$.runs[0]: no energy_j"))
    #expect(errors.contains { $0.hasPrefix("$.runs[0].mode: not one of") })
  }

  @Test("Components add up to the energy, and the baseline is not among them")
  func sums() throws {
    let answer = try Program.run([
      "compare", "--worlds", "1", "--json", Package.trace("car-commute.gpx"),
    ])
    for run in try Self.runs(answer) {
      let parts = run["components"] as? [[String: Any]] ?? []
      let sum = parts.reduce(0) { $0 + ($1["energy_j"] as? Double ?? .nan) }
      #expect(abs(sum - (run["energy_j"] as? Double ?? .nan)) < 1e-6)
      #expect(parts.allSatisfy { $0["component"] as? String != "floor" })
    }
  }

  @Test("The same seed gives the same bytes, another seed other ones")
  func seeds() throws {
    let arguments = [
      "compare", "--worlds", "1", "--json", "--truth", "none", Package.trace("walk.nmea"),
    ]
    let first = try Program.run(arguments).output
    #expect(try Program.run(arguments).output == first)
    #expect(try Program.run(arguments + ["--seed", "2"]).output != first)
  }

  @Test("Standard input is a trace, also through a pipe, and is its own truth")
  func standardInput() throws {
    let scratch = try Scratch()
    let path = Package.trace("walk.nmea")
    let piped = try Program.shell(
      "cat '\(path)' | $MILEPOST compare --worlds 1 --json -", in: scratch)
    let document = try #require(try piped.documents().first)
    let trace = try #require(document["trace"] as? [String: Any])
    #expect(trace["name"] as? String == "stdin")
    #expect(trace["truth"] as? String == "trace")
    #expect(trace["fixes"] as? Int == 2507)
  }

  @Test("A reader that goes away is no error")
  func brokenPipe() throws {
    let scratch = try Scratch()
    let script =
      "set -o pipefail; $MILEPOST replay --why --format jsonl '\(Package.trace("train.gpx"))' "
      + "| head -1 > /dev/null"
    let answer = try Program.shell(script, in: scratch)
    #expect(answer.code == 0)
    #expect(answer.errors.isEmpty)
  }

  @Test("--scenario keeps its rows only, and --upload each adds uploads")
  func options() throws {
    let trace = Package.trace("walk.nmea")
    let front = try Self.runs(
      Program.run(["compare", "--worlds", "1", "--json", "--scenario", "foreground", trace]))
    #expect(front.map { $0["scenario"] as? String } == ["foreground"])
    let quiet = try Self.runs(Program.run(["compare", "--worlds", "1", "--json", trace]))
    let sending = try Self.runs(
      Program.run(["compare", "--worlds", "1", "--json", "--upload", "each", trace]))
    #expect(quiet.allSatisfy { $0["uploads"] as? Int == 0 })
    for (before, after) in zip(quiet, sending) where after["deliveries"] as? Int ?? 0 > 0 {
      #expect(after["uploads"] as? Int == after["deliveries"] as? Int)
      #expect(after["energy_j"] as? Double ?? 0 > before["energy_j"] as? Double ?? 0)
    }
  }

  @Test("A log of several recordings lasts as long as they do together, not from 2007 to 2026")
  func recordings() throws {
    let answer = try Program.run([
      "compare", "--worlds", "1", "--json", Package.trace("week-rollover.nmea"),
    ])
    let trace = try #require(try answer.documents().first?["trace"] as? [String: Any])
    #expect(trace["duration_s"] as? Double ?? 0 < 2_000)
  }

  @Test("With a modem the phone's service and ours stand side by side, with what each missed")
  func services() throws {
    let trace = Package.trace("mixed-day.gpx")
    let answer = try Program.run(["compare", "--worlds", "1", "--json", trace])
    let document = try #require(try answer.documents().first)
    #expect(try SchemaValidator("compare").errors(in: document).isEmpty)
    let runs = try Self.runs(answer).filter { $0["mode"] as? String == "significant" }
    #expect(runs.map { $0["policy"] as? String } == ["ios-field", "milepost"])
    let text = try Program.run(["compare", "--details", "--worlds", "1", trace]).output
    let judged = try #require((document["trace"] as? [String: Any])?["judged_s"] as? Double)
    for run in runs {
      let (missed, crossings) = (
        run["crossings_missed"] as? Int ?? -1, run["crossings"] as? Int ?? -1
      )
      #expect(text.contains(" \(missed)/\(crossings) "))
      let share = try #require(run["receiver_on_share"] as? Double)
      #expect(abs(share - (run["gnss_on_s"] as? Double ?? -1) / judged) < 1e-6)
    }
    // Network positions need no session; ours needs some, for the network tells of some events.
    #expect(runs[0]["sessions"] as? Int == 0)
    #expect((0.3...1.5).contains(runs[1]["sessions_per_event"] as? Double ?? 0))
  }

  @Test("A policy with an interval is named by it, and sessions are so far apart")
  func interval() throws {
    let trace = Package.trace("mixed-day.gpx")
    let arguments = ["compare", "--worlds", "1", "--policy", "receiver,receiver=3600", trace]
    let text = try Program.run(arguments + ["--details"]).output
    #expect(text.contains("policy receiver=3600 ") && text.contains("policy receiver "))
    let runs = try Self.significant(Program.run(arguments + ["--json"]))
    #expect(runs.map { $0["interval_s"] as? Double } == [300, 3_600])
    // A day has 24 hours, and the launch makes one more.
    #expect((20...25).contains(runs.last?["sessions"] as? Int ?? 0))
    for (name, message) in [
      ("milepost=5", "the policy 'milepost' has no interval to set"),
      ("receiver=0", "'receiver=0': the seconds between sessions are a number from 1 to 86400"),
      ("nonsense=5", "there is no policy 'nonsense=5'; known: ios"),
    ] {
      let refused = try Program.run(["compare", "--worlds", "1", "--policy", name, trace])
      #expect(refused.code == 2)
      #expect(refused.errors.contains(message), "\(refused.errors)")
    }
  }

  /// Those of significant change.
  static func significant(_ answer: Program.Answer) throws -> [[String: Any]] {
    try runs(answer).filter { $0["mode"] as? String == "significant" }
  }

  static func runs(_ answer: Program.Answer) throws -> [[String: Any]] {
    try answer.documents().first?["runs"] as? [[String: Any]] ?? []
  }
}
