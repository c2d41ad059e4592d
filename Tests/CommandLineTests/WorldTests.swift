// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The simulated world")
struct WorldTests {
  private func trace(_ name: String) -> String {
    Package.root.appendingPathComponent("Traces/\(name)").path
  }

  private func significant(_ arguments: [String], in scratch: Scratch) throws -> [String: Any] {
    let answer = try Program.run(["compare", "--worlds", "1", "--json"] + arguments, in: scratch)
    #expect(answer.code == 0, "\(answer.errors)")
    let runs = try answer.documents().first?["runs"] as? [[String: Any]] ?? []
    return try #require(runs.first { $0["mode"] as? String == "significant" })
  }

  @Test("Towers of a list replace the synthetic ones, and whose they are is said")
  func towers() throws {
    let scratch = try Scratch()
    // Three towers of one network along the commute's first kilometres, one of another.
    _ = try scratch.write(
      "cells.csv",
      """
      radio,mcc,net,area,cell,unit,lon,lat,range,samples
      LTE,649,1,1,1,0,15.048,-23.412,1000,5
      LTE,649,1,1,2,0,15.052,-23.390,1000,5
      LTE,649,1,1,3,0,15.060,-23.360,1000,5
      LTE,649,3,1,3,0,15.061,-23.361,1000,5

      """)
    let answer = try Program.run(
      ["compare", "--details", "--worlds", "1", trace("car-commute.gpx")]
        + scratch.world("towers: cells.csv"), in: scratch)
    #expect(answer.code == 0)
    #expect(answer.errors == "milepost: cells.csv: 3 towers near car-commute.gpx, of LTE 649-1\n")
    let text = answer.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("cell towers of cells.csv"))
    #expect(!text.contains("synthetic cells"))
  }

  @Test("A list without a tower near the trace, and one with a bad line, are errors that say so")
  func badTowers() throws {
    let scratch = try Scratch()
    _ = try scratch.write("far.csv", "LTE,262,1,1,1,0,13.4,52.5,1000,5\n")
    let none = try Program.run(
      ["compare", "--worlds", "1", trace("walk.nmea")] + scratch.world("towers: far.csv"),
      in: scratch)
    #expect(none.code == 2)
    #expect(
      none.errors
        == "milepost: error: far.csv: none of its 1 towers lies within 35 km of walk.nmea; "
        + "take a list of that country, or leave towers out for synthetic cells\n")
    _ = try scratch.write("bad.csv", "LTE,262,1,1,1,0,13.4,52.5\nLTE,262,1,1,1,0,13.4,x\n")
    let wrong = try Program.run(
      ["compare", "--worlds", "1", trace("walk.nmea")] + scratch.world("towers: bad.csv"),
      in: scratch)
    #expect(wrong.code == 2)
    #expect(
      wrong.errors == "milepost: error: bad.csv:2: lat 'x' is not degrees from -90 to 90\n")
  }

  @Test("A phone that pays for scans knows where it rests, and one that is told not to does not")
  func paidScans() throws {
    let scratch = try Scratch()
    let day = trace("mixed-day.gpx")
    let field = ["--policy", "ios-field", day]
    let auto = try significant(field, in: scratch)
    let off = try significant(scratch.world("wifi_islands: off") + field, in: scratch)
    // A day of which it rests 22 h: off by 500 m most of it without Wi-Fi, hardly with it.
    #expect(try #require(off["blind_s"] as? Double) > 12 * 3_600)
    #expect(try #require(auto["blind_s"] as? Double) < 2 * 3_600)
    let tracker = try Program.run(["compare", "--json", "-p", "tracker-lora-m10", day])
    #expect(tracker.output.contains(#""wifi_islands":"off""#))
    let phone = try Program.run(["compare", "--json", trace("walk.nmea")])
    #expect(phone.output.contains(#""wifi_islands":"auto""#))
  }

  @Test("With Wi-Fi known everywhere the network's positions are good, and fewer moves are missed")
  func islands() throws {
    let scratch = try Scratch()
    let walk = trace("walk.nmea")
    let off = try significant(scratch.world("wifi_islands: off") + [walk], in: scratch)
    let islands = try significant(scratch.world("wifi_islands: 1") + [walk], in: scratch)
    // A walk of 1.2 km and back: 25 m instead of 320 m.
    #expect(
      try #require(islands["blind_s"] as? Double) < (try #require(off["blind_s"] as? Double)))
    let answer = try Program.run(
      ["compare", "--worlds", "1", walk] + scratch.world("wifi_islands: 2"), in: scratch)
    #expect(answer.errors.contains("2 is not auto, on, off or a number from 0 to 1"))
  }

  @Test("Mixed places, lost fixes and the sensor's habits are named under the table")
  func footnotes() throws {
    let scratch = try Scratch()
    let world = try scratch.world(
      """
      fix_loss: 0.2
      motion_window_s: 8
      motion_false_alarms_per_h: 3
      motion_smooth: 1
      wifi_islands: on
      """)
    let answer = try Program.run(
      [
        "compare", "--details", "--worlds", "1", "--environment", "mixed", trace("walk.nmea"),
      ] + world)
    #expect(answer.code == 0)
    let text = answer.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("environment mixed"))
    #expect(text.contains("indoors: cold never"))
    #expect(text.contains("20 % of the fixes go missing"))
    #expect(
      text.contains(
        "windows of 8 s, which feels 95 % of those with steps and 90 % of a ride's, nothing of 100 % "
          + "of rides, and has 3 false alarms an hour"))
    #expect(text.contains("25 m in the 50 % of places whose Wi-Fi is known"))
  }

  @Test("A device can be without its sensor, and who pauses is not started again then")
  func noSensor() throws {
    let scratch = try Scratch()
    let answer = try Program.run(
      ["compare", "--worlds", "1", "--json", trace("walk.nmea")]
        + scratch.world("motion_sensor: no"))
    #expect(answer.code == 0)
    #expect(answer.output.contains(#""motion_smooth":"none""#))
    let sensed = try Program.run(["compare", "--worlds", "1", "--json", trace("walk.nmea")])
    #expect(sensed.output.contains(#""motion_smooth":"0.02""#))
  }
}
