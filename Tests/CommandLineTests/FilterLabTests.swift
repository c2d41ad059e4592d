// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("filter-lab")
struct FilterLabTests {
  private func runs(_ arguments: [String], in scratch: Scratch) throws -> [[String: Any]] {
    let answer = try Program.run(arguments, of: "filter-lab", in: scratch)
    #expect(answer.code == 0, "\(answer.errors)")
    return try answer.documents().first?["runs"] as? [[String: Any]] ?? []
  }

  @Test("Each policy has its bounds, and the figures of milepost compare")
  func bounds() throws {
    let scratch = try Scratch()
    let trace = Package.trace("mixed-day.gpx")
    let policies = ["--policy", "ios-field,milepost"]
    let runs = try runs(policies + [trace], in: scratch)
    #expect(runs.map { $0["policy"] as? String } == ["ios-field", "milepost"])
    let compared = try CompareTests.significant(
      Program.run(["compare", "--worlds", "1", "--json", trace] + policies))
    for (run, same) in zip(runs, compared) {
      for figure in ["energy_j", "crossings", "crossings_missed", "gnss_on_s", "spurious"] {
        #expect(run[figure] as? Double == same[figure] as? Double, "\(figure)")
      }
      let (missed, crossings) = (
        run["crossings_missed"] as? Int ?? -1, run["crossings"] as? Int ?? -1
      )
      let causal = try #require(run["causal"] as? [String: Any])
      #expect(causal["crossings"] as? Int == crossings)
      #expect(causal["missed_unreachable"] as? Int ?? -1 <= missed)
      #expect(causal["excess_latency_p95_s"] as? Double ?? -1 >= 0)
      #expect((run["optimum"] as? [String: Any])?["energy_j"] as? Double ?? -1 > 0)
    }
  }

  @Test("Every crossing is listed, whatever the thresholds are")
  func crossings() throws {
    let scratch = try Scratch()
    let world = try scratch.world("significant_distance_m: 100\nsignificant_interval_s: 10")
    let run = try #require(runs(world + [Package.trace("walk.nmea")], in: scratch).first)
    let list = try #require(run["crossing_list"] as? [[String: Any]])
    #expect(list.count == run["crossings"] as? Int)
    #expect(list.count { $0["outcome"] as? String == "missed" } == run["crossings_missed"] as? Int)
    // In 2.6 km and 40 minutes, half of them in a café, 500 m and 300 s give no more than 5.
    #expect(list.count > 10)
  }

  @Test("Who knows when a crossing comes need not notice first that the device moves")
  func ahead() throws {
    let scratch = try Scratch()
    let trace = Package.trace("mixed-day.gpx")
    func latest(_ arguments: [String]) throws -> Double {
      let host = ["--profile", "pi-zero-ublox7"]
      let run = try #require(runs(arguments + host + [trace], in: scratch).first)
      let list = try #require(run["crossing_list"] as? [[String: Any]])
      return list.compactMap { $0["earliest_s"] as? Double }.reduce(0, +)
    }
    #expect(try latest(["--known-ahead", "30"]) < latest([]))
    let odd = try Program.run(["--known-ahead", "301", trace], of: "filter-lab")
    #expect(odd.code != 0 && odd.errors.contains("not a number of seconds from 0 to 300"))
  }
}
