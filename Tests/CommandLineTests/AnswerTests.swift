// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The answers of `milepost compare`, for people and programs.
@Suite("Answers")
struct AnswerTests {
  private typealias Object = [String: Any]

  private static let purposes = ["track", "arrival", "geofence", "recent"]

  private func document(_ path: String, _ options: [String] = []) throws -> Object {
    let answer = try Program.run(["compare", "--json"] + options + [path])
    #expect(answer.code == 0, "\(answer.errors)")
    return try #require(try answer.documents().first)
  }

  @Test("Where nobody comes or goes, the answer is about moves and says so")
  func moves() throws {
    let scratch = try Scratch()
    // 10 m/s along the equator for 10 min: a degree is 111,319.49 m on WGS 84.
    let rows = (0...600).map { "\(1_777_878_489 + $0),0.001,\(Double($0) * 10 / 111_319.49)" }
    let path = try scratch.write("line.csv", "time,lat,lon\n\(rows.joined(separator: "\n"))\n")
    let answer = try Program.run(["compare", path])
    #expect(answer.output.contains(" For moves: "), "\(answer.output)")
    #expect(!answer.output.contains(" For arrivals: "))
  }

  private func answers(_ document: Object) -> [String: Object] {
    (document["answers"] as? [String: Object] ?? [:]).filter { Self.purposes.contains($0.key) }
  }

  private func unanswered(_ document: Object) -> [String: String] {
    (document["answers"] as? Object)?["unanswered"] as? [String: String] ?? [:]
  }

  private func row(of answer: Object, in document: Object) throws -> Object {
    let runs = try #require(document["runs"] as? [Object])
    return try #require(
      runs.first { run in
        ["mode", "scenario", "policy"].allSatisfy {
          run[$0] as? String == answer[$0] as? String
        } && run["auto_pause"] as? Bool == answer["auto_pause"] as? Bool
      })
  }

  /// Every trace of the repository, and of the corpus if there is one.
  static let everyTrace: [String] = {
    let corpus = ProcessInfo.processInfo.environment["MILEPOST_CORPUS"]
    let folders = [Package.root.appendingPathComponent("Traces").path] + [corpus].compactMap(\.self)
    let endings = [".gpx", ".nmea", ".json", ".log"]
    return folders.flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        .filter { name in endings.contains(where: name.hasSuffix) }.map { "\(folder)/\($0)" }
    }
  }()

  // MARK: The first screen

  @Test(
    "Fourteen lines of a hundred columns at most, with a sentence for each purpose",
    arguments: everyTrace)
  func twelveLines(path: String) throws {
    let answer = try Program.run(["--worlds", "5", path])
    guard answer.code == 0 else {
      // An incomparable trace is reported as such.
      #expect(answer.code == 2 && answer.errors.hasPrefix("milepost: error: "))
      return
    }
    let lines = answer.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 14, "\(answer.output)")
    #expect(lines.allSatisfy { $0.count <= 100 && !$0.isEmpty }, "\(answer.output)")
    for name in ["the way", "arrivals", "a border", "the area"] {
      #expect(lines.count { $0.dropFirst(2).hasPrefix("For \(name): ") } == 1, "\(answer.output)")
    }
  }

  @Test(
    "Who divides the energies that are printed gets the ratio that is printed, and of the same pair",
    arguments: everyTrace)
  func printed(path: String) throws {
    let answer = try Program.run(["--worlds", "5", path])
    guard answer.code == 0 else { return }
    let document = try document(path, ["--worlds", "5"])
    let lines = answer.output.split(separator: "\n").map(String.init)
    let titles = [
      "track": "the way", "arrival": "arrivals", "geofence": "a border", "recent": "the area",
    ]
    for (purpose, answer) in answers(document) {
      // Both energies are those that the documents have of the two runs.
      guard let ratio = answer["ratio"] as? Double, let against = answer["against"] as? Object
      else {
        continue
      }
      let own = try row(of: answer, in: document)["energy_j"] as? Double ?? .nan
      let other = try row(of: against, in: document)["energy_j"] as? Double ?? .nan
      #expect(abs(ratio / (other / own) - 1) < 1e-3, "\(purpose): \(ratio), \(other) J / \(own) J")
      let (low, high) = (
        answer["ratio_low"] as? Double ?? .nan, answer["ratio_high"] as? Double ?? .nan
      )
      #expect(low <= ratio && ratio <= high)
      // And in words: each of three figures, rounded to two digits, is off by at most one in twenty.
      let title = try #require(titles[purpose])
      let line = try #require(lines.first { $0.dropFirst(2).hasPrefix("For \(title): ") })
      guard let times = line.split(separator: " ").first(where: { $0.hasSuffix("×") }) else {
        continue
      }
      let said = Double(times.dropLast()) ?? .nan
      let (a, b) = (Self.joules(own, lines), Self.joules(other, lines))
      let divided = line.contains("cheaper") ? b / a : a / b
      #expect(abs(said / divided - 1) < 0.16, "\(line): \(b) J / \(a) J")
    }
  }

  /// The printed energy in the table for these joules.
  private static func joules(_ value: Double, _ lines: [String]) -> Double {
    let printed = lines.flatMap { line -> [Double] in
      let words = line.split(separator: " ")
      return zip(words, words.dropFirst()).compactMap { number, unit in
        let scale = ["mJ": 1e-3, "J": 1, "kJ": 1e3, "MJ": 1e6][String(unit)]
        return scale.flatMap { scale in Double(number).map { $0 * scale } }
      }
    }
    return printed.min { abs($0 - value) < abs($1 - value) } ?? .nan
  }

  @Test("Every percentile says that it is one, and whole devices are told of as they were measured")
  func words() throws {
    let text = try Program.run(["--worlds", "3", Package.trace("walk.nmea")]).output
    #expect(text.contains("off by (95 %)") && text.contains("told of stays (95 %)"))
    #expect(text.contains("location only; measured phones drew 0.5 to 2.0 times as much"))
    #expect(!text.contains("at most"))
    for (page, line) in [
      (
        "How-well-does-Milepost-know-a-phone",
        "- A whole phone that was not fitted drew 0.5 to 2.0 times what the model says."
      ), ("The-energy-model", "- Trackers drew 0.2 to 1.7 times what the model says."),
    ] {
      let page = try String(
        contentsOf: Package.root.appendingPathComponent(
          "Sources/Programs/milepost/Milepost.docc/\(page).md"), encoding: .utf8)
      #expect(page.contains(line))
    }
    let tracker = try Program.run([
      "--worlds", "3", "-p", "tracker-lora-m10", Package.trace("walk.nmea"),
    ]).output
    #expect(tracker.contains("location only; measured trackers drew 0.2 to 1.7 times as much"))
    let host = try Program.run([
      "--worlds", "3", "-p", "pi-zero-ublox7", Package.trace("walk.nmea"),
    ])
    #expect(host.output.contains("location only. More: --details"))
  }

  @Test("A purpose asked for is answered in full, with what to call on both systems")
  func one() throws {
    let text = try Program.run(["--for", "geofence", Package.trace("car-commute.gpx")]).output
    #expect(text.contains("To notice that the border of a place was crossed: "))
    #expect(text.contains("CLMonitor.add(CircularGeographicCondition("))
    #expect(!text.contains("For the way:"))
    #expect(text.contains("  iOS: ") && text.contains("  Android: "))
    let recent = try Program.run(["--for", "recent", Package.trace("car-commute.gpx")]).output
    #expect(recent.contains("→ To know the area one is in: ") && recent.contains("The same"))
    #expect(recent.contains("Android: WorkManager every 15 min"))
    let wrong = try Program.run(["compare", "--for", "everything", Package.trace("walk.nmea")])
    #expect(wrong.code == 2 && wrong.errors.contains("everything"))
    let document = try Program.run(["compare", "--json", "--for", "arrival", "a.gpx"])
    #expect(
      document.errors.hasPrefix(
        "milepost: error: --for is for the text; the other forms have all four purposes\n"))
    let picture = try Program.run(["compare", "--card", "a.png", "a.gpx"])
    #expect(picture.errors.hasPrefix("milepost: error: --card writes an SVG; name the file .svg"))
    let many = try Program.run(["compare", "--worlds", "0", Package.trace("walk.nmea")])
    #expect(many.errors.contains("'0' is not a whole number from 1 to 1000"))
  }

  // MARK: What is answered

  @Test("Each purpose is answered or says why not, and a mode has what to call")
  func whole() throws {
    for name in ["car-commute.gpx", "home-day.gpx", "train.gpx"] {
      let document = try document(Package.trace(name), ["--worlds", "2"])
      #expect(document["schema"] as? String == "milepost.compare/2")
      let (told, untold) = (answers(document), unanswered(document))
      #expect(Set(told.keys).union(untold.keys) == Set(Self.purposes))
      #expect(Set(told.keys).isDisjoint(with: untold.keys))
      for answer in told.values {
        #expect((answer["call"] as? String)?.isEmpty == false)
        #expect(answer["worlds"] as? Int == 2)
      }
    }
  }

  @Test("A day at home, a log of a second and one of two dates answer nothing, and say why")
  func tooLittle() throws {
    let home = try document(Package.trace("home-day.gpx"), ["--worlds", "2"])
    #expect(answers(home).isEmpty)
    #expect(
      unanswered(home)["arrival"] == "cannot be told from this trace: nobody came or went in it")
    let scratch = try Scratch()
    let second = try scratch.write(
      "second.nmea",
      """
      $GPRMC,120000.00,A,4800.000,N,01100.000,E,0.0,0.0,010126,,,A*55
      $GPRMC,120001.00,A,4800.000,N,01100.000,E,0.0,0.0,010126,,,A*54

      """)
    let short = try document(second, ["--worlds", "2"])
    #expect(answers(short).isEmpty && unanswered(short).count == 4)
    let rolled = Package.trace("week-rollover.nmea")
    let two = try document(rolled, ["--worlds", "2"])
    #expect(
      unanswered(two)["track"]
        == "cannot be told: a part of the log has another date (--fix-week-rollover)")
    #expect(!answers(try document(rolled, ["--worlds", "2", "--fix-week-rollover"])).isEmpty)
  }

  @Test(
    "A mode that will do for the way kept the limit, or was hardly farther off than continuous updates",
    arguments: everyTrace)
  func track(path: String) throws {
    let run = try Program.run(["compare", "--json", "--worlds", "1", path])
    guard run.code == 0, let document = try run.documents().first,
      let answer = answers(document)["track"], answer["will_do"] as? Bool == true
    else { return }
    let best = try #require(
      (document["runs"] as? [Object])?.first {
        $0["mode"] as? String == "continuous" && $0["auto_pause"] as? Bool == false
      })
    let (off, known) = try (row(of: answer, in: document)["off_by_m"], best["off_by_m"])
    for (name, limit) in [("p95", 100.0), ("max", 500.0)] {
      let least = (known as? Object)?[name] as? Double ?? 0
      #expect((off as? Object)?[name] as? Double ?? .nan <= max(limit, 1.1 * least), "\(name)")
    }
  }

  @Test(
    "A tunnel hides the way from every receiver: that is told once, and no mode is blamed for it")
  func tunnel() throws {
    for (trace, hides) in [("walk.nmea", false), ("car-commute.gpx", true)] {
      let document = try document(Package.trace(trace), ["--worlds", "3"])
      #expect(answers(document)["track"]?["mode"] as? String == "continuous", "\(trace)")
      #expect(answers(document)["track"]?["will_do"] as? Bool == true, "\(trace)")
      let text = try Program.run(["--worlds", "3", Package.trace(trace)]).output
      // 201 s of the commute (Traces/README.md).
      #expect(text.contains("for 3 min nobody could know where it was") == hides, "\(text)")
      #expect(!text.contains("nothing is good enough"))
    }
  }

  @Test("All modes are judged by one list of events, and what they missed is out of it")
  func events() throws {
    let runs = try #require(
      try document(Package.trace("mixed-day.gpx"), ["--worlds", "2"])["runs"] as? [Object])
    let events = Set(runs.compactMap { $0["events"] as? Int })
    #expect(events.count == 1 && events.first ?? 0 > 0)
    for run in runs {
      #expect(run["missed"] as? Int ?? .max <= events.first ?? 0)
      let counts = ["arrival_delay_s", "departure_delay_s", "crossing_delay_s"].map {
        (run[$0] as? Object)?["events"] as? Int ?? 0
      }
      #expect(counts.reduce(0, +) == 2 * (events.first ?? 0))
    }
  }

  @Test("A commute sets out and comes in; an app that was stopped on the way is told of neither")
  func stopped() throws {
    let runs = try #require(
      try document(Package.trace("car-commute.gpx"), ["--worlds", "2"])["runs"] as? [Object])
    func delay(_ mode: String, _ event: String) -> Object {
      let run = runs.first {
        $0["mode"] as? String == mode && $0["scenario"] as? String == "pocket"
      }
      return run?["\(event)_delay_s"] as? Object ?? [:]
    }
    for event in ["arrival", "departure"] {
      // One in each of two worlds.
      #expect(delay("continuous", event)["events"] as? Int == 2)
      #expect(delay("continuous", event)["count"] as? Int == 2)
      #expect(delay("standard", event)["events"] as? Int == 2)
    }
    // It stops 64 s after its launch and the drive begins within that minute: it may hear of the departure.
    #expect(delay("standard", "arrival")["count"] as? Int == 0)
  }

  @Test("What was not sent is not known: of batches that no trace fills the server learns nothing")
  func unsent() throws {
    let commute = Package.trace("car-commute.gpx")
    let text = try Program.run(["--worlds", "3", "--upload", "count=20", commute]).output
    let significant = try #require(
      text.split(separator: "\n").first { $0.hasPrefix("significant change") })
    #expect(significant.contains("never (9 unsent)"), "\(text)")
    let document = try document(commute, ["--worlds", "3", "--upload", "count=20"])
    for (purpose, answer) in answers(document) {
      #expect(answer["mode"] as? String == "continuous", "\(purpose)")
    }
    // On LoRa two messages of 200 bytes fit into the law's hundredth of 44 minutes.
    let lora = try Program.run([
      "--worlds", "3", "-p", "tracker-lora-m10", "--upload", "each", commute,
    ]).output
    let continuous = try #require(lora.split(separator: "\n").first { $0.hasPrefix("continuous") })
    #expect(continuous.contains(" 22 min (2,") && continuous.contains(" unsent)"), "\(lora)")
  }

  @Test("A phone is answered with what a phone's system gives, a host of its own with its policies")
  func platform() throws {
    let phone = try document(Package.trace("mixed-day.gpx"), ["--worlds", "2"])
    #expect(!answers(phone).isEmpty)
    for (purpose, answer) in answers(phone) {
      #expect([nil, "ios-field"].contains(answer["policy"] as? String), "\(purpose)")
      #expect(answer["call_android"] is String)
    }
    let modes = (phone["runs"] as? [Object])?.compactMap { $0["mode"] as? String } ?? []
    #expect(modes.contains("visits") && modes.contains("regions"))
    let pi = try document(
      Package.trace("mixed-day.gpx"), ["--worlds", "2", "--profile", "pi-zero-ublox7"])
    #expect(!answers(pi).isEmpty)
    for (purpose, answer) in answers(pi) {
      #expect([nil, "receiver", "milepost"].contains(answer["policy"] as? String), "\(purpose)")
      #expect(answer["call_android"] == nil)
      #expect((answer["call"] as? String)?.contains("service: ") == true)
    }
  }

  // MARK: How sure it is

  @Test("An answer that is called sure is that of other worlds too, and of one world none is")
  func redrawn() throws {
    var sure = 0
    for trace in ["car-commute.gpx", "walk.nmea", "train.gpx", "new-year-night.nmea"] {
      let draws = try ["1", "21", "101", "121", "201", "221"].map {
        answers(try document(Package.trace(trace), ["--seed", $0]))
      }
      for purpose in Self.purposes {
        let told = draws.map { answer -> String in
          let answer = answer[purpose] ?? [:]
          return
            "\(answer["mode"] ?? "none") \(answer["policy"] ?? "") \(answer["auto_pause"] ?? "")"
        }
        for (draw, words) in zip(draws, told) where draw[purpose]?["sure"] as? Bool == true {
          sure += 1
          #expect(Set(told) == [words], "\(trace) \(purpose)")
        }
      }
    }
    // Of 4 traces, 6 draws and 4 purposes; most are a choice between two modes that cost about the same.
    #expect(sure >= 25)
    let one = try document(Package.trace("walk.nmea"), ["--worlds", "1", "--seed", "2"])
    #expect(one["worlds"] as? Int == 1 && one["seed"] as? Int == 2)
    #expect(answers(one).values.allSatisfy { $0["sure"] as? Bool == false })
  }
}
