// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay
import Scoring
import Wording

// Theory
// ======
//
// One sentence says which mode to consider, by a rule that can be checked against the table. The
// candidates are the modes that go on in the pocket (significant change; continuous, pausing or not) and
// delivered anything.
//
//   1. Where the dearest candidate costs at most `sameCost` times the cheapest (a dongle that draws its
//      full current when it is off), the one that was blind for the shortest time.
//   2. Else the cheapest of those that were blind for at most `blindShare` of the judged time.
//   3. Where there is none, the one that was blind for the shortest time, with its share.
//
// Where 2 names a continuous mode and significant change cost at most `worthwhileShare` of it, neither
// is wrong: a mode that is told of each larger move is blind in between by its nature. Then both are
// named, with what decides between them.
//
// Standard updates are no candidate: in the pocket they stop, and in the foreground the display, which
// is not metered, costs more than all radios together. Other wishes (every metre of the way, or the
// battery alone) follow in the same sentence, with their price.

/// Which mode to consider, and why.
package enum Advice {
  /// Share of the judged time up to which a mode counts as knowing where it is [ours].
  static let blindShare = 0.1
  /// Ratio up to which two modes cost the same [ours; the ranges are far wider].
  static let sameCost = 1.1
  /// Share of a continuous mode's energy above which significant change saves too little [ours].
  static let worthwhileShare = 0.5

  package static func sentence(for trace: ComparedTrace, options: ReplayOptions) -> String {
    let goOn = trace.rows.filter { $0.plan.scenario == .pocket && $0.plan.service != .standard }
    guard trace.judged > 0, !goOn.isEmpty else {
      return "No advice: none of these modes goes on while the app is in the background."
    }
    let candidates = goOn.filter { $0.deliveries > 0 }
    guard !candidates.isEmpty else {
      return "No advice: no mode that goes on in the pocket delivered anything on this trace."
    }
    let prices = candidates.map(\.joules)
    if let cheapest = prices.min(), let dearest = prices.max(), candidates.count > 1,
      dearest <= cheapest * sameCost, let best = leastBlind(candidates)
    {
      return equal(best, trace, options)
    }
    let seldomBlind = candidates.filter { $0.blindSeconds <= blindShare * trace.judged }
    guard let chosen = seldomBlind.min(by: { $0.joules < $1.joules }) else {
      return leastBlind(candidates).map { lesser($0, trace, options) } ?? ""
    }
    return chosen.plan.service == .significant
      ? coarse(chosen, candidates, trace, options) : fine(chosen, candidates, trace, options)
  }

  private static func leastBlind(_ rows: [ModeRow]) -> ModeRow? {
    rows.min { ($0.blindSeconds, $0.joules) < ($1.blindSeconds, $1.joules) }
  }

  /// All candidates cost the same.
  private static func equal(
    _ best: ModeRow, _ trace: ComparedTrace, _ options: ReplayOptions
  ) -> String {
    var text =
      "Consider \(best.phrase): on this device all modes that go on in the pocket cost about "
    text += "the same (\(Figures.energy(best.joules)) above the baseline"
    if options.device.gnssWhenOff == .usbIdle {
      text += ", as its receiver draws current also when it is off; --vbus-off cuts its supply"
    }
    return text + "), and this one was \(blind(best, trace))."
  }

  /// Significant change will do.
  private static func coarse(
    _ chosen: ModeRow, _ candidates: [ModeRow], _ trace: ComparedTrace, _ options: ReplayOptions
  ) -> String {
    let price = "\(Figures.energy(chosen.joules)) above the baseline"
    var text = "Consider \(chosen.phrase): it took \(price) and was \(blind(chosen, trace))"
    text += missed(chosen, trace)
    let others = candidates.filter { $0.plan.service == .continuous }
    guard let other = others.min(by: { $0.joules < $1.joules }) else { return text + "." }
    text += "; an app that must know every metre of the way needs \(other.phrase), "
    text += "which took \(Figures.energy(other.joules))\(times(other, chosen))"
    return text + " and made \(deliveries(other)) instead of \(Figures.count(chosen.deliveries))."
  }

  /// Continuous updates know the way; whether that is worth their price, the app's purpose decides.
  private static func fine(
    _ chosen: ModeRow, _ candidates: [ModeRow], _ trace: ComparedTrace, _ options: ReplayOptions
  ) -> String {
    let price = "\(Figures.energy(chosen.joules)) above the baseline"
    guard let other = trace.significant, other.deliveries > 0, other.plan.scenario == .pocket else {
      return "Consider \(chosen.phrase): it took \(price) and was \(blind(chosen, trace))."
    }
    if other.joules > worthwhileShare * chosen.joules {
      return "Consider \(chosen.phrase): it took \(price) and was \(blind(chosen, trace)); "
        + "\(other.phrase) saved little (\(Figures.energy(other.joules))) and was "
        + "\(blind(other, trace))."
    }
    return "Consider \(other.phrase) if the larger moves are enough for the app: with "
      + "\(deliveries(other)) it took only \(Figures.energy(other.joules)), but it was "
      + "\(blind(other, trace))\(missed(other, trace)); where the way itself matters, consider \(chosen.phrase), which took "
      + "\(price)\(times(chosen, other)) and was \(blind(chosen, trace))."
  }

  /// Every candidate was often blind.
  private static func lesser(
    _ best: ModeRow, _ trace: ComparedTrace, _ options: ReplayOptions
  ) -> String {
    "No mode knew all the way where it was on this trace; consider \(best.phrase), which was "
      + "\(blind(best, trace)), the least of all, for \(Figures.energy(best.joules)) above the "
      + "baseline."
  }

  private static func blind(_ row: ModeRow, _ trace: ComparedTrace) -> String {
    guard row.blindSeconds > 0 else { return "never blind" }
    let share = row.blindSeconds / trace.judged * 100
    let way = row.blindMetres > 0 ? ", \(Figures.distance(row.blindMetres)) of the way" : ""
    return "blind for \(Figures.span(row.blindSeconds)) of \(Figures.span(trace.judged)) "
      + "(\(Figures.percent(share))\(way))"
  }

  /// The crossings that it missed, beside those of the other ways of significant change; nothing where
  /// there is only one way.
  private static func missed(_ row: ModeRow, _ trace: ComparedTrace) -> String {
    let others = trace.rows.filter { $0.plan.service == .significant && $0.plan != row.plan }
    guard row.score.crossings > 0, !others.isEmpty else { return "" }
    let words = others.map { other in
      "\(other.plan.policy?.name ?? "another") (\(Figures.energy(other.joules))) missed "
        + "\(Figures.count(other.score.missed)) of \(Figures.count(other.score.crossings))"
    }
    return " and missed \(Figures.count(row.score.missed)) of "
      + "\(Figures.count(row.score.crossings, "crossing", "crossings")), where \(Figures.list(words))"
  }

  private static func times(_ dear: ModeRow, _ cheap: ModeRow) -> String {
    guard cheap.joules > 0, dear.joules / cheap.joules >= 1.5 else { return "" }
    return ", \(Figures.significant(dear.joules / cheap.joules)) times as much,"
  }

  private static func deliveries(_ row: ModeRow) -> String {
    Figures.count(row.deliveries, "delivery", "deliveries")
  }
}
