// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import Scoring

extension JSONWriter {
  /// The figures of a score, as every document states them.
  package mutating func scoreMembers(_ score: Score) {
    member("crossings", score.crossings)
    member("missed", score.missed)
    member("spurious", score.spurious)
    member("latency_p50_s", score.latency.quantile(0.5), decimals: 3)
    member("latency_p95_s", score.latency.quantile(0.95), decimals: 3)
    member("latency_moving_p50_s", score.latencyMoving.quantile(0.5), decimals: 3)
    member("latency_moving_p95_s", score.latencyMoving.quantile(0.95), decimals: 3)
    member("departures", score.latencyDeparting.count)
    member("latency_departing_p50_s", score.latencyDeparting.quantile(0.5), decimals: 3)
    member("latency_departing_p95_s", score.latencyDeparting.quantile(0.95), decimals: 3)
    member("overshoot_p50_m", score.overshoot.quantile(0.5), decimals: 1)
    member("overshoot_p95_m", score.overshoot.quantile(0.95), decimals: 1)
  }

  /// What a clairvoyant would have needed; `null` where it was not reckoned.
  package mutating func optimum(_ name: String, _ optimum: Optimum?) {
    key(name)
    guard let optimum else { return null() }
    object { json in
      json.member("delay_s", optimum.delay, decimals: 3)
      json.member("events", optimum.events)
      json.member("energy_j", optimum.energy, decimals: 6)
      json.member("bound_events", optimum.boundEvents)
      json.member("bound_energy_j", optimum.boundEnergy, decimals: 6)
      json.member("bound_receiver_s", optimum.boundReceiver, decimals: 3)
    }
  }

  /// What the quickest honest policy would have come to; `null` where it was not reckoned.
  package mutating func causal(_ name: String, _ score: CausalScore?, _ optimum: Optimum?) {
    key(name)
    guard let score, let optimum else { return null() }
    object { json in
      json.member("crossings", score.crossings)
      json.member("unreachable", score.unreachable)
      json.member("missed_unreachable", score.missedUnreachable)
      json.member("latency_p50_s", score.latency.quantile(0.5), decimals: 3)
      json.member("latency_p95_s", score.latency.quantile(0.95), decimals: 3)
      json.member("overshoot_p50_m", score.overshoot.quantile(0.5), decimals: 1)
      json.member("overshoot_p95_m", score.overshoot.quantile(0.95), decimals: 1)
      json.member("excess_latency_p50_s", score.excessLatency.quantile(0.5), decimals: 3)
      json.member("excess_latency_p95_s", score.excessLatency.quantile(0.95), decimals: 3)
      json.member("excess_overshoot_p50_m", score.excessOvershoot.quantile(0.5), decimals: 1)
      json.member("excess_overshoot_p95_m", score.excessOvershoot.quantile(0.95), decimals: 1)
      json.member("looks", score.looks)
      json.member("looks_moving", score.looksMoving)
      json.member("first_fix_s", score.firstFix, decimals: 3)
      json.member("energy_j", optimum.honestEnergy(score), decimals: 6)
    }
  }
}
