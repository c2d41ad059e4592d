// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("milepost test")
struct TestCommandTests {
  private static let folder = Package.root.appendingPathComponent("Traces/scenarios").path

  private static func path(_ name: String) -> String { "\(folder)/\(name).yaml" }

  /// A scenario of a significant-change app over the car's drive.
  private func file(_ expect: String, in scratch: Scratch) throws -> String {
    let path = scratch.path("drive.yaml")
    let text = """
      scenario: A drive
      places:
        start: {lat: -23.412035, lon: 15.047971, radius: 300 m}
      apps:
        - name: walker
          authorization: always
          on launch: start significant
          on location: work 1 s
      then:
        - at: 0 s
          do: open walker
        - at: 60 s
          do: home
      \(expect)
      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test(
    "What the shipped scenarios expect holds",
    arguments: [
      "android-geofence", "duty-cycle", "feed", "reboot", "reminders", "social", "van", "voip",
    ])
  func shipped(name: String) throws {
    let answer = try Program.run(["test", Self.path(name)])
    #expect(answer.code == 0, "\(answer.output)\(answer.errors)")
    #expect(answer.output.contains("  ok      "))
    #expect(!answer.output.contains("FAILED"))
  }

  @Test("One that is broken on purpose fails, with the account around it and exit code 1")
  func broken() throws {
    let scratch = try Scratch()
    let path = try file(
      """
      expect:
        - woken within 30 s of leaving start
        - at most 1 wakes
        - at most 100 kJ
      """, in: scratch)
    let report = scratch.path("report.xml")
    let answer = try Program.run([
      "test", "--worlds", "5", "--junit", report, path, Package.trace("car-commute.gpx"),
    ])
    #expect(answer.code == 1)
    #expect(answer.errors == "")
    try Golden.expect(answer.output, is: "test-broken")
    try Golden.expect(
      try String(contentsOfFile: report, encoding: .utf8), is: "test-broken-junit")
    let check = try Program.shell(
      "python3 -c \"import sys, xml.etree.ElementTree as t; r = t.parse('\(report)').getroot(); "
        + "print(len(r.findall('.//testcase')), len(r.findall('.//failure')))\"", in: scratch)
    #expect(check.output == "3 2\n", "\(check.errors)")
  }

  @Test(
    "A scenario of Android is tested in each of its releases, and what fails is told with its account"
  )
  func android() throws {
    let scratch = try Scratch()
    let path = scratch.path("drive.yaml")
    try """
    platform: android
    releases: [android10, android14]
    places:
      start: {lat: -23.412035, lon: 15.047971, radius: 300 m}
    apps:
      - name: tracker
        permission: while_in_use
        on push: [foreground service, request high_accuracy every 1 s]
        expect: [woken within 10 min of leaving start, relaunched after the reboot]
      - name: quiet
        permission: denied
        on push: [foreground service, request balanced every 30 s]
        expect: never while denied
    then:
      - at: 0 s
        do: [open tracker, home]
      - on leaving: start
        do: [push to tracker, push to quiet]
    expect: at most 1000 kJ
    """.write(toFile: path, atomically: true, encoding: .utf8)
    let answer = try Program.run([
      "test", "--worlds", "2", path, Package.trace("car-commute.gpx"),
    ])
    #expect(answer.code == 1)
    #expect(answer.errors == "")
    try Golden.expect(answer.output, is: "test-android")
  }

  @Test("Of several files one that cannot be tested is said, and the others are tested")
  func severalFiles() throws {
    let scratch = try Scratch()
    let other = try Scratch()
    let bare = try file("", in: scratch)
    let good = try file("expect: at most 100 kJ", in: other)
    let trace = Package.trace("car-commute.gpx")
    let report = scratch.path("report.xml")
    let some = try Program.run(["test", "--worlds", "1", "--junit", report, bare, good, trace])
    #expect(some.code == 1)
    #expect(some.output.hasSuffix("The expectation holds.\n"), "\(some.output)")
    let fault = "\(bare): it expects nothing; say what must hold, as in expect: [at most 30 J]"
    #expect(
      some.errors == """
        milepost: error: \(fault)
        milepost: 1 of 2 files could not be tested, as said above

        """)
    let listed = try String(contentsOfFile: report, encoding: .utf8)
    #expect(listed.contains("      <error message=\"\(fault)\"/>\n"), "\(listed)")
    let json = try Program.run(["test", "--json", "--worlds", "1", bare, good, trace])
    #expect(json.output.contains(#""reason":"\#(fault)""#), "\(json.output)")
    let none = try Program.run([
      "test", "--worlds", "1", "--junit", report, bare, bare, trace,
    ])
    #expect(none.code == 2)
    #expect(none.output == "")
    #expect(none.errors == "milepost: error: \(fault)\nmilepost: error: \(fault)\n")
    let both = try String(contentsOfFile: report, encoding: .utf8)
    #expect(both.split(separator: "<error ").count == 3, "\(both)")
  }

  @Test("What took the energy adds up to it")
  func energy() throws {
    let scratch = try Scratch()
    let path = try file("expect: at most 1 J", in: scratch)
    let answer = try Program.run([
      "test", "--json", "--worlds", "1", path, Package.trace("car-commute.gpx"),
    ])
    #expect(answer.code == 1)
    let found = try JSONDecoder().decode(Found.self, from: Data(answer.output.utf8))
    let failure = try #require(found.suites.first?.expectations.first?.failure)
    let units = ["kJ": 1e3, "J": 1, "mJ": 1e-3]
    func joules(_ words: String) throws -> Double {
      let parts = words.split(separator: " ")
      return try #require(Double(parts[0])) * #require(units[String(parts[1])])
    }
    let parts = try failure.account.map(joules)
    let named = parts.dropLast()
    #expect(named.count > 1 && named.elementsEqual(named.sorted(by: >)), "\(failure.account)")
    // Each is told by two figures.
    let total = try joules(failure.reason)
    #expect(abs(parts.reduce(0, +) - total) < total / 20, "\(failure)")
  }

  /// Of `milepost test --json` what is looked at.
  private struct Found: Decodable {
    struct Suite: Decodable { var expectations: [Case] }
    struct Case: Decodable { var failure: Failure? }
    struct Failure: Decodable {
      var reason: String
      var account: [String]
    }
    var suites: [Suite]
  }

  @Test("A shipped one whose limits are broken on purpose says what happened instead")
  func brokenShipped() throws {
    let scratch = try Scratch()
    let path = scratch.path("reminders.yaml")
    try String(contentsOfFile: Self.path("reminders"), encoding: .utf8)
      .replacing("within 5 min", with: "within 1 min").replacing(
        "at most 600 J", with: "at most 6 J"
      )
      .write(toFile: path, atomically: true, encoding: .utf8)
    let answer = try Program.run(["test", path, Package.trace("mixed-day.gpx")])
    #expect(answer.code == 1)
    try Golden.expect(answer.output, is: "test-broken-reminders")
  }

  @Test("As JSON it has its schema, and says the same")
  func document() throws {
    let scratch = try Scratch()
    let path = try file(
      """
      expect:
        - woken within 30 s of leaving start
        - at most 100 kJ
      """, in: scratch)
    let answer = try Program.run([
      "test", "--json", "--worlds", "2", path, Package.trace("car-commute.gpx"),
    ])
    #expect(answer.code == 1)
    let document = try #require(try answer.documents().first)
    #expect(try SchemaValidator("test").errors(in: document) == [])
    try Golden.expect(answer.output, is: "test-json")
  }

  @Test("A sink is played by the service alone, and not by a program")
  func sink() throws {
    let answer = try Program.run(["scenario", "run", Self.path("van")])
    #expect(answer.code == 2)
    #expect(
      answer.errors
        == "milepost: error: \(Self.path("van")): timeline is a sink, which the service itself plays: "
        + "put its table below sinks in milepostd.yaml, and leave it out here\n")
  }

  @Test("A file that expects nothing, and one without a trace, say what is missing")
  func missing() throws {
    let scratch = try Scratch()
    let bare = try file("", in: scratch)
    #expect(
      try Program.run(["test", bare, Package.trace("car-commute.gpx")]).errors
        == "milepost: error: \(bare): it expects nothing; say what must hold, as in expect: [at most 30 J]\n"
    )
    let path = try file("expect: at most 1 J", in: scratch)
    let answer = try Program.run(["test", path])
    #expect(answer.code == 2)
    #expect(
      answer.errors
        == "milepost: error: \(path): over which trace? name one in the file (trace: drive.gpx) or as the last argument\n"
    )
    #expect(
      try Program.run(["test", Package.trace("car-commute.gpx")]).errors.hasPrefix(
        "milepost: error: no scenario's file is named; their names end in .yaml, .yml, .json\n"))
  }

  @Test(
    "What cannot be expected is answered with what can",
    arguments: [
      (
        "expect: [woken soon]",
        "expect[0]: 'woken soon' is nothing that an expectation does; it can go on as in 'woken within <time> of "
          + "leaving <place>', 'woken within <time> of reaching <place>'"
      ),
      (
        "expect: [woken within 5 min of leaving work]",
        "expect[0]: 'woken within 5 min of leaving work' does not go on as 'woken within <time> of "
          + "leaving <place>' does: 'work' is not one of start"
      ),
      ("expect: {at: most}", "expect: a table where a sentence was expected, as in at most 30 J"),
      ("eras: [ios8]", "eras[0]: 'ios8'"),
    ])
  func wrong(expect: String, words: String) throws {
    let scratch = try Scratch()
    let answer = try Program.run([
      "test", try file(expect, in: scratch), Package.trace("car-commute.gpx"),
    ])
    #expect(answer.code == 2)
    #expect(answer.errors.contains(words), "\(answer.errors)")
  }

  @Test("Each era that the file names is a suite of its own")
  func eras() throws {
    let scratch = try Scratch()
    let path = try file("eras: [ios7, today]\nexpect: at most 100 kJ", in: scratch)
    let answer = try Program.run([
      "test", "--worlds", "1", path, Package.trace("car-commute.gpx"),
    ])
    #expect(
      answer.output.split(separator: "\n").filter { $0.hasPrefix("drive.yaml") } == [
        "drive.yaml over car-commute.gpx, ios7", "drive.yaml over car-commute.gpx, today",
      ])
    #expect(answer.output.hasSuffix("All 2 expectations hold.\n"))
  }
}
