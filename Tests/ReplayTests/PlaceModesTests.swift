// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationEngine
import LocationModel
import RadioPower
import ServiceCore
import Testing

@testable import Replay

/// Apps that receive only visits, or only entries and exits of places.
@Suite("Visits and region monitoring as modes")
struct PlaceModesTests {
  private func run(
    _ mode: RunPlan.Mode, on name: String, over events: [TraceEvent],
    islands: WiFiCoverage? = nil
  ) throws -> RunResult {
    let device = try #require(try ProfileLibrary.device(named: name))
    var options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    if let islands { options.wifiIslands = islands }
    var places = TripPlaces(Drawn.summary(events), isRecorded: true)
    places.feed(events)
    options.places = places.finishTrace()
    let plan = try #require(RunPlan.standardRows(for: device).first { $0.mode == mode })
    var comparison = Comparison(
      [plan], options: options, summary: Drawn.summary(events))
    comparison.feed(events)
    return comparison.finishTrace().runs[0]
  }

  @Test(
    "Regions around the places of a day: each entry and exit is told once, and nothing else",
    arguments: ["phone-2021-lte", "pi-zero-ublox7"])
  func regions(device: String) throws {
    // Home, a drive of 15 km, an hour at work, and home again.
    let day = Drawn.trace([(1_200, 0), (1_000, 15), (3_600, 0), (1_000, -15), (3_600, 0)])
    let result = try run(
      .regions, on: device, over: day, islands: device == "pi-zero-ublox7" ? nil : .share(1))
    #expect(result.plan.regions.map(\.identifier) == ["place 1", "place 2"])
    // Two exits and two entries.
    let borders = result.whereabouts.borders
    #expect(borders.count == 4 && borders.delay.count == 4, "\(borders)")
    #expect(result.counters.deliveries == 4)
    #expect(result.counters.wakes + result.counters.launches == 4)
    // An exit is told as the end of the stay, an entry as its beginning.
    let (arrivals, departures) = (result.whereabouts.arrivals, result.whereabouts.departures)
    #expect(arrivals.count == 2 && arrivals.delay.count == 2)
    #expect(departures.count == 2 && departures.delay.count == 2)
    // Without a sensor the next look comes after 1,200 s at most.
    #expect(borders.longest < (device == "pi-zero-ublox7" ? 1_200 : 600), "\(borders)")
  }

  @Test("On a phone, far borders cost less than significant changes on the same way")
  func farBorders() throws {
    let drive = Drawn.trace([(1_200, 0), (6_000, 25), (1_200, 0)])
    for device in ["phone-2021-lte", "phone-2014-iphone6"] {
      let (regions, changes) = (
        try run(.regions, on: device, over: drive), try run(.significant, on: device, over: drive)
      )
      #expect(
        regions.energy.total.nominal < changes.energy.total.nominal,
        "\(device): \(regions.energy.total.nominal), \(changes.energy.total.nominal) J")
    }
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
      // The least wait is 85 s near the place, of which the daemon assumes 60 s to have passed on foot before the rest,
      // and the last window that felt the ride may have ended 10 s before it.
      #expect(try #require(arrivals.delay.quantile(0)) >= 15, "\(arrivals)")
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
