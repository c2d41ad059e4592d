// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The answers of `milepost compare`, as people and programs get them.
@Suite("Answers")
struct AnswerTests {
  private typealias Object = [String: Any]

  private func document(_ name: String, _ options: [String] = []) throws -> Object {
    let answer = try Program.run(["compare", "--json"] + options + [Package.trace(name)])
    #expect(answer.code == 0, "\(answer.errors)")
    return try #require(try answer.documents().first)
  }

  private func answers(_ document: Object) -> [String: Object] {
    document["answers"] as? [String: Object] ?? [:]
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

  @Test(
    "Each purpose has an answer whose ratio is of the pair that it names",
    arguments: ["car-commute.gpx", "walk.nmea", "train.gpx"])
  func pairs(trace: String) throws {
    let document = try document(trace)
    #expect(document["schema"] as? String == "milepost.compare/2")
    #expect(document["worlds"] as? Int == 20)
    let answers = answers(document)
    #expect(Set(answers.keys) == ["track", "arrival", "geofence", "recent"])
    for (purpose, answer) in answers {
      let against = try #require(answer["against"] as? Object)
      let own = try row(of: answer, in: document)["energy_j"] as? Double ?? .nan
      let other = try row(of: against, in: document)["energy_j"] as? Double ?? .nan
      let low = try #require(answer["ratio_low"] as? Double)
      let high = try #require(answer["ratio_high"] as? Double)
      // Both energies are medians of the same worlds, with the nominal numbers.
      #expect(low * 0.8 <= other / own && other / own <= high * 1.2, "\(purpose)")
      #expect((answer["agrees_in"] as? Int ?? 0) > 0 && answer["worlds"] as? Int == 20)
      #expect((answer["call"] as? String)?.isEmpty == false)
    }
  }

  @Test("No mode that was off by 500 m is said to do for the way itself: a tunnel leaves none")
  func track() throws {
    // A walk under the sky; a drive with 3 km of tunnel, and a day with that drive in it.
    for (trace, does) in [
      ("walk.nmea", true), ("car-commute.gpx", false), ("mixed-day.gpx", false),
    ] {
      let document = try document(trace, ["--worlds", "3"])
      let answer = try #require(answers(document)["track"])
      let off = try row(of: answer, in: document)["off_by_m"] as? Object
      #expect(answer["will_do"] as? Bool == does, "\(trace)")
      #expect((off?["max"] as? Double ?? .nan < 500) == does, "\(trace)")
      let text = try Program.run(["compare", "--worlds", "3", Package.trace(trace)]).output
      #expect(text.contains("comes nearest") != does, "\(text)")
    }
  }

  @Test("Every ratio in words is that of the answer, also in the details")
  func ratios() throws {
    let document = try document("train.gpx")
    let ratios = answers(document).values.compactMap { $0["ratio"] as? Double }
    let said = Set(ratios.map { Self.twoFigures(max($0, 1 / $0)) })
    for form in [[], ["--details"], ["--markdown"]] {
      let text = try Program.run(["compare"] + form + [Package.trace("train.gpx")]).output
      let words = text.split(whereSeparator: \.isWhitespace)
      let times = words.filter { $0.hasSuffix("×") }.map { String($0.dropLast()) }
      #expect(!times.isEmpty && Set(times).isSubset(of: said), "\(form): \(times) of \(said)")
      #expect(!text.contains(" times what "))
    }
  }

  /// `4.7`, `25`, `270`: what is shown of a ratio from 1 on.
  private static func twoFigures(_ value: Double) -> String {
    if value < 9.95 { return String(format: "%.1f", value) }
    let step = pow(10, floor(log10(value)) - 1)
    return String(format: "%.0f", (value / step).rounded() * step)
  }

  @Test("All modes are judged by one list of events, and what they missed is out of it")
  func events() throws {
    let runs = try #require(try document("mixed-day.gpx", ["--worlds", "2"])["runs"] as? [Object])
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

  @Test("A phone is answered with what a phone's system gives, a host of its own with its policies")
  func platform() throws {
    let phone = try document("mixed-day.gpx", ["--worlds", "2"])
    #expect(answers(phone).count == 4)
    for (purpose, answer) in answers(phone) {
      #expect([nil, "ios-field"].contains(answer["policy"] as? String), "\(purpose)")
      #expect(answer["call_android"] is String)
    }
    let pi = try document("mixed-day.gpx", ["--worlds", "2", "--profile", "pi-zero-ublox7"])
    #expect(answers(pi).count == 4)
    for (purpose, answer) in answers(pi) {
      #expect([nil, "receiver", "milepost"].contains(answer["policy"] as? String), "\(purpose)")
      #expect(answer["call_android"] == nil)
      #expect((answer["call"] as? String)?.contains("service = ") == true)
    }
  }

  @Test(
    "An answer that is called sure is the same in other worlds; a single departure makes none sure")
  func redrawn() throws {
    // One departure, told in time in each of 20 worlds: too few to say 95 %.
    let train = try #require(answers(try document("train.gpx"))["arrival"])
    #expect(train["sure"] as? Bool == false && train["agrees_in"] as? Int == 20)
    var sure = 0
    for trace in ["car-commute.gpx", "walk.nmea", "train.gpx"] {
      let first = answers(try document(trace))
      for seed in ["101", "201"] {
        let other = answers(try document(trace, ["--seed", seed]))
        for (purpose, answer) in first where answer["sure"] as? Bool == true {
          let again = try #require(other[purpose])
          sure += 1
          #expect(answer["mode"] as? String == again["mode"] as? String, "\(trace) \(purpose)")
          #expect(answer["policy"] as? String == again["policy"] as? String)
        }
      }
    }
    #expect(sure >= 10)
  }

  @Test("One world gives the figures of that seed, and --for answers one purpose with what to call")
  func one() throws {
    let two = try document("walk.nmea", ["--worlds", "1", "--seed", "2"])
    #expect(two["worlds"] as? Int == 1 && two["seed"] as? Int == 2)
    let text = try Program.run(["--for", "arrival", Package.trace("walk.nmea")]).output
    #expect(text.contains("→ Come or gone? "))
    #expect(!text.contains("The way itself?"))
    #expect(text.contains("  iOS: ") && text.contains("  Android: "))
    let wrong = try Program.run(["compare", "--for", "everything", Package.trace("walk.nmea")])
    #expect(wrong.code == 2 && wrong.errors.contains("everything"))
    #expect(answers(two).values.allSatisfy { $0["sure"] as? Bool == false })
    let document = try Program.run(["compare", "--json", "--for", "arrival", "a.gpx"])
    #expect(
      document.errors.hasPrefix(
        "milepost: error: --for is for the text; the other forms have all four purposes\n"))
    let picture = try Program.run(["compare", "--card", "a.png", "a.gpx"])
    #expect(picture.errors.hasPrefix("milepost: error: --card writes an SVG; name the file .svg"))
    let many = try Program.run(["compare", "--worlds", "0", Package.trace("walk.nmea")])
    #expect(many.errors.contains("'0' is not a whole number from 1 to 1000"))
  }

  @Test("Every percentile says that it is one, and a battery share is of the location part only")
  func words() throws {
    let text = try Program.run([Package.trace("walk.nmea")]).output
    #expect(text.contains("off by (95 %)") && text.contains("told in (95 %)"))
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("location only; a whole phone draws") && !words.contains("at most"))
  }
}
