// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The first screen of `milepost trip.gpx`.
@Suite("The first screen")
struct AnswerScreenTests {
  private typealias Object = Answering.Object

  /// The lines of a comparison in five worlds; `nil` of a trace that cannot be compared, which is reported as such.
  private func screen(_ path: String, _ options: [String] = []) throws -> [String]? {
    let answer = try Program.run(["--worlds", "5"] + options + [path])
    guard answer.code == 0 else {
      #expect(answer.code == 2 && answer.errors.hasPrefix("milepost: error: "))
      return nil
    }
    return answer.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
  }

  /// Who only left, did not arrive.
  private static let titles = [
    "track": ["The way within 100 m: "],
    "arrival": [
      "Coming and going within 10 min: ", "Arrivals within 10 min: ",
      "Departures within 10 min: ",
    ],
    "fence": ["Fences within 5 min: "], "area": ["Within 1 km 95 % of the time: "],
  ]

  /// The sentence of a purpose.
  private static func sentence(_ purpose: String, in lines: [String]) throws -> String? {
    let titles = try #require(Self.titles[purpose])
    return lines.first { line in titles.contains { line.dropFirst(2).hasPrefix($0) } }
  }

  private static let modes = [
    "continuous, pauses", "only while moving", "continuous", "region monitoring", "visits",
    "significant change",
  ]

  /// A sentence with the lines that go on with it.
  private static func whole(_ sentence: String, in lines: [String]) -> String {
    let rest = lines.drop { $0 != sentence }.dropFirst().prefix { $0.hasPrefix("  ") }
    return ([sentence] + rest.map { String($0.dropFirst(2)) }).joined(separator: " ")
  }

  /// The modes of a sentence.
  private static func named(in sentence: String) -> [String] {
    var rest = sentence
    return modes.filter { mode in
      defer { rest = rest.replacingOccurrences(of: mode, with: "") }
      return rest.contains(mode)
    }
  }

  @Test(
    "Twelve lines of 80 columns, a sentence for each purpose or the reason why none, and a row for each mode said",
    arguments: Answering.everyTrace)
  func fits(path: String) throws {
    guard let lines = try screen(path) else { return }
    let text = lines.joined(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 && !$0.isEmpty }, "\(text)")
    // Oddities of a trace are told in full, and so is a long name.
    let isLong = lines[1].hasPrefix("  ") || text.contains("odd: ") || text.contains("left out")
    #expect(lines.count <= 12 || isLong, "\(text)")
    let document = try Answering.document(path, ["--worlds", "5"])
    let head = try #require(lines.firstIndex { $0.hasPrefix("in 95 % of cases") })
    let rows = lines[(head + 1)...].prefix {
      !$0.hasPrefix("→") && !$0.hasPrefix("?") && !$0.hasPrefix("–")
    }
    for purpose in Answering.purposes {
      let isAnswered = Answering.answers(document)[purpose] != nil
      let sentence = try Self.sentence(purpose, in: lines)
      #expect((sentence != nil) == isAnswered, "\(purpose): \(text)")
      guard let sentence else {
        #expect(Answering.untested(document)[purpose]?.isEmpty == false)
        continue
      }
      for mode in Self.named(in: Self.whole(sentence, in: lines)) {
        #expect(
          rows.contains { $0.hasPrefix(mode + "  ") || $0.hasPrefix(mode + " ") },
          "\(mode): \(text)")
      }
      // The figure at which the choice turns is one of that mode's row: its number, for a unit may stand for two.
      if let turn = sentence.wholeMatch(of: /.*; within (\S+) (?:s|min|m|km|h): ([a-z ,]+)/) {
        let row = rows.first { $0.hasPrefix(turn.output.2 + " ") }
        #expect(row?.contains(turn.output.1) == true, "\(sentence): \(text)")
      }
      // One form of ratio, and no verdict without a mode.
      #expect(!sentence.contains("×") && !sentence.contains("cheaper"))
      #expect(!text.contains("nothing is good enough") && !text.contains("worlds)"))
    }
  }

  @Test("What had to be asked about is not said any more")
  func plain() throws {
    for trace in ["commute-day.gpx", "car-commute.gpx", "home-day.gpx"] {
      let text = try #require(try screen(Package.trace(trace))).joined(separator: "\n")
      for words in [
        "told of", "(1 of 2)", "also pausing", "For the", "Code:", "SignificantLocationChanges",
        "whole phones", "not certain", "a position every", "way off", "/day", "/h", ", else ",
        "worlds",
      ] {
        #expect(!text.contains(words), "\(words)")
      }
      #expect(text.contains("Simulated 5 times."))
    }
    let host = try Program.run([
      "--worlds", "3", "-p", "pi-zero-ublox7", Package.trace("walk.nmea"),
    ])
    #expect(host.output.contains("Simulated 3 times. Calls: --for. More: --details"))
  }

  @Test("A range holds what measured devices drew, and so does that of documents")
  func ranges() throws {
    // How a profile's range says it: of phones 0.5 to 2.0 times the model, of trackers 0.2 to 1.7, of hosts nothing.
    for (profile, least, most) in [
      ("phone-2014-iphone6", 0.5, 2.0), ("tracker-lora-m10", 0.2, 1.7), ("pi-zero-ublox7", 1, 1),
    ] {
      let document = try Answering.document(
        Package.trace("walk.nmea"), ["--worlds", "3", "-p", profile])
      for run in document["runs"] as? [Object] ?? [] {
        let energy = run["energy_j"] as? Double ?? .nan
        let (low, high) = (
          run["energy_low_j"] as? Double ?? .nan, run["energy_high_j"] as? Double ?? .nan
        )
        #expect(low <= least * energy + 1e-5 && high >= most * energy - 1e-5, "\(profile)")
      }
    }
    let host = try Program.run([
      "--details", "--worlds", "3", "-p", "pi-zero-ublox7", Package.trace("walk.nmea"),
    ])
    #expect(!host.output.contains("times the model"))
  }

  @Test("The sample tests every purpose, and most of its answers are plain")
  func sample() throws {
    let document = try Answering.document(Package.trace("commute-day.gpx"))
    let told = Answering.answers(document)
    #expect(Set(told.keys) == Set(Answering.purposes))
    #expect(told.values.allSatisfy { $0["keeps"] as? Bool == true })
    #expect(told.values.allSatisfy { ["sure", "likely"].contains($0["certainty"] as? String) })
    // Six arrivals and departures, six crossings of two places' borders.
    for purpose in ["arrival", "fence"] { #expect(told[purpose]?["judged"] as? Int == 6) }
    // A phone's receiver has a fix some seconds after the region armed it.
    #expect(told["track"]?["mode"] as? String == "cycled")
    // A system's own geofences come within minutes: nobody needs continuous updates for that.
    #expect(told["fence"]?["mode"] as? String == "regions")
    #expect(told["arrival"]?["mode"] as? String == "visits")
    // The tunnel, twice.
    let hidden = document["unknowable"] as? [Object] ?? []
    #expect(hidden.map { $0["reason"] as? String } == ["no_sky", "no_sky"])
    #expect(hidden.allSatisfy { (150...220).contains($0["duration_s"] as? Double ?? 0) })
    #expect(hidden.allSatisfy { (3_000...3_500).contains($0["distance_m"] as? Double ?? 0) })
  }

  @Test("What a missed event is, and what it costs, cannot be taken for each other")
  func columns() throws {
    let lines = try #require(try screen(Package.trace("commute-day.gpx")))
    let head = try #require(lines.firstIndex { $0.hasPrefix("in 95 % of cases") })
    #expect(
      lines[head].split(separator: /\s{1,}/).map(String.init).dropFirst(5) == [
        "battery", "%", "(range)", "en", "route", "arrival", "departure", "fence", "<1", "km",
      ])
    #expect(
      lines.contains { $0.contains(/^visits +0\.0\d+ \(0\.0\d+–0\.\d+\) +±1\d\.\d km +\+\d min/) })
    let significant = try #require(lines.first { $0.hasPrefix("significant change") })
    #expect(significant.contains(/[123] missed +[123] missed/) && !significant.contains("1/"))
    // What to call stands behind the mode that is chosen, where there is room.
    let train = try #require(try screen(Package.trace("train.gpx")))
    #expect(train.contains { $0.contains("continuous (startUpdatingLocation)") })
    let wide = try Program.shell(
      "export MILEPOST; script -qec 'stty cols 140 rows 24; exec \"$MILEPOST\" --worlds 3 \(Package.trace("commute-day.gpx"))' /dev/null",
      in: Scratch()
    ).output
    #expect(wide.contains("150 m fence") && wide.contains("startMonitoringVisits"))
  }

  @Test(
    "A likely answer says in how many simulations it works, and in full what works in nearly all")
  func doubts() throws {
    var fails = 0
    for trace in ["commute-day.gpx", "mixed-day.gpx", "train.gpx", "walk.nmea"] {
      let document = try Answering.document(Package.trace(trace))
      let screen = try Program.run([Package.trace(trace)]).output
      for (purpose, answer) in Answering.answers(document)
      where answer["certainty"] as? String != "sure" && answer["keeps"] as? Bool == true {
        guard let failsIn = answer["fails_in"] as? Int, failsIn > 1 else { continue }
        fails += 1
        let works = "works in \(20 - failsIn) of 20"
        #expect(screen.contains("\(20 - failsIn) of 20"), "\(trace) \(purpose): \(screen)")
        let text = try Program.run(["--for", purpose, Package.trace(trace)]).output
          .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains(works + " simulations"), "\(trace) \(purpose): \(text)")
        guard let safer = answer["safer"] as? Object else { continue }
        let own = try Answering.row(of: answer, in: document)["energy_j"] as? Double ?? .nan
        let other = try Answering.row(of: safer, in: document)["energy_j"] as? Double ?? .nan
        #expect(other > own, "\(trace) \(purpose)")
        #expect(text.contains(/works in \d+ of 20 simulations; [a-z ]+ in (19|20)\./), "\(text)")
      }
    }
    #expect(fails > 3)
  }

  @Test("A copy of the sample without its truth has the same answers; its tunnels are gaps")
  func copy() throws {
    let sample = Package.trace("commute-day.gpx")
    let (known, alone) = (
      try Answering.document(sample), try Answering.document(sample, ["--truth", "none"])
    )
    for purpose in Answering.purposes {
      #expect(
        Answering.answers(known)[purpose]?["mode"] as? String == Answering.answers(alone)[purpose]?[
          "mode"] as? String)
    }
    let hidden = alone["unknowable"] as? [Object] ?? []
    #expect(hidden.map { $0["reason"] as? String } == ["gap", "gap"])
  }

  @Test(
    "Who divides the energies gets the ratio that is told, and of the same pair",
    arguments: Answering.everyTrace)
  func divided(path: String) throws {
    guard let lines = try screen(path) else { return }
    let document = try Answering.document(path, ["--worlds", "5"])
    for (purpose, answer) in Answering.answers(document) {
      guard let ratio = answer["ratio"] as? Double, let against = answer["against"] as? Object
      else { continue }
      let own = try Answering.row(of: answer, in: document)["energy_j"] as? Double ?? .nan
      let other = try Answering.row(of: against, in: document)["energy_j"] as? Double ?? .nan
      #expect(abs(ratio / (other / own) - 1) < 1e-3, "\(purpose): \(ratio), \(other) J / \(own) J")
      let (low, high) = (
        answer["ratio_low"] as? Double ?? .nan, answer["ratio_high"] as? Double ?? .nan
      )
      #expect(low <= ratio && ratio <= high)
      let line = try #require(try Self.sentence(purpose, in: lines))
      guard
        let said = line.split(whereSeparator: { " ,;".contains($0) }).first(where: {
          $0.hasPrefix("1/")
        })
      else { continue }
      // Two digits are off by at most one in twenty.
      #expect(abs((Double(said.dropFirst(2)) ?? .nan) / ratio - 1) < 0.051, "\(line)")
    }
  }

  @Test(
    "A figure, its tolerance and the turns belong together: each named mode is a run, and each turn is a run's figure",
    arguments: Answering.everyTrace)
  func turns(path: String) throws {
    let run = try Program.run(["compare", "--json", "--worlds", "5", path])
    guard run.code == 0, let document = try run.documents().first else { return }
    let units = ["track": "m", "arrival": "s", "fence": "s", "area": "share"]
    for (purpose, answer) in Answering.answers(document) {
      let within = "within_" + (units[purpose] ?? "")
      let tolerance = try #require(answer[within] as? Double)
      let turns = try #require(answer["turns"] as? [Object])
      #expect(!turns.isEmpty)
      for named in turns + [answer] { _ = try Answering.row(of: named, in: document) }
      let figures = turns.compactMap { $0[within] as? Double }
      // From the loosest to the tightest.
      #expect(figures == (purpose == "area" ? figures.sorted() : figures.sorted(by: >)))
      guard let figure = answer["figure"] as? Double else { continue }
      let keeps = purpose == "area" ? figure >= tolerance : figure <= tolerance
      #expect(answer["keeps"] as? Bool == keeps, "\(purpose)")
      let own = try Answering.row(of: answer, in: document)
      let told: [Double?] =
        switch purpose {
        case "track": [(own["way_off_m"] as? Object)?["p95"] as? Double]
        case "area": [own["area_right_share"] as? Double]
        case "fence": [(own["fence_delay_s"] as? Object)?["p95"] as? Double]
        default:
          ["arrival", "departure"].map { (own["\($0)_delay_s"] as? Object)?["p95"] as? Double }
        }
      #expect(abs((told.compactMap(\.self).max() ?? .nan) - figure) < 1e-6, "\(purpose)")
    }
  }

  @Test(
    "Two events or a log of minutes make nothing sure, and that is said first",
    arguments: Answering.everyTrace)
  func thin(path: String) throws {
    let run = try Program.run(["compare", "--json", path])
    guard run.code == 0, let document = try run.documents().first else { return }
    let seconds = (document["trace"] as? Object)?["judged_s"] as? Double ?? 0
    var isThin = false
    for (purpose, answer) in Answering.answers(document) {
      let judged = answer["judged"] as? Double ?? 0
      let isFew = seconds < 600 || ["arrival", "fence"].contains(purpose) && judged < 3
      isThin = isThin || isFew
      if isFew { #expect(answer["certainty"] as? String != "sure", "\(purpose)") }
    }
    guard isThin else { return }
    let text = try Program.run([path]).output
    #expect(
      text.split(separator: "\n").contains {
        $0.hasPrefix("Fewer than 3 events: nothing is sure of ")
          || $0.hasPrefix("Too short to be sure: ")
      }, "\(text)")
  }

  @Test("A purpose asked for is answered in full, with its turns and what to call on both systems")
  func one() throws {
    let commute = Package.trace("commute-day.gpx")
    let text = try Program.run(["--for", "fence", commute]).output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains(
        "To notice that the border of a place was crossed within 5 min: likely region monitoring"))
    #expect(!text.contains("The way within"))
    #expect(text.contains("iOS: CLMonitor") && text.contains("Android: GeofencingClient"))
    #expect(
      text.contains("By tolerance, with its battery: ") && text.contains("Judged by 6 events"))
    let area = try Program.run(["--for", "area", commute]).output
    #expect(area.contains("Android: "))
  }

  @Test("The reader's own tolerance chooses another mode, in the text and in documents")
  func within() throws {
    let commute = Package.trace("commute-day.gpx")
    let quick = try Answering.document(commute, ["--for", "arrival", "--within", "1s"])
    let arrival = try #require(Answering.answers(quick)["arrival"])
    #expect(arrival["within_s"] as? Double == 1 && arrival["mode"] as? String == "continuous")
    #expect(Answering.answers(quick)["fence"]?["within_s"] as? Double == 300)
    let wide = try Answering.document(
      commute, ["--for", "fence", "--radius", "400m", "--within", "20min"])
    #expect((wide["settings"] as? Object)?["radius"] as? String == "400")
    #expect(Answering.answers(wide)["fence"]?["within_s"] as? Double == 1_200)
    let rough = try Program.run(["--for", "track", "--within", "50km", commute]).output
    #expect(
      rough.contains("– Not tested by this trace")
        || rough.contains("To record the way within 50.0 km"))
    for (options, words) in [
      (
        ["--within", "5min"],
        "--within is the tolerance of a purpose; name it too: --for track, arrival, fence or area"
      ),
      (
        ["--for", "track", "--within", "5min"],
        "--within: 'min' is no unit of a distance; known: m, km"
      ),
      (
        ["--for", "arrival", "--within", "5"],
        "--within: '5' has no unit; write one of s, min, h behind the number"
      ),
      (["--for", "area", "--radius", "100m"], "--radius is of a fence; write --for fence too"),
      (
        ["--for", "fence", "--radius", "100m", "--region", "a=1,2,100"],
        "--region states its radius; leave --radius out"
      ),
    ] {
      let answer = try Program.run(["compare"] + options + [commute])
      #expect(
        answer.code == 2 && answer.errors.contains("milepost: error: \(words)\n"),
        "\(answer.errors)")
    }
    let wrong = try Program.run(["compare", "--for", "everything", commute])
    #expect(wrong.code == 2 && wrong.errors.contains("everything"))
    let picture = try Program.run(["compare", "--card", "a.png", "a.gpx"])
    #expect(picture.errors.hasPrefix("milepost: error: --card writes an SVG; name the file .svg"))
    let many = try Program.run(["compare", "--worlds", "0", commute])
    #expect(many.errors.contains("'0' is not a whole number from 1 to 1000"))
  }
}
