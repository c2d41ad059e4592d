// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationEngine
import LocationModel
import RadioPower
import ServiceCore
import Testing

@testable import Replay

/// Apps that receive only visits, or only exits from a circle.
@Suite("Visits and region monitoring as modes")
struct PlaceModesTests {
  private func run(
    _ mode: RunPlan.Mode, on name: String, over events: [TraceEvent]
  ) throws -> RunResult {
    let device = try #require(try ProfileLibrary.device(named: name))
    let options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    let plan = try #require(RunPlan.standardRows(for: device).first { $0.mode == mode })
    var comparison = Comparison(
      [plan], options: options, summary: Drawn.summary(events))
    comparison.feed(events)
    return comparison.finish().runs[0]
  }

  @Test(
    "A circle that is drawn anew is left again and again on a drive, and each time at a right place",
    arguments: ["phone-2021-lte", "pi-zero-ublox7"])
  func circle(device: String) throws {
    // 36 km; a circle of 2 km and the 200 m that a crossing needs beyond it are left 16 times at most.
    let result = try run(.regions, on: device, over: Drawn.trace([(120, 0), (2_400, 15)]))
    #expect((6...17).contains(result.counters.deliveries), "\(result.counters.deliveries)")
    #expect(result.counters.wakes + result.counters.launches >= 5)
    // Most of the moves of 500 m are reported within the half hour, by a position that came after them.
    let crossings = result.whereabouts.crossings
    #expect((70...72).contains(crossings.count) && crossings.delay.count >= 36)
  }

  @Test(
    "A visit is all that such an app is told of; on a phone its arrival comes after the least wait of the daemon",
    arguments: ["phone-2021-lte", "pi-zero-ublox7"])
  func visits(device: String) throws {
    let day = Drawn.trace([(600, 0), (900, 15), (3_600, 0), (900, 15), (3_600, 0)])
    let result = try run(.visits, on: device, over: day)
    // Three places and two departures; the arrival at the first one was not observed.
    #expect((3...5).contains(result.counters.deliveries), "\(result.counters.deliveries)")
    let arrivals = result.whereabouts.arrivals
    #expect(arrivals.count == 2 && arrivals.delay.count >= 1)
    if device == "phone-2021-lte" {
      // The daemon may take a halt before the true end for the beginning of the stay.
      #expect(try #require(arrivals.delay.quantile(1)) < 600, "\(arrivals)")
    } else {
      // Without a sensor a departure is found by the next look, here after the arrival, and its position tells of that
      // too: the visit comes 300 s after the first position at the place, and the looks 1,200 s apart at most.
      #expect(try #require(arrivals.delay.quantile(1)) <= 1_200 + 300, "\(arrivals)")
    }
    #expect(result.whereabouts.departures.count == 2)
    #expect(result.energy.total.nominal > 0)
  }
}
