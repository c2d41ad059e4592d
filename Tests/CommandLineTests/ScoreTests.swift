// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("score")
struct ScoreTests {
  private func score(_ events: String, _ options: [String] = []) throws -> [String: Any] {
    let answer = try Program.run(
      ["score", "--json", "--list"] + options + [Package.trace("car-commute.gpx"), "-"],
      input: events)
    #expect(answer.code == 0, "\(answer.errors)")
    let document = try #require(try answer.documents().first)
    #expect(try SchemaValidator("score").errors(in: document).isEmpty)
    return document
  }

  @Test("A replay's deliveries score as compare says")
  func replay() throws {
    let trace = Package.trace("car-commute.gpx")
    let events = try Program.run(["replay", "--policy", "ios", "--format", "jsonl", trace])
    let scored = try score(events.output)
    let compared = try #require(
      try Program.run(["compare", "--worlds", "1", "--json", "--policy", "ios", trace]).documents()
        .first)
    let run = try #require(
      (compared["runs"] as? [[String: Any]])?.last { $0["mode"] as? String == "significant" })
    for key in ["crossings", "missed", "spurious", "latency_p50_s", "latency_p95_s"] {
      let name = key == "missed" ? "crossings_missed" : key
      #expect(scored[key] as? Double == run[name] as? Double, "\(key)")
    }
  }

  // Two deliveries: at 06:31:11, and at 06:36:26, 15 s after the 300 s; the truth is the trace's.
  @Test(
    "OwnTracks, its recorder's files, Overland, GPX and CSV say the same",
    arguments: [
      """
      {"_type":"location","tst":1773729071,"lat":-23.4112,"lon":15.0486,"acc":5}
      {"_type":"transition","tst":1773729072,"lat":-23.4,"lon":15.0}
      {"_type":"location","tst":1773729386,"lat":-23.4,"lon":15.06,"acc":5}
      """,
      "2026-03-17T06:31:11Z\t*                 \t{\"_type\":\"location\",\"tst\":1773729071,"
        + "\"lat\":-23.4112,\"lon\":15.0486,\"acc\":5}\n"
        + "2026-03-17T06:36:26Z\t*                 \t{\"_type\":\"location\",\"tst\":1773729386,"
        + "\"lat\":-23.4,\"lon\":15.06,\"acc\":5}\n",
      """
      {"locations": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [15.0486, -23.4112]},
         "properties": {"timestamp": "2026-03-17T06:31:11Z", "horizontal_accuracy": 5}},
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [15.06, -23.4]},
         "properties": {"timestamp": "2026-03-17T06:36:26Z", "horizontal_accuracy": 5}}]}
      """,
      """
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="-23.4112" lon="15.0486"><time>2026-03-17T06:31:11Z</time></trkpt>
      <trkpt lat="-23.4" lon="15.06"><time>2026-03-17T06:36:26Z</time></trkpt>
      </trkseg></trk></gpx>
      """,
      """
      time,latitude,longitude,accuracy_m
      2026-03-17T06:31:11Z,-23.4112,15.0486,5
      2026-03-17T06:36:26Z,-23.4,15.06,5
      """,
    ])
  func formats(events: String) throws {
    let document = try score(events)
    let first = try #require((document["list"] as? [[String: Any]])?.first)
    #expect(first["anchored"] as? String == "2026-03-17T06:31:11.000Z")
    #expect(first["crossing"] as? String == "2026-03-17T06:36:11.000Z")
    #expect(first["decided_by"] as? String == "interval")
    #expect(first["latency_s"] as? Double == 15)
    #expect((document["events"] as? [String: Any])?["deliveries"] as? Int == 2)
  }

  @Test("Lists that cannot be scored are refused in words")
  func refusals() throws {
    let trace = Package.trace("walk.nmea")
    let empty = try Program.run(["score", trace, "-"], input: "{\"seq\":1,\"event\":\"end\"}\n")
    #expect(empty.code == 2)
    #expect(empty.errors.contains("no delivery in this list"))
    let other = try Program.run(
      ["score", trace, "-"], input: "time,latitude,longitude\n2001-01-01T00:00:00Z,1,2\n")
    #expect(other.code == 2)
    #expect(other.errors.contains("no fresh delivery of this list can be placed on walk.nmea"))
  }
}
