// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("replay and meter")
struct ReplayTests {
  private let walk = Package.trace("walk.nmea")

  @Test("Events follow their schema, are numbered, and end with the totals")
  func events() throws {
    let answer = try Program.run(["replay", "--why", "--format", "jsonl", walk])
    let events = try answer.documents()
    let validator = try SchemaValidator("replay-event")
    #expect(events.flatMap(validator.errors(in:)).isEmpty)
    #expect(events.map { $0["seq"] as? Int } == (1...events.count).map(Int?.some))
    #expect(events.last?["event"] as? String == "end")
    let delivered = events.count { $0["event"] as? String == "deliver" }
    #expect(events.last?["deliveries"] as? Int == delivered)
    #expect(events.contains { $0["event"] as? String == "verdict" })
  }

  @Test("Text tells the same events, and the significant-change walk is what was reviewed")
  func text() throws {
    let answer = try Program.run(["replay", "--mode", "significant", walk])
    #expect(answer.code == 0)
    try Golden.expect(answer.output, is: "replay-walk-significant")
  }

  @Test(
    "--era shows: a relaunched app hears didEnterBackground from ios13 on, not before")
  func eras() throws {
    let day = Package.trace("mixed-day.gpx")
    var told: [String: String] = [:]
    for era in ["ios4", "ios7", "ios13", "today"] {
      let answer = try Program.run(["replay", "--policy", "ios", "--era", era, day])
      let line = answer.output.split(separator: "\n").first { $0.contains("(location)") }
      told[era] = line.map(String.init)
      if era == "today" {
        let usual = try Program.run(["replay", "--policy", "ios", day])
        #expect(answer.output == usual.output)
      }
    }
    #expect(told["ios4"]?.hasSuffix("told didFinishLaunching(location)") == true)
    #expect(told["ios7"] == told["ios4"])
    let today = "told didFinishLaunching(location), didEnterBackground"
    #expect(told["today"]?.hasSuffix(today) == true)
    #expect(told["ios13"] == told["today"])
  }

  @Test("--accuracy says why the receiver is off, and what comes of the network instead")
  func accuracy() throws {
    let why = try Program.run([
      "replay", "--mode", "standard", "--scenario", "foreground", "--accuracy", "1000", "--why-at",
      "2026-04-11T14:10:00Z", walk,
    ])
    #expect(why.output.contains("because network positions served an accuracy of 1000 m;"))
    let end = try #require(
      try Program.run([
        "replay", "--mode", "standard", "--accuracy", "3000", "--format", "jsonl", walk,
      ]).documents().last)
    #expect(end["gnss_on_s"] as? Double == 0)
    let wrong = try Program.run(["replay", "--accuracy", "100", walk])
    #expect(wrong.errors.contains("--accuracy is for standard and continuous updates"))
  }

  @Test(
    "Metering a replay's radio log gives the replay's joules, in every mode and on every device",
    arguments: ["standard", "significant", "continuous"],
    ["phone-2021-lte", "phone-2013-lte", "pi-zero-ublox7"])
  func radioLog(mode: String, profile: String) throws {
    let scratch = try Scratch()
    let log = scratch.path("radio.jsonl")
    let replay = try Program.run([
      "replay", "--mode", mode, "--profile", profile, "--upload", "each", "--format", "jsonl",
      "--radio-log", log, Package.trace("cold-start.nmea"),
    ])
    let end = try #require(try replay.documents().last)
    let metered = try Program.run(["meter", log, "--profile", profile, "--json"])
    #expect(metered.errors.isEmpty)
    let energy = try #require(try metered.documents().first)
    #expect(try SchemaValidator("energy").errors(in: energy).isEmpty)
    #expect(energy["energy_j"] as? Double == end["energy_j"] as? Double)
  }

  @Test("The same replay has the joules of compare, and their range")
  func agrees() throws {
    let run = try #require(
      try CompareTests.significant(
        Program.run(["compare", "--worlds", "1", "--json", "--policy", "ios-field", walk])
      ).last)
    let end = try #require(
      try Program.run(["replay", "--format", "jsonl", walk]).documents().last)
    let keys = ["energy_j", "energy_low_j", "energy_high_j", "gnss_on_s", "blind_s", "blind_m"]
    for key in keys { #expect(run[key] as? Double == end[key] as? Double, "\(key)") }
  }

  @Test("Deliveries are written as a trace that is read again", arguments: ["gpx", "nmea", "csv"])
  func deliveries(format: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("delivered.\(format)")
    let arguments = ["replay", "--mode", "continuous", "-o", path, walk]
    #expect(try Program.run(arguments).code == 0)
    let info = try #require(try Program.run(["info", "--json", path]).documents().first)
    let end = try #require(
      try Program.run(["replay", "--mode", "continuous", "--format", "jsonl", walk]).documents()
        .last)
    #expect(info["format"] as? String == format)
    #expect(info["fixes"] as? Int == end["deliveries"] as? Int)
  }

  @Test("--why-at answers while the receiver is off, in words and as a document")
  func whyAt() throws {
    let commute = Package.trace("car-commute.gpx")
    let question = ["replay", "--mode", "standard", "--why-at", "2026-03-17T06:45:00Z", commute]
    let text = try Program.run(question)
    #expect(text.code == 0)
    try Golden.expect(text.output, is: "why-standard-off")
    let document = try #require(try Program.run(question + ["--json"]).documents().first)
    #expect(try SchemaValidator("why").errors(in: document).isEmpty)
    #expect(document["verdict"] as? String == "not_running")
    #expect(document["receiver"] as? String == "off")
  }

  @Test("--why-at says how sure the policy is of a rest")
  func whyAtRest() throws {
    // At home from seven o'clock until after two; a false alarm of the sensor may begin the rest anew.
    let question = [
      "replay", "-m", "significant", "--policy", "milepost", "--why-at", "2026-09-16T11:00:00Z",
      Package.trace("mixed-day.gpx"),
    ]
    let text = try Program.run(question)
    #expect(text.output.contains("; it was probably at rest (0.9"))
    let document = try #require(try Program.run(question + ["--json"]).documents().first)
    #expect(try SchemaValidator("why").errors(in: document).isEmpty)
    let chance = try #require(document["rest_chance"] as? Double)
    #expect((0.9...1).contains(chance))
    let since = try #require(document["rests_since"] as? String)
    #expect(since >= "2026-09-16T07:00:00" && since < "2026-09-16T11:00:00")
  }

  @Test("--why-at names the pace that the filter believes, when the device moves")
  func whyMoving() throws {
    let question = [
      "replay", "--policy", "milepost", "-p", "phone-2021-lte", "--why-at", "2026-03-17T06:45:00Z",
      Package.trace("car-commute.gpx"),
    ]
    let text = try Program.run(question)
    #expect(text.output.contains("; it was probably moving (0."))
    #expect(text.output.contains(", sooner on a ride than on foot, at some "))
    let document = try #require(try Program.run(question + ["--json"]).documents().first)
    #expect(try SchemaValidator("why").errors(in: document).isEmpty)
    #expect(document["rest_chance"] is NSNull)
    #expect(document["rides"] as? Bool == true)
    let pace = try #require(document["believed_pace_mps"] as? Double)
    #expect((4.5...32).contains(pace))
  }

  @Test("--why-at names the numbers that significant change waits for")
  func whySignificant() throws {
    let commute = Package.trace("car-commute.gpx")
    let answer = try Program.run(["replay", "--why-at", "2026-03-17T06:45:00Z", commute])
    try Golden.expect(answer.output, is: "why-significant")
  }

  @Test("A paced replay of three seconds takes about as long")
  func pace() throws {
    let scratch = try Scratch()
    let path = try scratch.write(
      "short.csv",
      "time,latitude,longitude\n2026-05-04T10:00:00Z,45,13\n2026-05-04T10:00:30Z,45,13\n")
    let start = ContinuousClock.now
    let answer = try Program.run(
      [
        "replay", "--mode", "standard", "--speed", "10", "--start", "hot", "--environment", "open",
        path,
      ] + scratch.world("ttff: mean"))
    #expect(answer.code == 0)
    #expect(ContinuousClock.now - start > .seconds(2.5))
  }

  @Test("An activity log without an end is metered up to its last record, and that is said")
  func noEnd() throws {
    let answer = try Program.run(
      ["meter", "-", "--json", "--profile", "phone-2021-lte"],
      input: """
        {"at_s":0,"component":"gnss","state":"track_good"}
        {"at_s":100,"component":"gnss","state":"off"}

        """)
    #expect(
      answer.errors == "milepost: stdin: the log has no end record; it was metered up to its last "
        + "record\n")
    // 100 s of the profile's 78.81 mW.
    #expect(try answer.documents().first?["energy_j"] as? Double == 7.881)
  }
}
