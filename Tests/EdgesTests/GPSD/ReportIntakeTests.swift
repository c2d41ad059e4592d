// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract
import Testing

@testable import GPSDSource

@Suite("What gpsd sends, as events")
struct ReportIntakeTests {
  static func events(
    _ text: String, chunk: Int = .max, passesLines: Bool = false
  ) -> [GPSDEvent] {
    var intake = ReportIntake(passesLines: passesLines)
    intake.beginConnection()
    var events: [GPSDEvent] = []
    let bytes = Array(text.utf8)
    var position = 0
    while position < bytes.count {
      let end = min(bytes.count, position + min(chunk, bytes.count))
      let part = Array(bytes[position..<end])
      _ = intake.read(bytes: part.span, at: .zero, into: &events)
      position = end
    }
    intake.flush(at: .zero, into: &events)
    return events
  }

  static func words(_ text: String) -> [String] { events(text).compactMap(\.words) }

  @Test("Every device gpsd names, five of them too; what leaves the list is closed")
  func devices() {
    let five = (1...5).map { #"{"class":"DEVICE","path":"/dev/\#($0)","activated":1.0}"# }
    let text =
      #"{"class":"DEVICES","devices":["# + five.joined(separator: ",") + "]}\n"
      + #"{"class":"DEVICES","devices":["# + five.dropLast().joined(separator: ",") + "]}\n"
      + #"{"class":"DEVICE","path":"/dev/1","activated":0}"# + "\n"
      + #"{"class":"DEVICE","path":"/dev/1","driver":"u-blox","activated":"2026-01-01T00:00:00Z"}"#
      + "\n" + #"{"class":"DEVICES","devices":[]}"# + "\n"
    #expect(
      Self.words(text) == [
        "gpsd opened /dev/1", "gpsd opened /dev/2", "gpsd opened /dev/3", "gpsd opened /dev/4",
        "gpsd opened /dev/5", "gpsd closed /dev/5: unplugged, or no longer wanted",
        "gpsd closed /dev/1: unplugged, or no longer wanted", "gpsd opened /dev/1 (u-blox)",
        "gpsd knows no receiver", "gpsd closed /dev/1: unplugged, or no longer wanted",
        "gpsd closed /dev/2: unplugged, or no longer wanted",
        "gpsd closed /dev/3: unplugged, or no longer wanted",
        "gpsd closed /dev/4: unplugged, or no longer wanted",
      ])
  }

  @Test("Control characters, which would steer a terminal or forge a line, are marked")
  func control() {
    let text =
      #"{"class":"DEVICE","path":"/dev/\u001b]0;x\u0007a\nb","driver":"\u009b2J","activated":1.0}"#
    #expect(Self.words(text + "\n") == ["gpsd opened /dev/?]0;x?a?b (?2J)"])
  }

  @Test("Troubles in plain words")
  func troubles() {
    #expect(
      Self.words(
        #"{"class":"VERSION","release":"3.17","rev":"1","proto_major":3,"proto_minor":12}"# + "\n")
        == [
          "gpsd 3.17 answers (protocol 3.12)",
          "gpsd 3.17, protocol 3.12, does not go with \(ProtocolSupport.library); what both know is read",
        ])
    #expect(
      Self.words(#"{"class":"ERROR","message":"Can't open /dev/x"}"# + "\n") == [
        "gpsd reports: Can't open /dev/x"
      ])
    #expect(Self.words("SSH-2.0\n").count == 1)
    #expect(
      Self.words("{}\n") == [
        "gpsd sent a line that is no report (it has no \"class\"); it was skipped"
      ])
    #expect(
      Self.words(#"{"class":"TPV","mode":1,"device":"a"}"# + "\n") == ["a has no fix"])
  }

  @Test("A line that libgps leaves alone is read from its text, and the difference is told once")
  func differences() {
    let line = #"{"class": "TPV","device":"a","mode":3,"lat":1.5,"lon":2.5}"# + "\n"
    let fast = line.replacing("2.5}", with: "2.5,\"speed\":3}")
    let events = Self.events(line + line + fast)
    #expect(
      events.compactMap(\.words) == [
        "libgps and gpsd's own line differ on TPV.class; the line is believed"
      ])
    #expect(events.count { if case .fix = $0 { true } else { false } } == 1)
  }

  @Test("libgps is asked when a connection brings a new field, and again on the next connection")
  func asked() {
    // An object in a report makes libgps 3.22 lose the position; a later gpsd may send one.
    func line(_ rest: String) -> String {
      #"{"class":"TPV","device":"a","mode":2"# + rest + #","lat":1.5,"lon":2.5}"# + "\n"
    }
    func told(_ lines: [String]) -> [GPSDEvent] {
      Self.events(lines.joined()).filter { if case .trouble = $0 { true } else { false } }
    }
    let odd = #","new":{"a":1}"#
    #expect(told([line("")]) == [])
    #expect(!told([line(odd)]).isEmpty)
    #expect(told([line(""), line(odd)]) == [])
    #expect(!told([line(""), line(odd + #","speed":3"#)]).isEmpty)
    var intake = ReportIntake(passesLines: false)
    var events: [GPSDEvent] = []
    for text in [line(""), line(odd)] {
      intake.beginConnection()
      _ = intake.read(bytes: Array(text.utf8).span, at: .zero, into: &events)
    }
    #expect(events.contains { if case .trouble(.unpackDiffers) = $0 { true } else { false } })
  }

  @Test("Lines are passed on, without their ends, where they are wanted, and else not")
  func lines() {
    func lines(_ passesLines: Bool) -> [GPSDEvent] {
      Self.events("x\r\n\r\n", passesLines: passesLines).filter { $0.words == nil }
    }
    #expect(lines(true) == [.line(Array("x".utf8))])
    #expect(lines(false) == [])
  }

  @Test("Rubbish is told at the first, second, fourth … line only")
  func flood() {
    #expect(Self.words(String(repeating: "x\n", count: 1_000)).count == 10)
  }

  @Test("A sky of 140 satellites is passed on, one of 141 is not", arguments: [140, 141])
  func satellites(count: Int) {
    let list = (1...count).map { #"{"PRN":\#($0),"used":true}"# }.joined(separator: ",")
    var intake = ReportIntake(passesLines: false, passesSky: true)
    intake.beginConnection()
    var events: [GPSDEvent] = []
    let line = Array(
      (#"{"class":"SKY","device":"/dev/a","satellites":["# + list + "]}\n").utf8)
    _ = intake.read(bytes: line.span, at: .zero, into: &events)
    let seen = events.compactMap { event -> Int? in
      if case .sky(let sky, _) = event { sky.satellites.count } else { nil }
    }
    #expect(seen == (count == 140 ? [140] : []))
  }

  @Test(
    "A sky without a signal is told each time, one with some is told after it, and the rest says nothing"
  )
  func signals() {
    func sky(_ rest: String) -> String { #"{"class":"SKY","device":"/dev/a",\#(rest)}"# + "\n" }
    let (none, some) = (#""satellites":[{"PRN":1,"ss":0}]"#, #""satellites":[{"PRN":1,"ss":31.5}]"#)
    func told(_ skies: String...) -> [Bool] {
      Self.events(skies.map(sky).joined()).compactMap {
        if case .signal(let isHeard) = $0 { isHeard } else { nil }
      }
    }
    #expect(told(some, some) == [], "as is believed anyway")
    #expect(told(none, none, some, some, none) == [false, false, true, false])
    #expect(told(#""nSat":0,"uSat":0"#) == [false])
    // Dilutions alone, and satellites without a strength, show nothing; a used one is heard.
    #expect(told(none, #""hdop":1.1"#, #""satellites":[{"PRN":1}]"#) == [false])
    #expect(told(none, #""satellites":[{"PRN":1,"used":true}]"#) == [false, true])
  }

  @Test("A sensor of attitude tells a heading; the declination is told where it is news")
  func headings() {
    // The reports are gpsd's own examples (gpsd_json(5)), shortened.
    let events = Self.events(
      #"""
      {"class":"ATT","time":"2022-02-23T21:23:49.000Z","device":"/dev/a","heading":14223.0,"pitch":169.0}
      {"class":"ATT","time":"2022-02-23T21:23:49.000Z","device":"/dev/a","heading":359.5,"mag_st":"N"}
      {"class":"ATT","device":"/dev/a","mheading":360}
      {"class":"ATT","device":"/dev/a","pitch":1}
      {"class":"TPV","device":"/dev/a","mode":1,"magvar":3.5}
      {"class":"TPV","device":"/dev/a","mode":1,"magvar":3.55}
      {"class":"TPV","device":"/dev/a","mode":1,"magvar":3.6}
      {"class":"TPV","device":"/dev/a","mode":1,"magvar":999}

      """#)
    let told = events.filter {
      switch $0 {
      case .heading, .declination: true
      default: false
      }
    }
    // 2022-02-23 is 19,046 days after 1970.
    let time = UTCInstant(microseconds: (19_046 * 86_400 + 77_029) * 1_000_000)
    #expect(
      told == [
        .heading(Heading(time: time, trueNorth: 359.5, source: .compass), device: "/dev/a"),
        .heading(
          Heading(time: nil, trueNorth: nil, magneticNorth: 0, source: .compass), device: "/dev/a"),
        .declination(3.5), .declination(3.6),
      ])
  }

  @Test("Any cutting of the stream gives the same events")
  func cuts() {
    let text =
      FakeGPSD.version + "\n" + GPSDSourceTests.tpv + "rubbish\n" + GPSDSourceTests.tpv
      + #"{"class":"SKY","device":"/dev/a","hdop":1.1,"satellites":[{"PRN":1,"used":true}]}"# + "\n"
    let whole = Self.events(text, passesLines: true)
    #expect(whole.count { if case .line = $0 { true } else { false } } == 5)
    for chunk in 1...80 {
      #expect(
        Self.events(text, chunk: chunk, passesLines: true) == whole, "chunks of \(chunk)")
    }
    #expect(!whole.contains { if case .trouble(.unpackDiffers) = $0 { true } else { false } })
  }
}
