// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

// The truth of car-commute.gpx: at home (-23.4120, 15.0480) until 06:31:55; the car stops for good at -23.65253,
// 15.09680 at 07:13:13. By the truth's file it is 200 m from home at 06:32:35, and 200 m from work at 07:12:43.

@Suite("replay --region")
struct ReplayRegionTests {
  private let commute = Package.trace("car-commute.gpx")
  private let places = [
    "--region", "home=-23.412,15.048,200", "--region", "work=-23.6525305,15.0968049,200",
  ]

  private func scores(_ policy: String) throws -> [String: [String: Any]] {
    let answer = try Program.run(
      ["replay", "--policy", policy, "--format", "jsonl"] + places + [commute])
    #expect(answer.code == 0)
    let lines = try answer.documents().filter { $0["event"] as? String == "region_score" }
    #expect(lines.count == 2)
    return Dictionary(
      uniqueKeysWithValues: lines.compactMap { line in
        (line["region"] as? String).map { ($0, line) }
      })
  }

  private func late(_ side: String, _ score: [String: Any]?) throws -> Double? {
    let tally = try #require(score?[side] as? [String: Any])
    #expect(tally["count"] as? Int == 1)
    return tally["delay_max_s"] as? Double
  }

  @Test(
    "Home is left once and work entered once; each policy tells of the exit within its time",
    arguments: [("milepost", 120.0), ("elastic", 120), ("receiver", 300), ("periodic", 300)])
  func exit(policy: String, seconds: Double) throws {
    let scores = try scores(policy)
    let exit = try #require(try late("exits", scores["home"]))
    #expect((20...seconds).contains(exit), "\(exit) s")
    let entries = try #require(scores["home"]?["entries"] as? [String: Any])
    #expect(entries["count"] as? Int == 0)
    #expect(scores["home"]?["unfounded"] as? Int == 0)
    #expect(scores["work"]?["unfounded"] as? Int == 0)
  }

  @Test("The entry at work is told within a minute where the policy reckons with the border")
  func entry() throws {
    let entry = try #require(try late("entries", scores("milepost")["work"]))
    #expect((20...60).contains(entry), "\(entry) s")
  }

  @Test("--why-at says on which side of each region the device is")
  func sides() throws {
    let answer = try Program.run(
      ["replay", "--policy", "milepost", "--why-at", "2026-03-17T06:45:00Z"] + places + [commute])
    #expect(answer.code == 0)
    // Under way since 06:32:35, and not there before 07:12:43.
    #expect(answer.output.contains("outside the region 'home'"))
    #expect(answer.output.contains("outside the region 'work'"))
  }

  @Test("A day has each exit and each entry once, and its visits")
  func day() throws {
    // By the truth's file the device is 200 m from home at 14:24:41, and again at 00:46:39.
    let answer = try Program.run(
      [
        "replay", "--policy", "milepost", "--format", "jsonl", "--visits", "--region",
        "home=39.064,-115.902,200", Package.trace("mixed-day.gpx"),
      ])
    let lines = try answer.documents()
    let validator = try SchemaValidator("replay-event")
    #expect(lines.flatMap(validator.errors(in:)).isEmpty)
    let score = try #require(lines.first { $0["event"] as? String == "region_score" })
    #expect(score["unfounded"] as? Int == 0)
    for side in ["exits", "entries"] {
      let tally = try #require(score[side] as? [String: Any])
      #expect(tally["missed"] as? Int == 0)
      #expect(tally["count"] as? Int == 1)
    }
    let visits = lines.filter { $0["event"] as? String == "place" && $0["region"] is NSNull }
    let kinds = visits.compactMap { $0["what"] as? String }
    #expect(kinds.first == "arrived")
    #expect(zip(kinds, kinds.dropFirst()).allSatisfy { $0 != $1 }, "\(kinds)")
    #expect(kinds.count >= 3)
  }

  @Test("The text has what happened, and at its end how late")
  func text() throws {
    let answer = try Program.run(["replay", "--policy", "milepost"] + places + [commute])
    let lines = answer.output.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasSuffix("  place    left the region 'home'") })
    let home = lines.first { $0.hasPrefix("region 'home'") } ?? ""
    #expect(home.hasPrefix("region 'home': 1 exit, told ") && home.hasSuffix(" late; no entry"))
  }

  @Test(
    "What is wrong with a region is said",
    arguments: [
      (
        ["--region", "home"],
        "'home' is no region; one is NAME=LATITUDE,LONGITUDE,RADIUS in degrees and metres, such as "
          + "home=55.6761,12.5683,200"
      ),
      (
        ["--region", "home=91,0,200"],
        "'home=91,0,200' is no region; one is NAME=LATITUDE,LONGITUDE,RADIUS in degrees and metres, such "
          + "as home=55.6761,12.5683,200"
      ),
      (
        ["--region", "home=1,2,0"],
        "'home=1,2,0': a region's name has 1 to 256 bytes, and its radius is from 1 to 100000 m"
      ),
      (
        ["--region", "a=1,2,3", "--region", "a=1,2,4"],
        "--region names 'a' twice; each region has a name of its own"
      ),
    ])
  func errors(arguments: [String], words: String) throws {
    for command in ["replay", "compare"] {
      let answer = try Program.run([command] + arguments + [commute])
      #expect(answer.code == 2)
      #expect(answer.errors.contains(words), "\(answer.errors)")
    }
  }

  @Test("compare judges the borders of the places that are named; a sum over traces has none")
  func compared() throws {
    func events(_ options: [String]) throws -> Set<Int> {
      let answer = try Program.run(["compare", "--json", "--worlds", "2"] + options + [commute])
      let runs = try #require(try answer.documents().first?["runs"] as? [[String: Any]])
      return Set(
        runs.compactMap { ($0["fence_delay_s"] as? [String: Any])?["count"] as? Int })
    }
    // Home is left in each of two worlds, and work is entered too near the end to be judged; nobody comes near a place
    // in the Gulf of Guinea.
    #expect(try events(places) == [2])
    #expect(try events(["--region", "buoy=0,0,200"]) == [0])
    let summed = try Program.run(["compare", "--partial"] + places + [commute])
    #expect(summed.code == 2)
    #expect(
      summed.errors.contains(
        "--region is for comparisons of modes over whole traces; leave it out with --partial, --merge, --era all and a "
          + "scenario's file"))
  }
}
