// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Scenarios")
struct ScenarioTests {
  /// Each scenario that comes with the program, and the trace that its first line names.
  private static let shipped: [(name: String, trace: String)] = [
    ("android-geofence", "mixed-day.gpx"),
    ("duty-cycle", "mixed-day.gpx"), ("feed", "mixed-day.gpx"), ("navigation", "car-commute.gpx"),
    ("overrun", "car-commute.gpx"),
    ("reboot", "home-day.gpx"), ("reminders", "mixed-day.gpx"), ("running", "walk.nmea"),
    ("social", "mixed-day.gpx"),
    ("van", "home-day.gpx"), ("voip", "car-commute.gpx"),
  ]

  private static let folder = Package.root.appendingPathComponent("Traces/scenarios").path

  private static func path(_ name: String) -> String { "\(folder)/\(name).yaml" }

  @Test("Every shipped scenario is here, and says over which trace it is played")
  func list() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
    #expect(files == Self.shipped.map { $0.name + ".yaml" })
    for (name, trace) in Self.shipped {
      let text = try String(contentsOfFile: Self.path(name), encoding: .utf8)
      #expect(text.hasPrefix("# Played over \(trace)"), "\(name)")
    }
  }

  @Test("Its timeline is what was reviewed", arguments: shipped.map(\.name))
  func timeline(name: String) throws {
    let trace = try #require(Self.shipped.first { $0.name == name }).trace
    let answer = try Program.run(
      [
        "replay", "--scenario", Self.path(name), Package.trace(trace),
      ] + (name == "van" ? ["--profile", "pi-zero-ublox7"] : []))
    #expect(answer.errors == "")
    #expect(answer.code == 0)
    try Golden.expect(answer.output, is: "timeline-\(name)")
  }

  @Test("As JSON lines every event has its schema, and what user and app do is among them")
  func lines() throws {
    let answer = try Program.run([
      "replay", "--scenario", Self.path("overrun"), "--json", Package.trace("car-commute.gpx"),
    ])
    let events = try answer.documents()
    let validator = try SchemaValidator("replay-event")
    #expect(events.flatMap(validator.errors(in:)).isEmpty)
    let kinds = Set(events.compactMap { $0["event"] as? String })
    #expect(kinds.isSuperset(of: ["user", "did", "app", "callbacks", "background", "end"]))
    let names = Set(events.compactMap { $0["app"] as? String })
    #expect(names == ["careless", "careful"])
  }

  @Test("The account of Android apps has its schema as JSON lines, and no picture")
  func android() throws {
    let words = [
      "replay", "--scenario", Self.path("android-geofence"), Package.trace("mixed-day.gpx"),
    ]
    let events = try Program.run(words + ["--json"]).documents()
    let validator = try SchemaValidator("replay-event")
    #expect(events.flatMap(validator.errors(in:)).isEmpty)
    let kinds = Set(events.compactMap { $0["event"] as? String })
    #expect(
      kinds == ["android", "android_phone", "android_app", "android_end", "user"])
    let told = events.filter { $0["what"] as? String == "told" }
    let total = events.first { $0["event"] as? String == "android_app" }
    #expect(
      told.filter { $0["app"] as? String == "tracker" }.count == total?["locations"] as? Int)
    let refused = try Program.run(words + ["--format", "csv"])
    #expect(refused.code == 2)
    #expect(
      refused.errors.contains(
        "a scenario of Android has an account, and no trace: leave --format out, or say --json"),
      "\(refused.errors)")
    let live = try Program.run(["scenario", "run", Self.path("android-geofence")])
    #expect(live.code == 2)
    #expect(
      live.errors.contains(
        "a scenario of Android, which a model plays and no program: milepost replay --scenario"),
      "\(live.errors)")
  }

  @Test("The picture of Android apps has a lane for each, and all that its account has")
  func androidPicture() throws {
    let words = [
      "replay", "--scenario", Self.path("android-geofence"), Package.trace("mixed-day.gpx"),
    ]
    let page = try Program.run(words + ["--html", "-"]).output
    for name in ["tracker", "hopeful", "diary"] {
      #expect(page.contains(">The life of \(name)</title>"))
    }
    // Each time that it is run for a geofence or a push has a triangle, each act a number.
    #expect(page.components(separatedBy: "class=\"wake\"").count - 1 == 8)
    #expect(page.contains("16 Sep 09:00:00 a push for hopeful"))
    let account = try Program.run(words).output.split(separator: "\n").filter {
      $0.prefixMatch(of: #/\d\d:\d\d:\d\d /#) != nil
    }
    #expect(account.count > 100)
    #expect(page.components(separatedBy: "<tr>").count - 2 == account.count)
  }

  @Test("The picture stands alone: a lane for each app with title and description, and the table")
  func picture() throws {
    let scratch = try Scratch()
    let file = scratch.path("lives.html")
    let answer = try Program.run([
      "replay", "--scenario", Self.path("overrun"), "--html", file,
      Package.trace("car-commute.gpx"),
    ])
    #expect(answer.code == 0)
    let page = try String(contentsOfFile: file, encoding: .utf8)
    #expect(page.contains("<title id=\"i3\">The life of careless</title>"))
    #expect(page.contains("<title id=\"i5\">The life of careful</title>"))
    #expect(page.contains("Energy of the device so far"))
    #expect(page.contains("its background task took too long"))
    #expect(page.contains("default-src &#39;none&#39;"))
    for foreign in ["http://", "<script", "src="] { #expect(!page.contains(foreign)) }
    let lanes = page.components(separatedBy: "class=\"plot lane\"").count - 1
    #expect(lanes == 3)
  }

  @Test("A picture on standard output keeps no timeline from its file")
  func both() throws {
    let scratch = try Scratch()
    let file = scratch.path("lives.txt")
    let words = ["replay", "--scenario", Self.path("running"), Package.trace("walk.nmea")]
    let answer = try Program.run(words + ["-o", file, "--html", "-"])
    #expect(answer.output.hasPrefix("<!DOCTYPE html>"))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text == (try Program.run(words).output))
  }

  @Test("An error names file, line and key, and the exit code is 2")
  func errors() throws {
    let scratch = try Scratch()
    let file = scratch.path("bad.yaml")
    try "apps:\n  - name: a\n    on launch: [dance]\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    let answer = try Program.run(["replay", "--scenario", file, Package.trace("walk.nmea")])
    #expect(answer.code == 2)
    #expect(
      answer.errors.hasPrefix(
        "milepost: error: \(file):3: apps[0].on launch[0]: 'dance' is nothing that an app does; an app "
          + "can: track; "))
    let missing = try Program.run([
      "replay", "--scenario", "./none.yaml", Package.trace("walk.nmea"),
    ])
    #expect(missing.code == 2)
    #expect(missing.errors == "milepost: error: ./none.yaml: no such file; check the path\n")
  }

  @Test("--era all shows one trip in all four eras, and which rule made which difference")
  func eras() throws {
    let trace = Package.trace("car-commute.gpx")
    let answer = try Program.run(["compare", "--era", "all", trace])
    #expect(answer.code == 0)
    try Golden.expect(answer.output, is: "compare-eras-car-commute")
    let document = try #require(
      try Program.run(["compare", "--era", "all", "--json", trace]).documents().first)
    #expect(try SchemaValidator("eras").errors(in: document).isEmpty)
    let lives = try #require(document["lives"] as? [[String: Any]])
    #expect(Set(lives.compactMap { $0["era"] as? String }) == ["ios4", "ios7", "ios13", "today"])
    // The page expresses the document in words, needs nothing else, and is written beside the text.
    let scratch = try Scratch()
    let drawn = try Program.run(
      ["compare", "--era", "all", "--html", scratch.path("eras.html"), trace])
    #expect(drawn.code == 0 && drawn.output == answer.output)
    let page = try Program.run(["compare", "--era", "all", "--html", "-", trace]).output
    #expect(page == (try String(contentsOfFile: scratch.path("eras.html"), encoding: .utf8)))
    #expect(page.contains("the rules of ios4, ios7, ios13 and today</p>"))
    let one = try Program.run(
      ["compare", "--scenario", Self.path("overrun"), "--html", "-", trace]
    ).output
    #expect(one.contains("by the rules of today</h1>") && !one.contains("standfirst\">"))
    let plain = page.replacing("\u{A0}", with: " ")
    for change in try #require(document["changes"] as? [[String: Any]]) {
      let text = try #require(change["text"] as? String)
      #expect(plain.contains(text), "\(text)")
    }
    for app in Set(lives.compactMap { $0["app"] as? String }) {
      #expect(plain.contains(app))
    }
    #expect(!page.contains("<script") && !page.contains("http:") && !page.contains("https:"))
  }

  @Test("A scenario is compared in its own era, and with --era all in all")
  func compared() throws {
    let words = ["compare", "--scenario", Self.path("voip"), Package.trace("car-commute.gpx")]
    let own = try Program.run(words)
    #expect(own.output.contains("by the rules of ios7;"))
    let all = try Program.run(words + ["--era", "all"])
    #expect(all.output.contains("by the rules of ios4, ios7, ios13 and today;"))
    #expect(all.output.contains("voip has a keep-alive handler"))
  }

  @Test(
    "What does not go with a scenario's file is refused",
    arguments: [
      (
        ["replay", "--scenario", "a.yaml", "--why"],
        "--why, --why-at, --radio-log and --speed do not go with a scenario's file"
      ),
      (
        ["replay", "--scenario", "a.yaml", "--visits"],
        "--region and --visits are for the built-in app; in a scenario's file an app says monitor region "
      ),
      (
        ["replay", "--scenario", "a.yaml", "--html", "x", "-o", "x"],
        "--html and --output name the same file, x; name two"
      ),
      (
        ["replay", "--scenario", "a.yaml", "--html", "-", "--json"],
        "--html - and the events would both go to standard output; name a file for one of them"
      ),
      (["replay", "--html", "x.html"], "--html draws a scenario: --scenario FILE"),
      (
        ["replay", "--era", "all"],
        "--era all compares eras, which milepost compare does; name one of them"
      ),
      (
        ["compare", "--era", "all", "--csv"],
        "--era all and a scenario's file are told as text, with --json or with --html; leave"
      ),
      (["replay", "--scenario", "pockets"], "The value 'pockets' is invalid for '--scenario"),
    ])
  func refused(words: [String], message: String) throws {
    let answer = try Program.run(words + [Package.trace("walk.nmea")])
    #expect(answer.code == 2)
    #expect(answer.errors.contains(message), "\(answer.errors)")
  }
}
