// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import Scoring
import Testing

@testable import Replay

@Suite("A sweep over policies and settings")
struct SweepTests {
  private func options(_ profile: String) throws -> ReplayOptions {
    let device = try #require(try ProfileLibrary.device(named: profile))
    return ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
  }

  private func sweep(_ times: Int, _ options: ReplayOptions) -> Sweep {
    let drive = Drawn.trace([(1_200, 15), (600, 0), (1_200, 15)])
    var sweep = Sweep(options)
    for _ in 0..<times {
      var comparison = Comparison(
        sweep.configurations.map(\.plan), options: options, summary: Drawn.summary(drive),
        keepsPath: true)
      comparison.feed(drive)
      sweep.add(comparison.finish(), path: comparison.path, options: options)
    }
    return sweep
  }

  @Test("Each configuration has a name of its own, and only what the device can follow is tried")
  func configurations() throws {
    let phone = Configuration.all(for: try options("phone-2021-lte").device, seed: 1)
    #expect(Set(phone.map(\.name)).count == phone.count)
    #expect(phone.contains { $0.name == "ios-field" && $0.isChoice })
    #expect(phone.contains { $0.name == "milepost" && !$0.isChoice })
    #expect(phone.count { $0.interval == 900 } == 2)
    let pi = Configuration.all(for: try options("pi-zero-ublox7").device, seed: 1)
    #expect(!pi.contains { $0.name.hasPrefix("ios") || $0.name.hasPrefix("owntracks") })
    #expect(pi.contains { $0.name == "milepost" && $0.isChoice })
    #expect(!pi.contains { $0.plan.pausesAutomatically })
  }

  @Test("Two traces add up: twice the same drive is twice the energy, crossings and corner")
  func sums() throws {
    let options = try options("tracker-lora-m10")
    let (one, two) = (sweep(1, options), sweep(2, options))
    #expect(two.judged == 2 * one.judged && one.judged == 3_000)
    for (a, b) in zip(one.points, two.points) {
      #expect(abs(b.energy - 2 * a.energy) < 1e-9)
      #expect(b.score.crossings == 2 * a.score.crossings)
      #expect(b.delay.count == 2 * a.delay.count && a.delay.count == a.score.crossings)
    }
    let corner = try #require(one.corner)
    #expect(abs((two.corner ?? 0) - 2 * corner) < 1e-9)
    // Nobody who told all of it at once is cheaper than the corner.
    for point in one.points where point.score.missed == 0 && point.score.crossings > 0 {
      if point.delay.quantile(1) ?? 9 <= Sweep.cornerDelay { #expect(point.energy >= corner) }
    }
  }

  @Test("A missed crossing is as late as the time after which it was missed")
  func missed() throws {
    let sweep = sweep(1, try options("tracker-lora-m10"))
    let point = try #require(
      sweep.points.first { $0.score.missed > 0 }, "no configuration misses anything here")
    #expect(point.delay.quantile(1) == 1_800)
  }
}
