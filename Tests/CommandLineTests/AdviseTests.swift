// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import Testing

@Suite("advise")
struct AdviseTests {
  private let commute = Package.trace("car-commute.gpx")

  private func document(_ arguments: [String]) throws -> [String: Any] {
    let answer = try Program.run(["advise", "--worlds", "1", "--json"] + arguments)
    let document = try #require(try answer.documents().first, "\(answer.errors)")
    #expect(try SchemaValidator("advise").errors(in: document).isEmpty)
    return document
  }

  @Test("The front of a day is what was reviewed, in 100 columns and without colour in a pipe")
  func text() throws {
    let answer = try Program.run([
      "advise", "--worlds", "1", "--budget", "100 mWh/day", "--profile", "tracker-lora-m10",
      Package.trace("mixed-day.gpx"),
    ])
    #expect(answer.code == 0)
    #expect(answer.errors.isEmpty)
    #expect(answer.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(!answer.output.contains("\u{1B}"))
    try Golden.expect(answer.output, is: "advise-mixed-day")
  }

  @Test("No configuration beats one of the front, and the recommended one keeps budget and delay")
  func front() throws {
    let document = try document(["--budget", "300 mWh/day", "--latest", "5 min", commute])
    let all = try #require(document["configurations"] as? [[String: Any]])
    func value(_ place: [String: Any], _ key: String) -> Double { place[key] as? Double ?? .nan }
    let choices = all.filter { $0["is_choice"] as? Bool == true }
    let front = all.filter { $0["on_front"] as? Bool == true }
    #expect(front.count >= 2)
    for place in front {
      for other in choices where other["name"] as? String != place["name"] as? String {
        let (energy, delay) = (value(other, "energy_mwh_per_day"), value(other, "delay_p95_s"))
        let beats =
          energy < value(place, "energy_mwh_per_day") && delay <= value(place, "delay_p95_s")
        #expect(!beats, "\(other["name"] ?? "") beats \(place["name"] ?? "")")
      }
    }
    for place in choices where place["on_front"] as? Bool == false {
      // A policy without judged events, or with too many missed ones, needs no better one: it is out of the running.
      #expect(place["beaten_by"] is String || place["delay_p95_s"] is NSNull)
    }
    for place in front { #expect(place["delay_p95_s"] is Double) }
    let name = try #require(document["recommended"] as? String)
    let chosen = try #require(all.first { $0["name"] as? String == name })
    #expect(value(chosen, "energy_mwh_per_day") <= 300)
    #expect(value(chosen, "delay_p95_s") <= 300)
    for (place, next) in zip(front, front.dropFirst()) {
      let price = value(next, "energy_mwh_per_day") - value(place, "energy_mwh_per_day")
      let gain = value(place, "delay_p95_s") - value(next, "delay_p95_s")
      #expect(
        abs(value(place, "buys_s_per_mwh_per_day") - gain / price) < 0.01 * gain / price + 1e-4)
    }
  }

  @Test("Energy and delay are those of compare, for the same policy")
  func agrees() throws {
    let all = try document([commute])["configurations"] as? [[String: Any]] ?? []
    let ours = try #require(all.first { $0["name"] as? String == "milepost" })
    let compared = try #require(
      try Program.run(["compare", "--worlds", "1", "--json", "--policy", "milepost", commute])
        .documents().first)
    let run = try #require(
      (compared["runs"] as? [[String: Any]])?.last { $0["mode"] as? String == "significant" })
    let judged = try #require((compared["trace"] as? [String: Any])?["judged_s"] as? Double)
    // 1 mWh is 3.6 J.
    let expected = (run["energy_j"] as? Double ?? .nan) / judged * 86_400 / 3.6
    #expect(abs((ours["energy_mwh_per_day"] as? Double ?? .nan) / expected - 1) < 1e-4)
    // The commute has a departure and an arrival, and ends too soon after this one for it to be judged.
    let delays = ["arrival", "departure"].map { run["\($0)_delay_s"] as? [String: Any] ?? [:] }
    #expect(delays[0]["count"] as? Int == 0 && delays[1]["count"] as? Int == 1)
    #expect(ours["events"] as? Int == 1 && ours["missed"] as? Int == 0)
    #expect(ours["delay_p95_s"] as? Double == delays[1]["p95"] as? Double)
  }

  @Test("The same seed gives the same bytes, another seed other ones")
  func seeds() throws {
    let arguments = [
      "advise", "--worlds", "1", "--json", "--truth", "none", Package.trace("walk.nmea"),
    ]
    let first = try Program.run(arguments).output
    #expect(try Program.run(arguments).output == first)
    #expect(try Program.run(arguments + ["--seed", "2"]).output != first)
  }

  @Test("A wish that nothing fulfils is a negative answer that names the nearest")
  func refusal() throws {
    let answer = try Program.run(["advise", "--worlds", "1", "--budget", "0.001 mWh/day", commute])
    #expect(answer.code == 1)
    #expect(answer.errors.isEmpty)
    let text = answer.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains(
        "Nothing that is told of 95 % of arrivals and departures stays within 0.0010 mWh a day: the cheapest, "
      ))
    #expect(try document(["--budget", "0.001 mWh/day", commute])["recommended"] is NSNull)
  }

  @Test(
    "Twenty worlds say in how many of them it would be the same, and a phone has what phones have")
  func worlds() throws {
    let answer = try Program.run(["advise", "--json", commute])
    let document = try #require(try answer.documents().first)
    #expect(try SchemaValidator("advise").errors(in: document).isEmpty)
    #expect(document["worlds"] as? Int == 20)
    let agrees = try #require(document["agrees_in"] as? Int)
    let others = (document["otherwise"] as? [[String: Any]] ?? []).compactMap {
      $0["worlds"] as? Int
    }
    #expect(agrees + others.reduce(0, +) == 20)
    let all = try #require(document["configurations"] as? [[String: Any]])
    let choices = all.filter { $0["is_choice"] as? Bool == true }.compactMap {
      $0["name"] as? String
    }
    #expect(
      Set(choices) == [
        "continuous", "armed by a region", "armed by visits", "armed by significant change",
        "ios-field", "regions",
      ])
    // There is no stay of 5 min on a commute.
    #expect(document["silent"] as? [String] == ["visits"])
    let text = try Program.run(["advise", commute]).output
    #expect(
      text.contains(
        agrees == 20 ? "The same in all 20 worlds." : "he same in \(agrees) of 20 worlds"))
    #expect(document["sure"] as? Bool == (agrees >= 19))
    #expect(text.contains("Not certain: ") == (agrees < 19))
    #expect(text.replacing("\n", with: " ").contains("in 20 simulated worlds"))
  }

  @Test("What compare asks by purpose is what --for asks, of those that are about events")
  func purpose() throws {
    let border = try document(["--for", "fence", commute])
    #expect(border["purpose"] as? String == "fence")
    #expect(try document([commute])["purpose"] as? String == "arrival")
    let way = try Program.run(["advise", "--for", "track", commute])
    #expect(
      way.errors.hasPrefix(
        "milepost: error: --for is arrival or fence here: track is not about events, of which one knows late or "
          + "in time; milepost compare answers it\n"))
  }

  @Test("Who missed all events of a day is recommended neither by itself nor for 30 min")
  func misses() throws {
    let day = Package.trace("mixed-day.gpx")
    for wish in [[], ["--latest", "30 min"]] {
      let document = try document(wish + [day])
      let all = try #require(document["configurations"] as? [[String: Any]])
      let chosen = all.first { $0["name"] as? String == document["recommended"] as? String }
      let (missed, events) = (chosen?["missed"] as? Int, chosen?["events"] as? Int)
      #expect(try #require(missed) * 20 <= #require(events))
    }
  }

  @Test(
    "A day at home has nothing to be told of: no advice, and the reason in the words of compare")
  func nothingDue() throws {
    // The truth beside the trace covers no metre.
    let answer = try Program.run(["advise", "--worlds", "1", Package.trace("home-day.gpx")])
    #expect(answer.code == 1)
    let text = answer.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("No advice: not tested: nobody came or went."))
    #expect(try document([Package.trace("home-day.gpx")])["recommended"] is NSNull)
  }

  @Test("The page is one well-formed file that fetches nothing and holds every configuration")
  func page() throws {
    let scratch = try Scratch()
    let path = scratch.path("front.html")
    let answer = try Program.run(["advise", "--worlds", "1", "--html", path, "--json", commute])
    #expect(answer.code == 0)
    let page = try scratch.read("front.html")
    #expect(XMLParser(data: Data(page.utf8)).parse())
    #expect(page.contains("default-src 'none'") || page.contains("default-src &#39;none&#39;"))
    #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"))
    let document = try #require(try answer.documents().first)
    for place in document["configurations"] as? [[String: Any]] ?? [] {
      #expect(page.contains("\(place["name"] as? String ?? "?")</th>"))
    }
    let piped = try Program.run(["advise", "--worlds", "1", "--html", "-", commute])
    #expect(piped.output == page)
  }

  @Test("Several traces are one front")
  func several() throws {
    let document = try document([commute, Package.trace("train.gpx")])
    let names = (document["traces"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(names == ["car-commute.gpx", "train.gpx"])
  }

  @Test(
    "Errors say what is wrong and what to write",
    arguments: [
      (
        ["--budget", "20"],
        "'20' has no unit; write one of mWh/day, Wh/day, J/day, kJ/day, mW, %/day behind the number"
      ),
      (
        ["--budget", "20 apples"],
        "'apples' is no unit of a budget; known: mWh/day, Wh/day, J/day, kJ/day, mW, %/day"
      ),
      (
        ["--latest", "soon"],
        "'soon' is not a delay: write a number above 0, at most 1000000000, and a unit (s, min, h)"
      ),
      (
        ["--latest", "0 s"],
        "'0 s' is not a delay: write a number above 0, at most 1000000000, and a unit (s, min, h)"
      ),
    ])
  func errors(options: [String], message: String) throws {
    let answer = try Program.run(["advise", "--worlds", "1"] + options + [commute])
    #expect(answer.code == 2)
    #expect(answer.output.isEmpty)
    #expect(answer.errors == "milepost: error: \(message)\n")
  }
}
