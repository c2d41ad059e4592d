// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Errors say what, where, with which value and what to do, and end with code 2")
struct ErrorTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test("A file that is not there")
  func missing() throws {
    try Program.expect(
      ["compare", "--worlds", "1", "nowhere.gpx"], says: "nowhere.gpx: no such file; check the path"
    )
  }

  @Test("A root directory without /proc, in which no word of the command line can be read")
  func withoutProc() throws {
    for program in ["milepost walk.gpx", "milepostd --version"] {
      // Not everybody may have a mount of their own: 77 then.
      let answer = try Program.shell(
        """
        unshare --user --map-root-user --mount true || exit 77
        exec unshare --user --map-root-user --mount \
          sh -c 'mount -t tmpfs none /proc && exec "${MILEPOST%/*}"/\(program)'
        """, in: scratch)
      if answer.code == 77 { return }
      #expect(answer.code == 2 && answer.output.isEmpty, "\(program): \(answer)")
      #expect(answer.errors.contains("there is no /proc"), "\(program): \(answer.errors)")
    }
  }

  @Test("What was skipped of a trace is said by commands whose output has no place for it")
  func skipped() throws {
    let rows = (0..<120).map { "\(1_777_878_489 + $0),1,\(Double($0) / 10_000)" }
    let trace = try scratch.write(
      "walk.csv", "time,lat,lon\n" + rows.joined(separator: "\n") + "\n1777878700,x,2\n")
    let told =
      "walk.csv: skipped: coordinate not a number 1; line 122: latitude is 'x', not a number"
    for arguments in [
      ["replay"], ["compare", "--era", "all"], ["score", trace],
    ] {
      let answer = try Program.run(arguments + [trace])
      #expect(answer.errors.contains(told), "\(arguments): \(answer.errors)")
    }
  }

  @Test("A command that does not exist")
  func command() throws {
    try Program.expect(
      ["trip"],
      says:
        "there is no command 'trip'; commands: compare, replay, test, info, convert, score, meter, "
        + "profiles, anonymise, track, doctor, status, dash, history, web, explain, apps, sinks, "
        + "forget, scenario, schema, help (to compare the modes over a trace: milepost TRACE)")
    try Program.expect(["trip.gpx"], says: "trip.gpx: no such file; check the path")
    let commands = "; commands: list, show, check, import, calibrate"
    try Program.expect(
      ["profiles", "shwo"],
      says: "there is no command 'profiles shwo'; did you mean 'show'" + commands)
    try Program.expect(
      ["help", "profiles", "other"], says: "there is no command 'profiles other'" + commands)
  }

  @Test(
    "A command that is nearly one is guessed, and help names what it does not know",
    arguments: [
      ["compar", "a.gpx"], ["help", "compar"],
    ])
  func nearlyCommand(arguments: [String]) throws {
    let answer = try Program.run(arguments)
    #expect(answer.code == 2 && answer.output.isEmpty)
    #expect(
      answer.errors.hasPrefix(
        "milepost: error: there is no command 'compar'; did you mean 'compare'; commands: compare, "
      ))
  }

  @Test("Help that cannot be written is an error")
  func fullHelp() throws {
    let answer = try Program.shell("$MILEPOST compare --worlds 1 --help > /dev/full", in: scratch)
    #expect(answer.code == 2)
    #expect(answer.errors.contains("no space left on the device"), "\(answer.errors)")
  }

  @Test("A list of towers that is still compressed")
  func compressedTowers() throws {
    let script =
      "printf '\\037\\213\\010' > t.gz; echo 'towers: t.gz' > world.yaml; "
      + "$MILEPOST compare --worlds 1 --world world.yaml \(Package.trace("walk.nmea"))"
    let answer = try Program.shell("cd \(scratch.path("")) && \(script)", in: scratch)
    #expect(answer.code == 2 && answer.output.isEmpty)
    #expect(
      answer.errors
        == "milepost: error: t.gz: compressed with gzip, as OpenCelliD gives its lists; unpack it first: "
        + "gunzip -c FILE > towers.csv\n")
  }

  @Test("A power profile that is none")
  func powerProfile() throws {
    let path = try scratch.write("a.xml", "<gpx></gpx>")
    try Program.expect(
      ["profiles", "import", path],
      says: "\(path): this is XML, but no power profile: it has no <device> with <item name=\"…\">")
  }

  @Test("An imported profile has the name of its file, also behind a byte order mark")
  func importedName() throws {
    let xml = try scratch.write(
      "power.xml", "<device name=\"Android\"><item name=\"gps.on\">50</item></device>")
    let path = scratch.path("bike.csv")
    let made = try Program.run(["profiles", "import", xml, "-o", path])
    #expect(made.code == 0)
    #expect(made.errors.contains("check it with: milepost profiles check \(path)\n"))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("profile,name,bike\n"))
    try ("\u{FEFF}" + text).write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try Program.run(["profiles", "check", path]).code == 0)
    let other = try Program.run(["profiles", "import", xml, "-o", path, "--name", "car"])
    #expect(other.code == 2)
    #expect(
      other.errors.hasPrefix(
        "milepost: error: --name is 'car', but --output is called 'bike': a profile has the name of its "
          + "file\n"))
  }

  @Test("One form goes to standard output, and a policy is named once however it is written")
  func combinations() throws {
    let both = try Program.run(["compare", "a.gpx", "--json", "--card", "-"])
    #expect(
      both.errors.hasPrefix(
        "milepost: error: --details, --json, --csv, --html - and --card - each need standard "
          + "output; choose one\n"))
    let same = try Program.run(["compare", "a.gpx", "--html", "b", "--card", "b"])
    #expect(
      same.errors.hasPrefix("milepost: error: --card and --html name the same file, b; name two\n"))
    let twice = try Program.run([
      "compare", "--worlds", "1", "a", "--policy", "periodic=60,periodic=60.0",
    ])
    #expect(twice.code == 2)
    #expect(twice.errors.contains(": the policy 'periodic=60' is given twice\n"))
    let walk = Package.trace("walk.nmea")
    let blanks = try Program.run([
      "compare", "--worlds", "1", "--csv", "--policy", " ios, milepost ", walk,
    ])
    #expect(blanks.code == 0)
    #expect(
      try blanks.output
        == Program.run(["compare", "--worlds", "1", "--csv", "--policy", "ios,milepost", walk])
        .output)
  }

  @Test("A trace of gaps only")
  func gaps() throws {
    let segments = (0..<3).map {
      "<trkseg><trkpt lat=\"45\" lon=\"13.\($0)\"><time>2026-05-04T10:0\($0):00Z</time></trkpt></trkseg>"
    }
    let path = try scratch.write(
      "gaps.gpx", "<gpx version=\"1.1\"><trk>\(segments.joined())</trk></gpx>")
    try Program.expect(
      ["compare", "--worlds", "1", path],
      says:
        "gaps.gpx: nothing to judge: every step between its fixes is a gap (a segment's end, or more "
        + "than 120 s), in which nobody knows where the device was")
  }

  @Test("Points without times, and a log without a date, say which option helps")
  func noTimes() throws {
    let gpx = try scratch.write(
      "way.gpx",
      "<gpx version=\"1.1\"><wpt lat=\"45\" lon=\"13\"/><wpt lat=\"45.01\" lon=\"13\"/></gpx>")
    let first = try Program.run(["compare", "--worlds", "1", gpx])
    #expect(first.code == 2)
    #expect(first.errors.hasPrefix("milepost: error: way.gpx"))
    #expect(first.errors.contains("--point-interval"))
    #expect(try Program.run(["compare", "--worlds", "1", "--point-interval", "60", gpx]).code == 0)
    let nmea = try scratch.write(
      "undated.nmea",
      "$GPGGA,101010.00,4500.0000,N,01300.0000,E,1,08,1.0,10.0,M,,M,,*48\n"
        + "$GPGGA,101011.00,4500.0000,N,01300.0000,E,1,08,1.0,10.0,M,,M,,*49\n")
    let second = try Program.run(["compare", "--worlds", "1", nmea])
    #expect(second.code == 2)
    #expect(second.errors.hasPrefix("milepost: error: undated.nmea"))
    #expect(second.errors.contains("--date"))
    #expect(try Program.run(["compare", "--worlds", "1", "--date", "2026-05-04", nmea]).code == 0)
  }

  @Test("A truth of another time")
  func otherTruth() throws {
    let trace = try scratch.write(
      "a.csv", "time,latitude,longitude\n2026-05-04T10:00:00Z,45,13\n2026-05-04T10:00:09Z,45,13\n")
    let truth = try scratch.write(
      "b.csv", "time,latitude,longitude\n2025-05-04T10:00:00Z,45,13\n2025-05-04T10:00:09Z,45,13\n")
    try Program.expect(
      ["compare", "--worlds", "1", trace, "--truth", truth],
      says:
        "b.csv: the truth is of another time than a.csv; --truth none replays the trace as it is")
  }

  @Test("Options with values that cannot be")
  func values() throws {
    let usage = """

      Usage: milepost compare [<options>] <trace> ...
        See 'milepost compare --help' for more information.
      """
    try Program.expect(
      ["compare", "--worlds", "1", "a", "--seed", "x"],
      says: """
        The value 'x' is invalid for '--seed <seed>': 'x' is not a whole number from 0 to \
        9007199254740991
        Help:  --seed <seed>  Seed of everything that is drawn; the same seed, the same bytes \
        (default: 1).
        """ + usage)
    try Program.expect(
      ["compare", "--worlds", "1", "a", "--era", "ios5"],
      says: """
        The value 'ios5' is invalid for '--era <era>': there is no era 'ios5'; known: ios4, ios7, \
        ios13, today, all
        Help:  --era <era>  Rules of which generation of the system: ios4, ios7, ios13 or today \
        (default: that of a scenario's file, else today). The built-in apps meet none in which these \
        differ; compare --era all has apps that do, by the rules of all four.
        """ + usage)
    try Program.expect(
      ["compare", "--worlds", "1", "a", "--date", "2026-02-29"],
      says: """
        The value '2026-02-29' is invalid for '--date <YYYY-MM-DD>': '2026-02-29' is not a day such \
        as 2026-05-04
        Help:  --date <YYYY-MM-DD>  UTC day of the first fix: of a log without dates.
        """ + usage)
    try Program.expect(
      ["compare", "--worlds", "1", "a", "b", "--truth", "c"],
      says: "--truth names the truth of one trace, but several were given" + usage)
    try Program.expect(
      ["compare", "--worlds", "1", "-", "-"],
      says: "standard input (-) can be read only once" + usage)
    try Program.expect(
      ["compare", "--worlds", "1", "a", "--enviroment", "open"],
      says: "Unknown option '--enviroment'. Did you mean '--environment'?" + usage)
  }

  @Test(
    "Ranges name both ends, and a value outside is refused before anything is read",
    arguments: [
      ("--seed", "-1", "'-1' is not a whole number from 0 to 9007199254740991"),
      (
        "--upload", "seconds=1e10",
        "there is no upload policy 'seconds=1e10'; known: none, each, seconds=N, count=N, piggyback=N, "
          + "with N above 0 and at most 1000000000"
      ),
    ])
  func ranges(option: String, value: String, message: String) throws {
    let answer = try Program.run(["compare", "--worlds", "1", "a.gpx", option, value])
    #expect(answer.code == 2)
    #expect(
      answer.errors.hasPrefix("milepost: error: The value '\(value)' is invalid for '\(option) <"))
    #expect(answer.errors.contains(">': \(message)\n"))
  }

  @Test("The ends of the range of cells are taken")
  func cells() throws {
    for spacing in ["50", "100000"] {
      let answer = try Program.run(
        ["compare", "--worlds", "1", Package.trace("walk.nmea")]
          + scratch.world("cell_spacing_m: \(spacing)"))
      #expect(answer.code == 0)
    }
  }

  @Test("A file that is read is not written over, by whatever name")
  func overwriting() throws {
    let text = try String(contentsOfFile: Package.trace("car-commute.gpx"), encoding: .utf8)
    let path = try scratch.write("k.gpx", text)
    let link = scratch.path("link.gpx")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let truth = try scratch.write("k.truth.csv", "time,latitude,longitude\n")
    let same = "is read and would be overwritten; name another file to write to"
    try Program.expect(["convert", path, "-o", path, "--to", "gpx"], says: "\(path): \(same)")
    try Program.expect(
      ["replay", path, "-f", "gpx", "-o", link],
      says: "\(link): the same file as \(path), which \(same)")
    try Program.expect(["replay", path, "--radio-log", path], says: "\(path): \(same)")
    try Program.expect(["compare", path, "--card", truth], says: "\(truth): \(same)")
    try Program.expect(
      ["compare", "--worlds", "1", path, "--html", truth], says: "\(truth): \(same)")
    try Program.expect(
      ["compare", "--worlds", "1", path, "--baseline", truth, "--html", truth],
      says: "\(truth): \(same)")
    try Program.expect(["profiles", "import", path, "-o", path], says: "\(path): \(same)")
    #expect(try scratch.read("k.gpx") == text)
  }

  @Test("A profile that does not exist lists those that do")
  func profile() throws {
    try Program.expect(
      ["compare", "--worlds", "1", "a", "--profile", "phone"],
      says: "there is no device profile 'phone'; known: phone-2010-3g, phone-2013-lte, "
        + "phone-2014-iphone6, phone-2014-nexus6, phone-2020-lowpower, phone-2021-lte, phone-2023-iphone15, phone-2023-pixel8, "
        + "pi-zero-at6558, pi-zero-l76k, pi-zero-l80r, pi-zero-max-7, pi-zero-mtk3339, "
        + "pi-zero-neo-m8, pi-zero-neo-m9, pi-zero-neo6m, pi-zero-sam-m10, pi-zero-sirf4, pi-zero-ublox7, pi5-ublox-m9, tracker-esp32s3-m10, tracker-lora-m10, "
        + "tracker-ltem-nrf9160, tracker-ltem-nrf9161; a file is named with its path or ending")
  }

  @Test("An instant outside the trace")
  func outside() throws {
    try Program.expect(
      ["replay", Package.trace("walk.nmea"), "--why-at", "2026-01-01T00:00:00Z"],
      says: "walk.nmea: 2026-01-01T00:00:00.000Z lies outside the trace, which goes from "
        + "2026-04-11T14:02:30.000Z to 2026-04-11T14:46:29.000Z")
  }

  @Test("An activity log with a wrong line")
  func activity() throws {
    try Program.expect(
      ["meter", "-"], input: "{\"at_s\":0,\"component\":\"gnss\",\"state\":\"dancing\"}\n",
      says: "stdin:1: the state \"dancing\" of gnss is not known; allowed: off, backup, usb_idle, "
        + "vbus_off, acquire_cold, acquire_warm, acquire_hot, acquire_assisted, search_backoff, "
        + "track_good, track_poor, track_still, powersave, blocked, track")
    try Program.expect(
      ["meter", "-"], input: "# nothing\n",
      says: "stdin: no activity in this log (milepost meter --help shows the lines)")
  }

  @Test("A conversion into a file whose name does not say to what")
  func conversion() throws {
    let odd = try Program.run(["convert", "a.gpx", "-o", "b.kml"])
    #expect(odd.code == 2)
    #expect(
      odd.errors.hasPrefix(
        "milepost: error: the ending of 'b.kml' is no format; --to says it. Known: gpx, nmea,"))
  }

  @Test("A baseline with a figure that no comparison has", arguments: ["1e19", "-1", "1e300"])
  func wildBaseline(figure: String) throws {
    let walk = Package.trace("walk.nmea")
    let saved = try Program.run(["compare", "--worlds", "1", "--json", walk]).output
    let path = try scratch.write(
      "base.json", saved.replacing(#/"deliveries":\d+/#, with: "\"deliveries\":\(figure)"))
    let value = try #require(Double(figure))
    try Program.expect(
      ["compare", "--worlds", "1", "--baseline", path, walk],
      says: "\(path):1: deliveries of standard, pocket is \(value), not a number from 0 to "
        + "1000000000000")
  }

  @Test("A baseline of more than a megabyte is read")
  func longBaseline() throws {
    let walk = Package.trace("walk.nmea")
    let saved = try Program.run(["compare", "--worlds", "1", "--json", walk]).output
    let padded = saved.replacing(
      "{\"schema\"", with: "{\"pad\":\"\(String(repeating: "x", count: 2_200_000))\",\"schema\"",
      maxReplacements: 1)
    let path = try scratch.write("base.json", padded)
    let answer = try Program.run(["compare", "--worlds", "1", "--baseline", path, walk])
    #expect(answer.code == 0 && answer.output.contains("nothing changed"))
  }

  @Test("Points that are years apart")
  func pointInterval() throws {
    let answer = try Program.run([
      "info", "--point-interval", "1e9", Package.trace("walk.nmea"),
    ])
    #expect(answer.code == 2)
    #expect(answer.errors.contains("'1e9' is not a number above 0 and at most 86400"))
  }

  @Test("Transfers that together last longer than any time are metered without an end")
  func endlessTransfers() throws {
    let line =
      #"{"at_s":0,"component":"wifi","upload_bytes":1000000000000,"rate_mbps":1e-300}"# + "\n"
    let log = String(repeating: line, count: 200) + "{\"at_s\":10,\"end\":true}\n"
    let answer = try Program.run(["meter", "--network", "wifi-2012-huang", "-"], input: log)
    #expect(answer.code == 0 && answer.output.contains("total above the baseline"))
  }
}
