// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Replay
import ServiceContract

/// `milepost score` for people.
package enum ScoreText {
  package static func report(_ report: ScoreReport) -> Report {
    let score = report.result.score
    return Report {
      subject(report)
      Node.sentence(judged(report.result))
      Node.sentence(deliveries(score))
      if !report.skipped.isEmpty { Node.sentence("skipped: \(Figures.counts(report.skipped))") }
      Node.part { Node.table(figures(score)) }
      if let bound = report.optimum {
        Node.part {
          Node.sentence(clairvoyant(bound.optimum, bound.profile))
          causal(score.causal, bound.profile)
          careful(score.causal, bound.optimum)
        }
      }
      Node.part {
        Node.sentence(definitions(report.rules))
        if score.unjudged > 0 {
          Node.sentence(
            "not judged: \(Figures.count(score.unjudged, "crossing", "crossings")) less than 300 s before a gap "
              + "or the end")
        }
      }
      if report.listsCrossings { Node.part { Node.table(crossings(report.result.crossings)) } }
    }
  }

  private static func subject(_ report: ScoreReport) -> Node {
    guard report.totalOf.isEmpty else {
      return .title(
        "total", " of \(Figures.count(report.lists, "list", "lists")) against their traces")
    }
    return .title(
      report.events.name,
      " (\(report.events.format ?? Figures.unknown)) against \(report.truth ?? report.trace.name)")
  }

  private static func judged(_ result: DeliveryScore) -> String {
    let line = "judged: \(Figures.span(result.judged)), \(Figures.distance(result.distance))"
    guard result.gaps > 0 else { return line }
    return line + "; left out: \(Figures.count(result.gaps, "gap", "gaps")) of "
      + "\(Figures.span(result.gapSeconds)), of which nobody knows where the device was"
  }

  private static func deliveries(_ score: Score) -> String {
    var line = "deliveries: \(Figures.count(score.deliveries))"
    if score.cached > 0 { line += ", and \(Figures.count(score.cached)) of an old position" }
    if score.outside > 0 {
      line += "; not judged: \(Figures.count(score.outside)) in gaps or outside the trace's time"
    }
    return line
  }

  private static func figures(_ score: Score) -> Table {
    Table(
      head: ["", "count", "median", "95 %"],
      rows: [
        ["crossings", Figures.count(score.crossings)], ["missed", Figures.count(score.missed)],
        ["spurious", Figures.count(score.spurious)],
        ["latency", Figures.count(score.latency.count)]
          + quantiles(score.latency, "s", decimals: 1),
        ["overshoot", Figures.count(score.overshoot.count)]
          + quantiles(score.overshoot, "m", decimals: 0),
      ])
  }

  private static func clairvoyant(_ optimum: Optimum, _ profile: String) -> String {
    "optimum: a clairvoyant with \(profile) delivers every crossing within "
      + "\(Decimal.text(optimum.delay, decimals: 0, trimmed: true)) s with "
      + "\(Figures.count(optimum.events, "event", "events")) and \(Figures.energy(optimum.energy)); "
      + "no list made with sessions of its receiver that misses none and is never later needs less than "
      + "\(Figures.count(optimum.boundEvents, "event", "events")) and "
      + "\(Figures.energy(optimum.boundEnergy))"
  }

  /// The best possible result of a policy that knows only the past.
  private static func causal(_ causal: CausalScore, _ profile: String) -> [Node] {
    guard causal.crossings > 0, let median = causal.latency.quantile(0.5),
      let most = causal.latency.quantile(0.95)
    else { return [] }
    let lost =
      causal.unreachable > 0
      ? "; \(Figures.count(causal.unreachable, "crossing", "crossings")) nobody could deliver" : ""
    return [
      .sentence(
        "causal bound: a policy on \(profile) that knows the past only and lets its receiver sleep while "
          + "the device stands is late by \(Decimal.text(median, decimals: 1)) s at the median and "
          + "\(Decimal.text(most, decimals: 1)) s at 95 % at least\(lost)")
    ]
  }

  /// The least needs of a policy that is never late.
  private static func careful(_ causal: CausalScore, _ optimum: Optimum) -> [Node] {
    guard causal.looks > 0 else { return [] }
    return [
      .sentence(
        "never late: who knows the past and the length of the way, but not where it leads, must look "
          + "\(Figures.count(causal.looks, "time", "times")) between these deliveries to be within "
          + "\(Decimal.text(optimum.delay, decimals: 0, trimmed: true)) s of every crossing, and needs "
          + "\(Figures.energy(optimum.honestEnergy(causal))) at least")
    ]
  }

  private static func quantiles(
    _ distribution: Distribution, _ unit: String, decimals: Int
  ) -> [String] {
    [0.5, 0.95].map { probability in
      distribution.quantile(probability).map { Decimal.text($0, decimals: decimals) + " " + unit }
        ?? Figures.unknown
    }
  }

  private static func definitions(_ rules: ScoringRules) -> String {
    let distance = Decimal.text(rules.distance, decimals: 1, trimmed: true)
    let interval = Decimal.text(rules.interval, decimals: 1, trimmed: true)
    return
      "crossing: the first instant at which the device truly is \(distance) m or more from where it was "
      + "at the last delivery, and \(interval) s have passed since. Missed: it came back, or 30 "
      + "minutes passed, without a delivery. Spurious: a delivery nearer than that, and nearer than "
      + "both claimed accuracies (up to 100 m) explain. Latency: from crossing to delivery. "
      + "Overshoot: metres beyond \(distance) m then, where distance decided."
  }

  private static func crossings(_ all: [DeliveryScore.Timed]) -> Table {
    Table(
      head: ["last delivery", "crossing", "decided by", "outcome", "latency", "overshoot"],
      rows: all.map { timed in
        let (crossing, detected) = (timed.crossing, timed.crossing.detected)
        let overshoot = crossing.decision == .distance ? detected?.overshoot : nil
        return [
          timed.anchoredAt.rfc3339, timed.time.rfc3339, crossing.decision.rawValue,
          detected == nil ? "missed" : "detected",
          detected.map { Decimal.text($0.latency, decimals: 1) + " s" } ?? Figures.unknown,
          overshoot.map { Decimal.text($0, decimals: 0) + " m" } ?? Figures.unknown,
        ]
      })
  }
}
