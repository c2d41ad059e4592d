// SPDX-License-Identifier: Apache-2.0

import JSONText
import Scoring
import Wording

extension Score {
  /// Its figures, as every document states them.
  var members: Members {
    [
      "crossings": .count(crossings), "missed": .count(missed),
      "spurious": .count(spurious),
    ] + latency.members("latency", "s", decimals: 3)
      + latencyMoving.members("latency_moving", "s", decimals: 3)
      + ["departures": .count(latencyDeparting.count)]
      + latencyDeparting.members("latency_departing", "s", decimals: 3)
      + overshoot.members("overshoot", "m", decimals: 1)
  }

  /// `2/14`: missed crossings of all judged ones.
  var missedOfCrossings: String {
    crossings > 0
      ? "\(Figures.shortCount(missed))/\(Figures.shortCount(crossings))" : Figures.unknown
  }
}

extension Distribution {
  /// Its median and its 95th percentile.
  fileprivate func members(_ name: String, _ unit: String, decimals: Int) -> Members {
    [
      "\(name)_p50_\(unit)": .number(quantile(0.5), decimals: decimals),
      "\(name)_p95_\(unit)": .number(quantile(0.95), decimals: decimals),
    ]
  }
}

extension JSONWriter {
  /// What a clairvoyant would have needed; `null` where it was not reckoned.
  mutating func optimum(_ name: String, _ optimum: Optimum?) {
    key(name)
    guard let optimum else { return null() }
    object([
      "delay_s": .seconds(optimum.delay), "events": .count(optimum.events),
      "energy_j": .joules(optimum.energy),
      "bound_events": .count(optimum.boundEvents),
      "bound_energy_j": .joules(optimum.boundEnergy),
      "bound_receiver_s": .seconds(optimum.boundReceiver),
    ])
  }

  /// What the quickest honest policy would have come to; `null` where it was not reckoned.
  mutating func causal(_ name: String, _ score: CausalScore?, _ optimum: Optimum?) {
    key(name)
    guard let score, let optimum else { return null() }
    object(
      [
        "crossings": .count(score.crossings),
        "unreachable": .count(score.unreachable),
        "missed_unreachable": .count(score.missedUnreachable),
      ] + score.latency.members("latency", "s", decimals: 3)
        + score.overshoot.members("overshoot", "m", decimals: 1)
        + score.excessLatency.members("excess_latency", "s", decimals: 3)
        + score.excessOvershoot.members("excess_overshoot", "m", decimals: 1)
        + [
          "looks": .count(score.looks),
          "looks_moving": .count(score.looksMoving),
          "first_fix_s": .seconds(score.firstFix),
          "energy_j": .joules(optimum.honestEnergy(score)),
        ])
  }
}
