// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The answers of `milepost compare`, for people and programs.
@Suite("Answers")
struct AnswerTests {
  private typealias Object = Answering.Object

  // MARK: What is answered

  @Test("Each purpose is answered or says why not, and a mode has what to call")
  func whole() throws {
    for name in ["car-commute.gpx", "home-day.gpx", "train.gpx"] {
      let document = try Answering.document(Package.trace(name), ["--worlds", "2"])
      #expect(document["schema"] as? String == "milepost.compare/3")
      let (told, untold) = (Answering.answers(document), Answering.untested(document))
      #expect(Set(told.keys).union(untold.keys) == Set(Answering.purposes))
      #expect(Set(told.keys).isDisjoint(with: untold.keys))
      for answer in told.values {
        #expect((answer["call"] as? String)?.isEmpty == false)
      }
    }
  }

  @Test("A day at home, a log of a second and one of two dates answer nothing, and say why")
  func tooLittle() throws {
    let home = try Answering.document(Package.trace("home-day.gpx"), ["--worlds", "2"])
    #expect(Answering.answers(home).isEmpty)
    #expect(
      Answering.untested(home)["arrival"] == "nobody came or went")
    let scratch = try Scratch()
    let second = try scratch.write(
      "second.nmea",
      """
      $GPRMC,120000.00,A,4800.000,N,01100.000,E,0.0,0.0,010126,,,A*55
      $GPRMC,120001.00,A,4800.000,N,01100.000,E,0.0,0.0,010126,,,A*54

      """)
    let short = try Answering.document(second, ["--worlds", "2"])
    #expect(Answering.answers(short).isEmpty && Answering.untested(short).count == 4)
    let rolled = Package.trace("week-rollover.nmea")
    let two = try Answering.document(rolled, ["--worlds", "2"])
    #expect(
      Answering.untested(two)["track"] == "a part of the log has another date (--fix-week-rollover)"
    )
    #expect(
      !Answering.answers(try Answering.document(rolled, ["--worlds", "2", "--fix-week-rollover"]))
        .isEmpty)
  }

  @Test("At a tolerance that silence would keep, the reason is the tolerance and not the trace")
  func loose() throws {
    let document = try Answering.document(
      Package.trace("car-commute.gpx"), ["--worlds", "2", "--for", "arrival", "--within", "30min"])
    #expect(
      Answering.untested(document)["arrival"]
        == "an app that hears nothing would be within this tolerance")
  }

  @Test("The choice turns to a mode that costs more: no looser tolerance gets a dearer one")
  func turns() throws {
    let document = try Answering.document(
      Package.trace("car-commute.gpx"), ["--worlds", "5", "-p", "pi-zero-neo-m8"])
    func name(_ mode: Object) -> [String] {
      ["mode", "scenario", "policy", "auto_pause"].map { "\(mode[$0] ?? "")" }
    }
    let runs = try #require(document["runs"] as? [Object])
    let costs = Dictionary(
      runs.map { (name($0), $0["energy_j"] as? Double ?? 0) }, uniquingKeysWith: { $1 })
    for (purpose, answer) in Answering.answers(document) {
      let turns = try #require(answer["turns"] as? [Object]).map { costs[name($0)] ?? 0 }
      #expect(
        turns.count >= 2 && zip(turns, turns.dropFirst()).allSatisfy { $0 < $1 }, "\(purpose)")
    }
  }

  @Test(
    "All modes are judged by one list of events, and what they missed is out of it",
    arguments: Answering.everyTrace)
  func events(path: String) throws {
    let run = try Program.run(["compare", "--json", "--worlds", "2", path])
    guard run.code == 0, let runs = try run.documents().first?["runs"] as? [Object] else { return }
    for kind in ["arrival", "departure", "fence"] {
      let tallies = runs.compactMap { $0["\(kind)_delay_s"] as? Object }
      #expect(tallies.count == runs.count)
      #expect(Set(tallies.compactMap { $0["count"] as? Int }).count == 1, "\(kind)")
      for tally in tallies {
        #expect(tally["missed"] as? Int ?? .max <= tally["count"] as? Int ?? 0)
      }
    }
  }

  @Test(
    "Who looks ten times as often misses no more arrivals and departures",
    arguments: ["commute-day.gpx", "mixed-day.gpx", "walk.nmea"])
  func looks(trace: String) throws {
    let document = try Answering.document(
      Package.trace(trace),
      ["--worlds", "3", "-p", "tracker-lora-m10", "--policy", "periodic=1200,periodic=120"])
    let runs = (document["runs"] as? [Object] ?? []).filter {
      $0["policy"] as? String == "periodic"
    }
    for kind in ["arrival", "departure"] {
      let missed = runs.compactMap { ($0["\(kind)_delay_s"] as? Object)?["missed"] as? Int }
      #expect(missed.count == 2 && missed[1] <= missed[0], "\(kind): \(missed)")
    }
  }

  @Test("A commute sets out; its arrival, 90 s before the end, is judged for nobody")
  func stopped() throws {
    let runs = try #require(
      try Answering.document(Package.trace("car-commute.gpx"), ["--worlds", "2"])["runs"]
        as? [Object])
    for run in runs {
      // One in each of two worlds.
      #expect((run["departure_delay_s"] as? Object)?["count"] as? Int == 2)
      #expect((run["arrival_delay_s"] as? Object)?["count"] as? Int == 0)
    }
  }

  @Test("What was not sent is not known: of batches that no trace fills the server learns nothing")
  func unsent() throws {
    let commute = Package.trace("car-commute.gpx")
    let text = try Program.run(["--worlds", "3", "--upload", "count=20", commute]).output
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Unsent when the trace ended, and so unknown: "), "\(text)")
    #expect(words.contains("; significant change 9; "), "\(text)")
    let document = try Answering.document(commute, ["--worlds", "3", "--upload", "count=20"])
    for (purpose, answer) in Answering.answers(document) {
      #expect(answer["mode"] as? String == "continuous", "\(purpose)")
    }
    // On LoRa two messages of 200 bytes fit into the law's hundredth of 44 minutes.
    let lora = try Answering.document(
      commute, ["--worlds", "3", "-p", "tracker-lora-m10", "--upload", "each"])
    let runs = try #require(lora["runs"] as? [Object])
    let continuous = try #require(runs.first { $0["mode"] as? String == "continuous" })
    #expect(continuous["uploads"] as? Int == 2 && continuous["unsent"] as? Int ?? 0 > 2_000)
  }

  @Test("A phone is answered with what a phone's system gives, a host of its own with its policies")
  func platform() throws {
    let phone = try Answering.document(Package.trace("mixed-day.gpx"), ["--worlds", "2"])
    #expect(!Answering.answers(phone).isEmpty)
    for (purpose, answer) in Answering.answers(phone) {
      #expect([nil, "ios-field"].contains(answer["policy"] as? String), "\(purpose)")
      #expect(answer["call_android"] is String)
    }
    let modes = (phone["runs"] as? [Object])?.compactMap { $0["mode"] as? String } ?? []
    #expect(modes.contains("visits") && modes.contains("regions"))
    let pi = try Answering.document(
      Package.trace("mixed-day.gpx"), ["--worlds", "2", "--profile", "pi-zero-ublox7"])
    #expect(!Answering.answers(pi).isEmpty)
    for (purpose, answer) in Answering.answers(pi) {
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
        Answering.answers(try Answering.document(Package.trace(trace), ["--seed", $0]))
      }
      for purpose in Answering.purposes {
        let told = draws.map { answer -> String in
          let answer = answer[purpose] ?? [:]
          return
            "\(answer["mode"] ?? "none") \(answer["policy"] ?? "") \(answer["auto_pause"] ?? "")"
        }
        for (draw, words) in zip(draws, told) where draw[purpose]?["certainty"] as? String == "sure"
        {
          sure += 1
          #expect(Set(told) == [words], "\(trace) \(purpose)")
        }
      }
    }
    // Of 4 traces, 6 draws and 4 purposes; most are a choice between two modes that cost about the same.
    #expect(sure >= 20)
    let one = try Answering.document(Package.trace("walk.nmea"), ["--worlds", "1", "--seed", "2"])
    #expect(one["worlds"] as? Int == 1 && one["seed"] as? Int == 2)
    #expect(Answering.answers(one).values.allSatisfy { $0["certainty"] as? String != "sure" })
  }
}
