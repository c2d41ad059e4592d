// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("info, convert and profiles")
struct InfoTests {
  @Test("What info says of a log with a week rollover is what was reviewed")
  func text() throws {
    let answer = try Program.run(["info", Package.trace("week-rollover.nmea")])
    #expect(answer.code == 0)
    try Golden.expect(answer.output, is: "info-week-rollover")
  }

  @Test(
    "Documents follow their schema, and what was read is what was used and skipped",
    arguments: [
      "walk.nmea", "cold-start.nmea", "new-year-night.nmea", "bus.gpsd.json", "train.gpx",
      "walk.truth.csv",
    ])
  func documents(trace: String) throws {
    let document = try #require(
      try Program.run(["info", "--json", Package.trace(trace)]).documents().first)
    #expect(try SchemaValidator("info").errors(in: document).isEmpty)
    let skipped = document["skipped"] as? [String: Int] ?? [:]
    let used = document["used"] as? Int ?? -1
    #expect(document["read"] as? Int == skipped.values.reduce(used, +))
  }

  @Test(
    "Times that run backwards are said, with the first and the last, and nothing is reckoned of them"
  )
  func backwards() throws {
    let trace =
      "time,latitude,longitude\n2026-05-04T10:00:09Z,45,13\n2026-05-04T10:00:05Z,45.001,13\n"
      + "2026-05-04T10:00:01Z,45.002,13\n"
    let text = try Program.run(["info", "-"], input: trace).output
    #expect(
      text.contains(
        "span        2026-05-04T10:00:01.000Z to 2026-05-04T10:00:09.000Z, backwards (2 steps back in\n"
          + "              time): put the fixes in the order of time\n"))
    #expect(text.contains("distance    not known, as times run backwards\n"))
    #expect(text.contains("sampling    not known, as times run backwards\n"))
    let document = try #require(
      try Program.run(["info", "--json", "-"], input: trace).documents().first)
    #expect(try SchemaValidator("info").errors(in: document).isEmpty)
    #expect(document["start"] as? String == "2026-05-04T10:00:01.000Z")
    #expect(document["duration_s"] is NSNull && document["distance_m"] is NSNull)
  }

  @Test("No control character of a trace reaches the terminal, wherever it stands")
  func steering() throws {
    let names = "\u{1B}]0;owned\u{7}\u{0}\u{9B}31m"
    let csv =
      "time,latitude,longitude,\(names)\n2026-05-04T10:00:00Z,45,13,1\n2026-05-04T10:00:01Z,45,13,2\n"
    let json =
      #"{"class":"\u001b[2J\u0007","mode":3}"# + "\n"
      + #"{"class":"TPV","mode":3,"time":"2026-05-04T07:08:09.000Z","lat":45.5,"lon":13.25}"# + "\n"
    for trace in [csv, json] {
      let output = try Program.run(["info", "-"], input: trace).output
      let controls = output.unicodeScalars.filter {
        $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value)
      }
      #expect(controls.isEmpty, "\(output)")
      // An unknown column is nothing to tell; an unknown class is.
      #expect(output.contains("?") == (trace == json), "\(output)")
    }
  }

  @Test("The jumps that compare leaves out are listed by their lines")
  func jumps() throws {
    var trace = "time,latitude,longitude\n"
    for second in 10..<60 {
      trace += "2026-05-04T10:00:\(second)Z,\((30..<33).contains(second) ? "45.1" : "45.0"),13\n"
    }
    let text = try Program.run(["info", "-"], input: trace).output
    // The line of second 10 is the second one.
    #expect(
      text.contains(
        "a position where the device cannot have been, as those around it say; a replay leaves\n"
          + "              it out (3 times): lines 22 to 24\n"), "\(text)")
    let document = try #require(
      try Program.run(["info", "--json", "-"], input: trace).documents().first)
    #expect(try SchemaValidator("info").errors(in: document).isEmpty)
  }

  @Test("Points without times have a distance, and no sampling")
  func untimed() throws {
    // A hundredth of a degree along a meridian at 45° is 1,111.3 m on the ellipsoid.
    let points = ["45", "45.01", "45.02"].map { "<wpt lat=\"\($0)\" lon=\"13\"/>" }.joined()
    let trace = "<gpx version=\"1.1\">\(points)</gpx>"
    let text = try Program.run(["info", "-"], input: trace).output
    #expect(text.contains("distance    2.2 km\n"))
    #expect(text.contains("sampling    no times\n"))
    let document = try #require(
      try Program.run(["info", "--json", "-"], input: trace).documents().first)
    #expect(abs((document["distance_m"] as? Double ?? .nan) - 2_222.6) < 1)
  }

  @Test("A trace that cannot be read takes nothing away from those before it")
  func several() throws {
    let walk = Package.trace("walk.nmea")
    let answer = try Program.run(["info", walk, "nowhere.gpx"])
    #expect(answer.code == 2)
    #expect(try answer.output == Program.run(["info", walk]).output)
    #expect(
      answer.errors == "milepost: error: nowhere.gpx: no such file; check the path\n"
        + "milepost: error: 1 of 2 traces failed; what is told is of the others\n")
  }

  @Test("A trace without a fix is told about, with exit code 1")
  func empty() throws {
    let answer = try Program.run(
      ["info", "-"], input: "$GPRMC,101010.00,V,,,,,,,040526,,,N*79\n")
    #expect(answer.code == 1)
    #expect(answer.output.contains("fixes       0 and 1 epoch without a position"))
  }

  @Test(
    "Conversions keep fixes and say what is lost", arguments: ["nmea", "geojson", "csv", "jsonl"])
  func convert(format: String) throws {
    let scratch = try Scratch()
    let path = scratch.path("out.\(format)")
    let answer = try Program.run(["convert", Package.trace("train.gpx"), "-o", path])
    #expect(answer.code == 0)
    #expect(answer.output.isEmpty)
    #expect(answer.errors.contains("fixes written as \(format)"))
    let before = try Program.run(["info", "--json", Package.trace("train.gpx")]).documents()
    let after = try Program.run(["info", "--json", path]).documents()
    for key in ["fixes", "start", "end"] {
      #expect("\(before[0][key] ?? "?")" == "\(after[0][key] ?? "!")")
    }
    #expect(after[0]["format"] as? String == format)
  }

  @Test("Conversions tell with counts what was read and is not kept")
  func dropped() throws {
    let point = """
      <trkpt lat="45" lon="13"><ele>1,5</ele><time>2026-05-04T10:00:00Z</time><extensions><hr>90</hr>
      </extensions></trkpt>
      """
    let answer = try Program.run(
      ["convert", "-", "--to", "nmea"],
      input: "<gpx version=\"1.1\"><wpt lat=\"45\" lon=\"13\"/><trk><name>Run</name><trkseg>"
        + "\(point)\(point)</trkseg></trk></gpx>")
    #expect(answer.code == 0)
    #expect(
      answer.errors.hasPrefix(
        """
        milepost: stdin: 2 fixes written as nmea
        milepost: stdin: skipped: waypoint beside a track 1
        milepost: stdin: left out: ele is '1,5', not a number (decimals need a point, not a comma) (2 times)
        milepost: stdin: the time is the same as that of the point before (1 time)
        milepost: stdin: not in a trace, left out: hr 2, name 1
        milepost: stdin: not kept: ends of segments 1, fixes with the time and the place of the one \
        before, which come back as one 1

        """))
  }

  @Test("A conversion says what is odd, and one without a fix leaves the file as it was")
  func odd() throws {
    let scratch = try Scratch()
    let path = scratch.path("kept.csv")
    let head = "time,lat,lon\n"
    let first = try Program.run(
      ["convert", "-", "-o", path], input: head + "2026-05-04 10:00:00,1,2\n")
    #expect(
      first.errors == """
        milepost: stdin: 1 fix written as csv
        milepost: stdin: times without a zone were read as UTC (1 time)

        """)
    let kept = try String(contentsOfFile: path, encoding: .utf8)
    let none = try Program.run(
      ["convert", "-", "-o", path], input: head + "04/05/2026 07:08:09,1,2\n")
    #expect(none.code == 1)
    #expect(
      none.errors == """
        milepost: stdin: 0 fixes written as csv, so that '\(path)' stays as it was
        milepost: stdin: skipped: time not understood 1; line 2: the time is '04/05/2026 07:08:09'; it should look \
        like 2026-05-04T07:08:09Z

        """)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == kept)
  }

  @Test("A file that cannot be read is told of, and the others are shown")
  func goesOn() throws {
    let answer = try Program.run(["info", "no-such.gpx", Package.trace("train.gpx")])
    #expect(answer.code == 2)
    #expect(answer.output.hasPrefix("train.gpx\n"))
    #expect(
      answer.errors == "milepost: error: no-such.gpx: no such file; check the path\n"
        + "milepost: error: 1 of 2 traces failed; what is told is of the others\n")
  }

  @Test("A conversion that loses nothing says nothing of losses")
  func lossless() throws {
    let answer = try Program.run(
      ["convert", "-", "--to", "gpx"],
      input: "time,lat,lon\n2026-05-04T10:00:00Z,1,2\n2026-05-04T10:00:01Z,1,2\n")
    #expect(answer.errors == "milepost: stdin: 2 fixes written as gpx\n")
  }

  @Test("What comes through a pipe is converted as it comes, long before 64 KiB are there")
  func liveConversion() throws {
    // The pipe stays open until the first row has come; a reader that waits in vain for it reads nothing.
    let answer = try Program.shell(
      """
      coproc "$MILEPOST" convert --quiet --to csv -
      exec {in}>&"${COPROC[1]}" {out}<&"${COPROC[0]}"
      eval "exec ${COPROC[1]}>&-"
      head -n 20 '\(Package.trace("walk.nmea"))' >&"$in"
      read -r -t 60 header <&"$out"
      read -r -t 60 row <&"$out"
      echo "$row"
      exec {in}>&-
      grep -c gnss <&"$out"
      """, in: Scratch())
    // The first epoch of the log: 14:02:30, 20° 11.01619′ S.
    let lines = answer.output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("2026-04-11T14:02:30.000Z,-20.1836") == true)
    // The 20 lines hold five epochs that are whole.
    #expect(lines.last == "4")
  }

  @Test("The largest numbers there are end no command")
  func largest() throws {
    let rows = "time,lat,lon,accuracy,speed\n2026-05-04T10:00:00Z,1,2,1e308,1.7e308\n"
    for format in [[], ["--json"]] {
      let answer = try Program.run(
        ["info", "-"] + format, input: rows + "2026-05-04T10:00:01Z,1,2,1e308,1.7e308\n")
      #expect(answer.code == 0)
    }
  }

  @Test("Points keep their lack of times in a conversion")
  func timeless() throws {
    let answer = try Program.run(
      ["convert", "-", "--to", "csv", "--quiet"],
      input: "<gpx version=\"1.1\"><wpt lat=\"45\" lon=\"13\"/></gpx>")
    #expect(answer.code == 0)
    #expect(answer.errors.isEmpty)
    #expect(answer.output.contains("45"))
  }

  @Test(
    "What a format cannot say is not counted as written, and nothing written is a negative answer")
  func leftOut() throws {
    let point = "<wpt lat=\"45\" lon=\"13\"/>"
    let none = try Program.run(
      ["convert", "-", "--to", "nmea"], input: "<gpx version=\"1.1\">\(point)\(point)</gpx>")
    #expect(none.code == 1)
    #expect(none.output.isEmpty)
    #expect(
      none.errors.hasPrefix(
        "milepost: stdin: 0 fixes written as nmea\nmilepost: stdin: left out: 2 fixes without a time, "
          + "which nmea needs (--point-interval gives times to points)\n"))
    let timed = "<wpt lat=\"45\" lon=\"13\"><time>2026-05-04T10:00:00Z</time></wpt>"
    let one = try Program.run(
      ["convert", "-", "--to", "nmea"], input: "<gpx version=\"1.1\">\(point)\(timed)</gpx>")
    #expect(one.code == 0)
    #expect(one.errors.hasPrefix("milepost: stdin: 1 fix written as nmea\n"))
    #expect(one.errors.contains("left out: 1 fix without a time"))
    // One RMC sentence per fix.
    #expect(one.output.split(separator: "\n").count { $0.hasPrefix("$GPRMC") } == 1)
  }

  @Test("Profiles are listed as was reviewed, and documents follow their schemas")
  func profiles() throws {
    try Golden.expect(Program.run(["profiles", "list"]).output, is: "profiles-list")
    let list = try Program.run(["profiles", "list", "--json"]).documents()
    #expect(list.flatMap((try SchemaValidator("profiles")).errors(in:)).isEmpty)
    for name in ["phone-2021-lte", "lte-aro"] {
      let shown = try Program.run(["profiles", "show", name, "--json"]).documents()
      #expect(shown.flatMap((try SchemaValidator("profile")).errors(in:)).isEmpty)
    }
  }

  @Test("A profile of one's own is checked: a good one passes, a bad one is told line by line")
  func check() throws {
    let scratch = try Scratch()
    let text = try Program.run(["profiles", "show", "phone-2021-lte", "--file"]).output
      .replacingOccurrences(of: "name,phone-2021-lte", with: "name,mine")
    let good = try scratch.write("mine.csv", text)
    let fine = try Program.run(["profiles", "check", good])
    #expect(fine.code == 0)
    #expect(fine.output == "mine.csv: nothing is wrong with this profile\n")
    #expect(
      try Program.run(["compare", "--worlds", "1", "--profile", good, Package.trace("walk.nmea")])
        .code == 0)
    let bad = try scratch.write(
      "mine.csv", text.replacingOccurrences(of: "motion,yes", with: "motion,perhaps"))
    let refused = try Program.run(["profiles", "check", bad])
    #expect(refused.code == 1)
    #expect(refused.output.hasPrefix("mine.csv:7: profile,motion: "))
    #expect(refused.output.hasSuffix("allowed: yes, no\n"))
    let other = try Program.run(["profiles", "check", Package.trace("car-commute.gpx")])
    #expect(other.code == 1)
    let lines = other.output.split(separator: "\n")
    #expect(lines.count == 21 && lines.last?.hasSuffix(" more; --json has all") == true)
    let document = try Program.run(["profiles", "check", "--json", bad]).documents()
    #expect(document.flatMap((try SchemaValidator("profile-check")).errors(in:)).isEmpty)
    #expect(document.first?["ok"] as? Bool == false)
  }
}
