// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationEngine
import LocationModel
import RadioPower
import ServiceCore
import Testing

@testable import Replay

/// The policy `ios-field` against field measurements: half of the phones woken by 750 m from the last notification, 95
/// % by 2,500 m.
@Suite("The policy ios-field")
struct PolicyFieldTests {
  /// Metres from the place of rest at the first notification, for one seed each.
  private func metres(atSpeed speed: Double, policy: String, seeds: Range<UInt64>) throws
    -> [Double]
  {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let rest = 400.0
    // A phone without a notification within 4,000 m counts as never notified: no judged quantile lies there.
    let events = Drawn.trace([(rest, 0), (4_000 / speed, speed)], every: 10)
    var result: [Double] = []
    for seed in seeds {
      var options = ReplayOptions(device: device, network: nil)
      options.seed = seed
      let plan = RunPlan(
        .significant, .pocket, policy: .named(policy, for: device, seed: seed))
      var run = Comparison(
        [plan], options: options, summary: Drawn.summary(events), records: .events)
      run.feed(events)
      _ = run.finishTrace()
      let told = run.drainEvents(ofRun: 0).first { event in
        if case .decided(.deliver(_, let delivery)) = event.kind {
          event.at.seconds > rest && !delivery.isCached
        } else {
          false
        }
      }
      result.append(told.map { ($0.at.seconds - rest) * speed } ?? .infinity)
    }
    return result.sorted()
  }

  @Test("Half are woken by 750 m, 95 % by 2,500 m, on foot and in a car", arguments: [1.4, 4, 14])
  func quantiles(speed: Double) throws {
    let all = try metres(atSpeed: speed, policy: "ios-field", seeds: 1..<101)
    // 100 draws: the sample's own median is good to about 10 %, its 95 % to about 15 %.
    #expect((750 * 0.7...750 * 1.3).contains(all[49]), "median \(all[49]) m")
    #expect((2_500 * 0.75...2_500 * 1.25).contains(all[94]), "95 % \(all[94]) m")
  }

  @Test("The documented rules are faster: nobody waits for 2,500 m")
  func documented() throws {
    let all = try metres(atSpeed: 4, policy: "ios", seeds: 1..<41)
    #expect(all[37] < 2_000)
  }
}
