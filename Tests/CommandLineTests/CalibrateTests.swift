// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("milepost profiles calibrate")
struct CalibrateTests {
  private let scratch: Scratch
  private let trace: String
  private let log: String

  init() throws {
    scratch = try Scratch()
    // 100 s at 40 mA, 100 s at 60 mA, of 2 V: 80 mW and 120 mW; to and fro by 1 mA every ten seconds.
    let samples = (0...2_000).map { index in
      let noise = (index / 100) % 2 == 0 ? 1_000 : -1_000
      return "\(index * 100),\((index < 1_000 ? 40_000 : 60_000) + noise)"
    }
    trace = try scratch.write(
      "power.csv",
      (["Timestamp(ms),Current(uA)"] + samples).joined(separator: "\n") + "\n")
    log = try scratch.write(
      "log.jsonl",
      """
      {"at_s":0,"component":"soc","state":"suspended"}
      {"at_s":100,"component":"soc","state":"awake_idle"}
      {"at_s":200,"end":true}

      """)
  }

  private func expect(
    _ arguments: [String], says message: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let answer = try Program.run(["profiles", "calibrate"] + arguments)
    #expect(answer.code == 2, sourceLocation: sourceLocation)
    #expect(answer.output.isEmpty, sourceLocation: sourceLocation)
    #expect(answer.errors == "milepost: error: \(message)\n", sourceLocation: sourceLocation)
  }

  @Test("What it says of two states, word for word, and the file that it writes")
  func text() throws {
    let file = scratch.path("mine.csv")
    let answer = try Program.run([
      "profiles", "calibrate", trace, log, "--voltage", "2", "--profile", "phone-2021-lte",
      "--network",
      "lora-sf12", "--write", file,
    ])
    #expect(answer.code == 0)
    try Golden.expect(answer.output, is: "calibrate")
    #expect(
      answer.errors == "milepost: \(file): 2 rows from power.csv, the others from phone-2021-lte\n")
    let written = try String(contentsOfFile: file, encoding: .utf8)
    let title = "profile,name,mine\nprofile,title,mine (calibrated from phone-2021-lte)"
    #expect(written.contains(title))
    // s² = 20 × 2² / 18 = 4.444 mW²; the floor is a mean of ten windows: 0.6667 mW, and twice that aside.
    #expect(written.contains("\nfloor,suspended,power,80,78.66667,81.33333,mW,measured,fitted"))
    #expect(try Program.run(["profiles", "check", file]).code == 0)
  }

  @Test("What a modem draws goes into a network profile of its own")
  func network() throws {
    // Every 20 s a message: 1.5 s of connecting at 200 mW, 0.3 s of sending at 700, 10 s of waiting at 50; else 5.
    let samples = (0...6_000).map { index in
      let power =
        switch index % 200 {
        case 0..<15: 200
        case 15..<18: 700
        case 18..<118: 50
        default: 5
        }
      return "\(Double(index) / 10),\(power)"
    }
    let trace = try scratch.write(
      "modem.csv", (["Time (s),Power (mW)"] + samples).joined(separator: "\n"))
    let messages = (0..<30).map {
      "{\"at_s\":\($0 * 20),\"component\":\"cell\",\"upload_bytes\":0}\n"
    }
    let log = try scratch.write("modem.jsonl", messages.joined() + "{\"at_s\":600,\"end\":true}\n")
    let file = scratch.path("my-modem.csv")
    let answer = try Program.run([
      "profiles", "calibrate", trace, log, "--profile", "tracker-ltem-nrf9160", "--window", "0.5",
      "--write-network", file,
    ])
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(
      answer.errors == "milepost: \(file): 3 rows from modem.csv, the others from ltem-nrf9160\n")
    let written = try String(contentsOfFile: file, encoding: .utf8)
    // The floor has the 5 mW of idling; the rest belongs to the modem, and eDRX stays 0.0703 mW.
    for row in [
      "cell,rrc_connect,power,195", "cell,tx,base,695", "cell,cdrx,power,45",
      "cell,edrx,power,0.0703",
    ] {
      #expect(written.contains("\n\(row)"), "\(row) in \(written)")
    }
    #expect(try Program.run(["profiles", "check", file]).code == 0)
  }

  @Test("Its document is as its schema says")
  func json() throws {
    let answer = try Program.run([
      "profiles", "calibrate", trace, log, "--voltage", "2", "--json",
    ])
    #expect(answer.code == 0)
    let document = try JSONSerialization.jsonObject(with: Data(answer.output.utf8))
    #expect(try SchemaValidator("calibration").errors(in: document).isEmpty)
  }

  @Test("What is missing, and what is no measurement")
  func errors() throws {
    try expect(
      [trace, "--voltage", "2"],
      says:
        "power.csv: a power trace says what was drawn, but not for what; give the activity log as "
        + "well: milepost profiles calibrate power.csv activity.jsonl")
    try expect(
      [trace, log],
      says: "power.csv:1: this file states currents only; say at which voltage: --voltage 3.7")
    try expect(
      [log, trace],
      says: "log.jsonl: expected a power analyser's CSV (its first line is like "
        + "\"Timestamp(ms),Current(uA)\" or \"Time (s),Main Avg Current (mA)\") or what adb shell "
        + "dumpsys batterystats prints")
    try expect(
      [trace, trace, "--voltage", "2"],
      says: "power.csv:1: this is not JSON: byte 1, a value was expected")
    let wrong = try Program.run(["profiles", "calibrate", trace, log, "--offset", "much"])
    #expect(
      wrong.errors.hasPrefix(
        "milepost: error: --offset is 'much', expected auto or seconds from -1000000000 to 1000000000\n"
      ))
    try expect(
      [trace, log, "--voltage", "2", "--write", trace],
      says: "\(trace): is read and would be overwritten; name another file to write to")
    let stats = try scratch.write("stats.txt", "  Estimated power use (mAh):\n")
    try expect(
      [stats, log],
      says: "stats.txt: battery statistics hold their own times; leave the activity log away")
  }

  @Test("Clocks that differ: what would fit better is said, and auto takes it")
  func offset() throws {
    let arguments = ["profiles", "calibrate", trace, log, "--voltage", "2", "--offset"]
    let far = try Program.run(arguments + ["1000"])
    #expect(far.code == 2 && far.output.isEmpty)
    #expect(
      far.errors == """
        milepost: power.csv: --offset 0 would fit better
        milepost: error: power.csv: trace and log have 0 whole windows in common, too few to fit \
        anything (at least 11); record for longer, take a shorter --window, or say with --offset how \
        the clocks differ

        """)
    let found = try Program.run(arguments + ["auto"])
    #expect(found.code == 0)
    #expect(found.errors == "milepost: power.csv: --offset 0 fits best\n")
    let late = try scratch.write(
      "late.jsonl",
      """
      {"at_s":30,"component":"soc","state":"suspended"}
      {"at_s":130.4,"component":"soc","state":"awake_idle"}
      {"at_s":230,"end":true}

      """)
    let moved = try Program.run([
      "profiles", "calibrate", trace, late, "--voltage", "2", "--offset", "auto",
    ])
    #expect(moved.errors == "milepost: power.csv: --offset 30.4 fits best\n")
    #expect(moved.code == 0)
    let still = try scratch.write(
      "still.jsonl",
      "{\"at_s\":0,\"component\":\"soc\",\"state\":\"suspended\"}\n{\"at_s\":200,\"end\":true}\n")
    try expect(
      [trace, still, "--voltage", "2", "--offset", "auto"],
      says:
        "power.csv: no offset within 10 min brings trace and log together; say with --offset how the "
        + "clocks differ")
  }

  @Test("Battery statistics without any use of the receiver give nothing, with code 1")
  func nothing() throws {
    let stats = try scratch.write("stats.txt", "  Estimated power use (mAh):\n")
    let answer = try Program.run(["profiles", "calibrate", stats, "--profile", "phone-2021-lte"])
    #expect(answer.code == 1)
    #expect(
      answer.output.hasPrefix("stats.txt, against phone-2021-lte\n\nNothing could be fitted.\n"))
  }
}
