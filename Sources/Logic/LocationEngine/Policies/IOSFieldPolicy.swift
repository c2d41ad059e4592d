// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The documented rules say 500 m; in the field half of the phones were woken by 750 m and 95 % only by 2,500 m from the
// previous notification [field]. The reason is unknown; the model here is the simplest
// with these two quantiles: after each notification a distance is drawn beyond which a change may be told, and until
// then every look is in vain.
//
//     log-normal: ln(2,500 / 750) = 1.204 = 1.645 σ, so σ = 0.732; never below 500 m
//
// A cell position errs by hundreds of metres, and of several looks the one that errs outwards tells first: so some
// notifications come earlier than the drawn distance. With known Wi-Fi the position is good, and they come with the
// next look behind it. In the default world, which has both, departures at 1.4, 4 and 14 m/s are told at a median of
// 740, 880 and 950 m, 95 % by 2,040 to 2,140 m (100 seeds).
//
// Looks come as in `ios`, at changes of cell, and again `again` seconds after one that was in vain, twice as
// long after the next, but not before an app may be told, as long as the last change of cell is younger than
// `recent`: phones also look at changes of Wi-Fi and at reselections within a cell, which a grid of towers does
// not have. Draws are numbered from a seed, so a run can be repeated.

/// Significant changes as measured on phones.
struct IOSFieldPolicy: Policy {
  /// Median distance, metres, from the previous notification at which phones woke their apps [field].
  static let median = 750.0
  /// σ of the natural logarithm of these metres; 95 % by 2,500 m [field].
  static let spread = 0.732
  /// Seconds after which a look in vain is repeated [estimate].
  static let again = 15.0
  /// Seconds after a change of cell during which looks are repeated [estimate].
  static let recent = 300.0

  private var asking = IOSPolicy()
  private var drawn: UInt64 = 0
  let seed: UInt64
  private var lastCellAt: EngineInstant?
  private var againAt: EngineInstant?
  private var inVain = 0
  /// The distance from the last notification that the next one needs, metres.
  private(set) var required: Double

  init(seed: UInt64) {
    self.seed = seed
    required = 500
    draw()
  }

  var nextDeadline: EngineInstant? { .earlier(againAt, asking.retryAt) }

  var triggers: Triggers { asking.triggers }
  var waitsFor: ReceiverPlan.Off { asking.waitsFor }
  var usesReceiver: Bool { false }

  func criteria(
    for fix: Fix, _ rules: EngineRules
  ) -> SignificantService.Criteria {
    var criteria = SignificantService.Criteria(rules)
    criteria.distance = max(criteria.distance, required)
    return criteria
  }

  /// Takes an event; returns whether a network position is wanted now.
  mutating func handle(event: PolicyEvent, at now: EngineInstant) -> Bool {
    switch event {
    case .cellChanged:
      lastCellAt = now
      inVain = 0
    case .judged(let judged):
      againAt = nil
      if judged.hasDelivered {
        draw()
      } else if let lastCellAt, EngineInstant.seconds(from: lastCellAt, to: now) < Self.recent {
        let again = now.advanced(bySeconds: Self.again * Double(1 << min(inVain, 6)))
        againAt = max(again, judged.mayTellAt ?? again)
        inVain += 1
      }
    case .timePassed:
      if let due = againAt, due <= now {
        againAt = nil
        return asking.ask()
      }
    case .ended:
      againAt = nil
      lastCellAt = nil
    case .began, .moved, .tripHint, .signal, .failed: break
    }
    return asking.handle(event: event, at: now)
  }

  private mutating func draw() {
    drawn += 1
    // Two uniform numbers make a normal one (Box and Muller, 1958).
    let radius = (-2 * logarithm(1 - uniform(2 * drawn))).squareRoot()
    let normal = radius * cosine(2 * .pi * uniform(2 * drawn + 1))
    required = max(500, Self.median * exponential(Self.spread * normal))
  }

  /// Uniform in 0 ≤ x < 1: SplitMix64 of seed and counter (Steele, Lea, Flood, OOPSLA 2014).
  private func uniform(_ counter: UInt64) -> Double {
    let place = (seed &+ 1) &* 0xD134_2543_DE82_EF95 &+ (counter &- 1) &* SplitMix64.step
    return SplitMix64.uniform(SplitMix64.mixed(place))
  }
}

extension IOSFieldPolicy {
  static let kind = PolicyKind(
    "ios-field", key: "iosField", .network, hints: .cells, needs: .cells, system: .iOS
  ) {
    $0.seed.map(IOSFieldPolicy.init(seed:))
  }

  var kind: PolicyKind { Self.kind }

  var settings: PolicySettings {
    var settings = PolicySettings(name: kind.name)
    settings.seed = seed
    return settings
  }

  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String {
    "network position at a change of cell, never the receiver, as late as phones were measured to be: "
      + "half by \(plain(Self.median)) m, 95 % by 2500 m."
  }
}
