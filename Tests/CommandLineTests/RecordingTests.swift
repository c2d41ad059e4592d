// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Recordings of the engine")
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
    #expect(documents.last?["inputs"] as? Int == 21)
    #expect(documents.last?["deliveries"] as? Int == 5)
  }

  @Test("A recording of a service that had been restarted begins with its engine")
  func resumed() throws {
    let answer = try Program.run(["replay", Self.path("resumed")])
    #expect(answer.code == 0)
    // The purge after 700 s and the relaunch belong to an app that was registered before.
    #expect(answer.output.contains("1: suspended → not running: purged"))
    #expect(answer.output.contains("Decided again, and the same: 8 inputs"))
    let scratch = try Scratch()
    let file = try Self.changed("resumed", in: scratch) {
      $0.replacing("\\\"apps\\\"", with: "\\\"programs\\\"", maxReplacements: 1)
    }
    #expect(
      try Program.run(["replay", file]).errors == """
        milepost: error: ride.recording:1: the recording begins with an engine that had been running, \
        and release 0.1.0 kept it in another form; replay it with that release

        """)
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
        "\"outcome\":\"delivered\"", with: "\"outcome\":\"too_close\"", maxReplacements: 1)
    }
    let answer = try Program.run(["replay", file])
    #expect(answer.code == 1)
    #expect(answer.errors.isEmpty)
    let end = answer.output.split(separator: "\n").suffix(3)
    #expect(end.first == "Decided otherwise: ride.recording:7: command 1")
    #expect(end.dropFirst().first?.contains("\"outcome\":\"too_close\"") == true)
    #expect(end.last?.contains("\"outcome\":\"delivered\"") == true)
    let lines = try Program.run(["replay", "--format", "jsonl", file])
    #expect(lines.code == 1)
    let last = try #require(try lines.documents().last)
    #expect(try SchemaValidator("replay-event").errors(in: last).isEmpty)
    #expect(last["line"] as? Int == 7)
  }

  @Test("A recording that was cut is read to its last whole line, and that is said")
  func cut() throws {
    let scratch = try Scratch()
    let half = try Self.changed("ride", in: scratch) { String($0.dropLast(60)) }
    let answer = try Program.run(["replay", half])
    #expect(answer.code == 0)
    #expect(answer.output.contains("Decided again, and the same: 20 inputs"))
    #expect(
      answer.errors == """
        milepost: ride.recording: cut after line 21: 146 bytes of the next are left over and not read

        """)
    let whole = try Self.changed("ride", in: scratch) {
      $0.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
    }
    #expect(
      try Program.run(["replay", whole]).errors == """
        milepost: ride.recording: ends after line 22 without its last line: its recorder was ended \
        before it could write it

        """)
  }

  @Test("A damaged line is an error with its place")
  func damaged() throws {
    let scratch = try Scratch()
    let file = try Self.changed("ride", in: scratch) {
      $0.replacing("\"time_passed\"", with: "\"time_past\"", maxReplacements: 1)
    }
    let answer = try Program.run(["replay", file])
    #expect(answer.code == 2)
    #expect(
      answer.errors
        == "milepost: error: ride.recording:6: the input 'time_past' is not known here\n")
  }

  @Test("compare takes one whose receiver stayed on, and refuses another with the reason")
  func compare() throws {
    let whole = try Program.run(["compare", "--json", Self.path("observed")])
    #expect(whole.code == 0)
    let document = try #require(try whole.documents().first)
    #expect(try SchemaValidator("compare").errors(in: document).isEmpty)
    #expect((document["trace"] as? [String: Any])?["fixes"] as? Int == 60)
    let holed = try Program.run(["compare", Self.path("ride")])
    #expect(holed.code == 2)
    #expect(
      holed.errors == """
        milepost: error: ride.recording:7: the receiver was switched off at 2026-05-04T07:08:18.000Z \
        (the next session is awaited), so nobody knows where the device was meanwhile, and no other \
        mode can be tried on it; milepost track --observe keeps the receiver on (milepost replay \
        decides this recording again)

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
    #expect(text.contains("format      recording of the engine"))
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
