// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Recordings of the service")
struct RecordingTests {
  private static func path(_ name: String) -> String {
    Package.root.appendingPathComponent("Tests/CommandLineTests/Golden/\(name).recording").path
  }

  /// A copy of a recording after a change of its text.
  private static func changed(
    _ name: String, in scratch: Scratch, _ change: (String) -> String
  ) throws -> String {
    let text = try String(contentsOfFile: path(name), encoding: .utf8)
    let copy = scratch.path("ride.recording")
    try Data(change(text).utf8).write(to: URL(fileURLWithPath: copy))
    return copy
  }

  /// The first line of a recording with a text, from 1.
  private static func line(of text: String, in name: String) throws -> Int {
    let lines = try String(contentsOfFile: path(name), encoding: .utf8).split(separator: "\n")
    return try #require(lines.firstIndex { $0.contains(text) }) + 1
  }

  @Test("replay decides it again and tells its events")
  func text() throws {
    let answer = try Program.run(["replay", Self.path("ride")])
    #expect(answer.code == 0)
    #expect(answer.errors.isEmpty)
    try Golden.expect(answer.output, is: "replay-recording")
  }

  @Test("As JSON lines every event follows the schema")
  func lines() throws {
    let answer = try Program.run(["replay", "--why", "--format", "jsonl", Self.path("ride")])
    let documents = try answer.documents()
    let validator = try SchemaValidator("replay-event")
    #expect(documents.flatMap(validator.errors(in:)).isEmpty)
    #expect(documents.count { $0["event"] as? String == "verdict" } == 5)
    #expect(documents.count { $0["event"] as? String == "launch" } == 1)
    #expect(documents.last?["same"] as? Bool == true)
    #expect(documents.last?["inputs"] as? Int == 53)
    #expect(documents.last?["effects"] as? Int == 78)
    #expect(documents.last?["deliveries"] as? Int == 5)
    #expect(Set(documents.compactMap { $0["app"] as? String }) == ["walker"])
  }

  @Test("A recording of a service that had been restarted begins with its engine")
  func resumed() throws {
    let answer = try Program.run(["replay", Self.path("resumed")])
    #expect(answer.code == 0)
    // The purge after 700 s and the relaunch belong to an app that was registered before.
    #expect(answer.output.contains("walker: suspended to not running: purged"))
    #expect(answer.output.contains("walker: not running to background: relaunched by location"))
    #expect(answer.output.contains("Decided again, and the same: "))
    let scratch = try Scratch()
    let file = try Self.changed("resumed", in: scratch) {
      $0.replacing(
        "\"engine\":{\"engine\":{\"apps\"", with: "\"engine\":{\"engine\":{\"programs\"")
    }
    #expect(
      try Program.run(["replay", file]).errors == """
        milepost: error: ride.recording:1: release 0.1.0 kept what the service begins with in another \
        form ('service.stored.engine.engine.apps' is missing); replay it with that release

        """)
  }

  @Test("A recording of the first form is refused with the release that reads it")
  func firstForm() throws {
    let scratch = try Scratch()
    let file = try scratch.write(
      "old.recording",
      """
      {"class":"MILEPOST_RECORDING","version":1,"release":"0.1.0"}
      {"at_us":1,"input":"time_passed","commands":[]}

      """)
    for command in ["replay", "compare", "score"] {
      let answer = try Program.run(
        [command, file] + (command == "score" ? [Package.trace("walk.nmea")] : []))
      #expect(answer.code == 2)
      #expect(
        answer.errors == """
          milepost: error: old.recording:1: a recording of version 1, and this release reads version 4; \
          replay it with release 0.1.0, which made it

          """)
    }
    let answer = try Program.run(["info", file])
    #expect(answer.code == 2)
    #expect(answer.errors.contains("read it with release 0.1.0, which made it"))
  }

  @Test("--why-at explains each app at an instant, as the service would have")
  func why() throws {
    // Six minutes after the start: five after its first event, two before its next session ends.
    let arguments = ["replay", "--why-at", "2026-05-04T07:12:00Z", Self.path("ride")]
    let text = try Program.run(arguments)
    #expect(text.code == 0, "\(text.errors)")
    #expect(text.output.hasPrefix("walker at 2026-05-04T07:12:00.000Z\n"))
    #expect(text.output.contains("suspended, authorization always"))
    #expect(
      text.output.contains("2026-05-04T07:13:18.000Z"), "when the receiver is switched on next")
    let document = try #require(try Program.run(arguments + ["--json"]).documents().first)
    #expect(try SchemaValidator("explanation").errors(in: document).isEmpty)
    #expect(document["state"] as? String == "suspended")
    for (time, end) in [("2026-05-04T07:08:00Z", ""), ("2026-05-04T08:00:00Z", ", which ends at ")]
    {
      let outside = try Program.run(["replay", "--why-at", time, Self.path("ride")])
      #expect(outside.code == 2)
      #expect(outside.errors.contains("lies outside the recording\(end)"))
    }
  }

  @Test("Deliveries come out as a trace")
  func trace() throws {
    let answer = try Program.run(["replay", "--format", "csv", Self.path("ride")])
    #expect(answer.output.split(separator: "\n").count == 6)
  }

  @Test("Another decision is told with its line, and is the exit code 1")
  func difference() throws {
    let scratch = try Scratch()
    let file = try Self.changed("ride", in: scratch) {
      $0.replacing(
        "\"_1\":\"walker: event 1: ", with: "\"_1\":\"walker: event 9: ", maxReplacements: 1)
    }
    let line = try Self.line(of: "walker: event 1: ", in: "ride")
    let answer = try Program.run(["replay", file])
    #expect(answer.code == 1)
    #expect(answer.errors.isEmpty)
    let end = answer.output.split(separator: "\n").suffix(3)
    #expect(end.first == "Decided otherwise: ride.recording:\(line)")
    #expect(
      end.dropFirst().first
        == #"  recorded: {"effect":{"log":{"_0":"info","_1":"walker: event 9: the first position"}}}"#
    )
    #expect(
      end.last
        == #"  now:      {"effect":{"log":{"_0":"info","_1":"walker: event 1: the first position"}}}"#
    )
    let lines = try Program.run(["replay", "--format", "jsonl", file])
    #expect(lines.code == 1)
    let last = try #require(try lines.documents().last)
    #expect(try SchemaValidator("replay-event").errors(in: last).isEmpty)
    #expect(last["line"] as? Int == line)
  }

  @Test("A recording that was cut is read to its last whole line, and that is said")
  func cut() throws {
    let scratch = try Scratch()
    // The last line has 60 bytes, and the one before it 73.
    let half = try Self.changed("ride", in: scratch) { String($0.dropLast(80)) }
    let answer = try Program.run(["replay", half])
    #expect(answer.code == 0)
    #expect(answer.output.contains("Decided again, and the same: 52 inputs"))
    #expect(
      answer.errors == """
        milepost: ride.recording: cut after line 168: 53 bytes of the next are left over and not read

        """)
    let whole = try Self.changed("ride", in: scratch) {
      $0.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    }
    #expect(
      try Program.run(["replay", whole]).errors == """
        milepost: ride.recording: ends after line 169 without its last line: its recorder was ended \
        before it could write it

        """)
  }

  @Test("A damaged line is an error with its place")
  func damaged() throws {
    let scratch = try Scratch()
    let file = try Self.changed("ride", in: scratch) {
      $0.replacing("\"timePassed\"", with: "\"timePast\"", maxReplacements: 1)
    }
    let answer = try Program.run(["replay", file])
    #expect(answer.code == 2)
    #expect(
      answer.errors
        == "milepost: error: ride.recording:\(try Self.line(of: "timePassed", in: "ride")): 'input' is of no "
        + "kind that is known here\n")
  }

  @Test("compare takes one whose receiver stayed on, and refuses another with the reason")
  func compare() throws {
    let whole = try Program.run(["compare", "--worlds", "1", "--json", Self.path("observed")])
    #expect(whole.code == 0)
    let document = try #require(try whole.documents().first)
    #expect(try SchemaValidator("compare").errors(in: document).isEmpty)
    #expect((document["trace"] as? [String: Any])?["fixes"] as? Int == 60)
    let holed = try Program.run(["compare", "--worlds", "1", Self.path("ride")])
    #expect(holed.code == 2)
    #expect(
      holed.errors == """
        milepost: error: ride.recording:45: the receiver was switched off at 2026-05-04T07:08:18.000Z, \
        so nobody knows where the device was meanwhile, and no other mode can be tried on it; milepost \
        track --observe keeps the receiver on (milepost replay decides this recording again)

        """)
  }

  @Test("info names it and counts its fixes, also from standard input")
  func info() throws {
    let scratch = try Scratch()
    let answer = try Program.shell("$MILEPOST info --json - < '\(Self.path("ride"))'", in: scratch)
    let document = try #require(try answer.documents().first)
    #expect(try SchemaValidator("info").errors(in: document).isEmpty)
    #expect(document["format"] as? String == "recording")
    #expect(document["fixes"] as? Int == 5)
    let text = try Program.run(["info", Self.path("ride")]).output
    #expect(text.contains("format      recording of the service"))
  }

  @Test("Options that would change its inputs or its policy are refused")
  func options() throws {
    for option in [["--policy", "ios"], ["--truth", "none"], ["--radio-log", "x"]] {
      let answer = try Program.run(["replay"] + option + [Self.path("ride")])
      #expect(answer.code == 2)
      #expect(
        answer.errors == """
          milepost: error: ride.recording: a recording, which holds its own inputs, rules and policy; \
          leave \(option[0]) out

          """)
    }
    let events = try Program.run([
      "score", Package.trace("walk.nmea"), Self.path("ride"),
    ])
    #expect(events.code == 2)
    #expect(events.errors.contains("milepost replay --format jsonl"))
  }
}
