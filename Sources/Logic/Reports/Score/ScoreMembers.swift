// SPDX-License-Identifier: Apache-2.0

import JSONText
import Replay
import ServiceContract

// The figures of a score, as every document states them.

enum ScoreTables {
  static let score = score(missed: "missed")

  /// The same with another `missed`.
  static func score(missed: String) -> JSONTable<Score> {
    JSONTable { fill(&$0, missed: missed) }
  }

  private static func fill(_ score: inout JSONTable<Score>, missed: String) {
    score.value(
      "crossings",
      about:
        "Judged crossings: 500 m or more from the true position at the last delivery, and 300 s since.",
      \.crossings)
    score.value(
      missed, about: "Of these: came back, or 30 min passed, without a delivery.", \.missed)
    score.value(
      "spurious",
      about:
        "Deliveries nearer than that, less what both claimed accuracies explain (at most 100 m).",
      \.spurious)
    score.value(
      "early",
      about:
        "Deliveries between the two; where the 300 s were over, crossings detected with latency 0.",
      \.early)
    score.quantiles(
      "latency", "s", 3,
      about: "Median of the seconds from crossing to delivery; null where none was detected.",
      \.latency)
    score.quantiles(
      "latency_moving", "s", 3,
      about: "Of crossings before which the device moved on ever since the last delivery.",
      \.latencyMoving)
    score.value(
      "departures",
      about:
        "Detected crossings after a stay: 180 s within 50 m of one point since the last delivery.",
      \.latencyDeparting.count)
    score.quantiles("latency_departing", "s", 3, about: "Of these.", \.latencyDeparting)
    score.quantiles(
      "overshoot", "m", 1,
      about: "Median of the metres beyond 500 m at delivery, of crossings that distance decided.",
      \.overshoot)
  }

  /// One judged crossing, without its times.
  static let crossing = JSONTable<Crossing> { crossing in
    crossing.value("decided_by", .word(among: Crossing.Decision.allCases), \.decision)
    crossing.value("outcome", .words(["detected", "missed"])) {
      $0.detected == nil ? "missed" : "detected"
    }
    crossing.number("latency_s", decimals: 3, \.detected?.latency)
    crossing.number("overshoot_m", decimals: 1, about: "Null where distance did not decide.") {
      $0.decision == .distance ? $0.detected?.overshoot : nil
    }
    crossing.value(
      "after_stay", about: "Whether the device stood since the last delivery.", \.isAfterStay)
    crossing.number(
      "earliest_s", decimals: 3,
      about: "From the crossing to the earliest honest delivery; null where there was none.",
      \.reach?.latency)
    crossing.number(
      "earliest_m", decimals: 1,
      about: "Metres beyond the distance then; null where distance did not decide."
    ) { $0.decision == .distance ? $0.reach?.overshoot : nil }
  }

  /// The needs of a clairvoyant.
  static let optimum = JSONTable<Optimum> { optimum in
    optimum.known(
      "delay_s", decimals: 3,
      about:
        "Each crossing is delivered within so many seconds, judged or not, save where its segment ends before.",
      \.delay)
    optimum.value("events", about: "Deliveries, the first one included.", \.events)
    optimum.known("energy_j", decimals: 6, about: "Above the baseline.", \.energy)
    optimum.value(
      "bound_events",
      about: "The same for judged crossings alone, where deliveries at any time are allowed.",
      \.boundEvents)
    optimum.known(
      "bound_energy_j", decimals: 6,
      about: "No run that misses nothing and is never later than delay_s needs less.", \.boundEnergy
    )
    optimum.known(
      "bound_receiver_s", decimals: 3,
      about: "Seconds that the receiver is on for that many deliveries.", \.boundReceiver)
  }

  /// The score of the quickest honest policy, and its needs.
  static let causal = JSONTable<(score: CausalScore, optimum: Optimum)> { causal in
    causal.value(
      "crossings",
      about:
        "Judged crossings of which the bound speaks; on a device that hears nothing, those on the way.",
      \.score.crossings)
    causal.value(
      "unreachable", about: "Of these: no honest policy could have delivered them.",
      \.score.unreachable)
    causal.value("missed_unreachable", about: "Of these: missed.", \.score.missedUnreachable)
    causal.quantiles(
      "latency", "s", 3, about: "From the crossing to the earliest honest delivery.",
      \.score.latency)
    causal.quantiles(
      "overshoot", "m", 1, about: "Metres beyond the distance then, where distance decided.",
      \.score.overshoot)
    causal.quantiles(
      "excess_latency", "s", 3, about: "From the earliest honest delivery to the one that was.",
      \.score.excessLatency)
    causal.quantiles(
      "excess_overshoot", "m", 1, in: -1e15...1e15,
      about:
        "Metres between the two, where distance decided; below 0 where the device was coming back.",
      \.score.excessOvershoot)
    causal.value(
      "looks",
      about:
        "Sessions between these deliveries that a never-late policy needs which knows the past and its odometer.",
      \.score.looks)
    causal.value(
      "looks_moving", about: "Of these: begun while the device moved.", \.score.looksMoving)
    causal.value(
      "looks_in_vain", about: "Of all: those that find no sky.", \.score.vainLooks)
    causal.number(
      "first_fix_s", decimals: 3,
      about: "From the beginning to the first fix that anybody could have.",
      \.score.firstFix)
    causal.known("energy_j", decimals: 6, about: "The optimum with these looks and that search.") {
      $0.optimum.honestEnergy($0.score)
    }
  }
}

extension JSONTable {
  /// The members `optimum` and `causal`, of values that may be missing.
  mutating func bounds(
    _ optimum: @escaping @Sendable (Root) -> Optimum?,
    _ causal: @escaping @Sendable (Root) -> CausalScore?,
    isRequired: Bool
  ) {
    let both: @Sendable (Root) -> (score: CausalScore, optimum: Optimum)? = { root in
      causal(root).flatMap { score in optimum(root).map { (score, $0) } }
    }
    bound(
      "optimum", ScoreTables.optimum,
      "What a clairvoyant would have needed from the same first delivery on, with the same costs.",
      isRequired, optimum, isThere: { optimum($0) != nil })
    bound(
      "causal", ScoreTables.causal,
      "The causal bound: the quickest policy that knows the past only and lets its receiver sleep while "
        + "the device stands. Per crossing its first fix from the crossing on, never later than the "
        + "run's own.", isRequired, both, isThere: { optimum($0) != nil })
  }

  /// Null if unknown; left out if absent and not required.
  private mutating func bound<Part>(
    _ name: String, _ table: JSONTable<Part>, _ about: String, _ isRequired: Bool,
    _ part: @escaping @Sendable (Root) -> Part?, isThere: @escaping @Sendable (Root) -> Bool
  ) {
    member(
      name, .nullable(table.output), isRequired: isRequired, about: about,
      get: { isRequired || isThere($0) ? .some(part($0)) : nil }, set: nil)
  }

  /// Median and 95th percentile of a distribution, `NAME_p50_UNIT` and `NAME_p95_UNIT`; unknown is null.
  fileprivate mutating func quantiles(
    _ name: String, _ unit: String, _ decimals: Int, in range: ClosedRange<Double> = 0...1e15,
    about: String, _ distribution: @escaping @Sendable (Root) -> Distribution
  ) {
    for (label, quantile, words) in [
      ("p50", 0.5, about), ("p95", 0.95, "The same, 95th percentile."),
    ] {
      number("\(name)_\(label)_\(unit)", in: range, decimals: decimals, about: words) {
        distribution($0).quantile(quantile)
      }
    }
  }
}

extension Score {
  /// `2/14`: missed crossings of all judged ones.
  var missedOfCrossings: String {
    crossings > 0
      ? "\(Figures.shortCount(missed))/\(Figures.shortCount(crossings))" : Figures.unknown
  }
}
