// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Replay
import ServiceContract

/// `milepost score` for people.
package enum ScoreText {
  package static func text(_ report: ScoreReport, style: TextStyle) -> String {
    head(report, style) + "\n" + figures(report, style) + "\n" + definitions(report)
      + (report.listsCrossings ? "\n" + list(report, style) : "")
  }

  private static func head(_ report: ScoreReport, _ style: TextStyle) -> String {
    let (result, score) = (report.result, report.result.score)
    var text = subject(report, style) + "\n"
    var line = "judged: \(Figures.span(result.judged)), \(Figures.distance(result.distance))"
    if result.gaps > 0 {
      line += "; left out: \(Figures.count(result.gaps, "gap", "gaps")) of "
      line += "\(Figures.span(result.gapSeconds)), of which nobody knows where the device was"
    }
    text += Paragraph.text(line)
    line = "deliveries: \(Figures.count(score.deliveries))"
    if score.cached > 0 { line += ", and \(Figures.count(score.cached)) of an old position" }
    if score.outside > 0 {
      line += "; not judged: \(Figures.count(score.outside)) in gaps or outside the trace's time"
    }
    text += Paragraph.text(line)
    if !report.skipped.isEmpty {
      text += Paragraph.text("skipped: \(Figures.counts(report.skipped))")
    }
    return text
  }

  private static func subject(_ report: ScoreReport, _ style: TextStyle) -> String {
    guard report.totalOf.isEmpty else {
      return style.bold("total")
        + " of \(Figures.count(report.lists, "list", "lists")) against their traces"
    }
    return style.bold(report.events.name) + " (\(report.events.format ?? Figures.unknown)) against "
      + style.bold(report.truth ?? report.trace.name)
  }

  private static func figures(_ report: ScoreReport, _ style: TextStyle) -> String {
    let score = report.result.score
    var table = TextTable()
    table.header(["", "count", "median", "95 %"])
    table.row(["crossings", Figures.count(score.crossings)])
    table.row(["missed", Figures.count(score.missed)])
    table.row(["spurious", Figures.count(score.spurious)])
    table.row(
      ["latency", Figures.count(score.latency.count)] + quantiles(score.latency, "s", decimals: 1))
    table.row(
      ["overshoot", Figures.count(score.overshoot.count)]
        + quantiles(score.overshoot, "m", decimals: 0))
    var text = table.text(style)
    if let report = report.optimum {
      let optimum = report.optimum
      text += "\n"
      text += Paragraph.text(
        "optimum: a clairvoyant with \(report.profile) delivers every crossing within "
          + "\(Decimal.text(optimum.delay, decimals: 0, trimmed: true)) s with "
          + "\(Figures.count(optimum.events, "event", "events")) and \(Figures.energy(optimum.energy)); "
          + "no list made with sessions of its receiver that misses none and is never later needs less than "
          + "\(Figures.count(optimum.boundEvents, "event", "events")) and "
          + "\(Figures.energy(optimum.boundEnergy))")
      text += causal(score.causal, report.profile)
      text += careful(score.causal, report.optimum)
    }
    return text
  }

  /// The best possible result of a policy that knows only the past.
  private static func causal(_ causal: CausalScore, _ profile: String) -> String {
    guard causal.crossings > 0, let median = causal.latency.quantile(0.5),
      let most = causal.latency.quantile(0.95)
    else { return "" }
    let lost =
      causal.unreachable > 0
      ? "; \(Figures.count(causal.unreachable, "crossing", "crossings")) nobody could deliver" : ""
    return Paragraph.text(
      "causal bound: a policy on \(profile) that knows the past only and lets its receiver sleep while "
        + "the device stands is late by \(Decimal.text(median, decimals: 1)) s at the median and "
        + "\(Decimal.text(most, decimals: 1)) s at 95 % at least\(lost)")
  }

  /// The least needs of a policy that is never late.
  private static func careful(_ causal: CausalScore, _ optimum: Optimum) -> String {
    guard causal.looks > 0 else { return "" }
    return Paragraph.text(
      "never late: who knows the past and the length of the way, but not where it leads, must look "
        + "\(Figures.count(causal.looks, "time", "times")) between these deliveries to be within "
        + "\(Decimal.text(optimum.delay, decimals: 0, trimmed: true)) s of every crossing, and needs "
        + "\(Figures.energy(optimum.honestEnergy(causal))) at least")
  }

  private static func quantiles(
    _ distribution: Distribution, _ unit: String, decimals: Int
  ) -> [String] {
    [0.5, 0.95].map { probability in
      distribution.quantile(probability).map { Decimal.text($0, decimals: decimals) + " " + unit }
        ?? Figures.unknown
    }
  }

  private static func definitions(_ report: ScoreReport) -> String {
    let distance = Decimal.text(report.rules.distance, decimals: 1, trimmed: true)
    let interval = Decimal.text(report.rules.interval, decimals: 1, trimmed: true)
    var text = Paragraph.text(
      "crossing: the first instant at which the device truly is \(distance) m or more from where it was "
        + "at the last delivery, and \(interval) s have passed since. Missed: it came back, or 30 "
        + "minutes passed, without a delivery. Spurious: a delivery nearer than that, and nearer than "
        + "both claimed accuracies (up to 100 m) explain. Latency: from crossing to delivery. "
        + "Overshoot: metres beyond \(distance) m then, where distance decided.")
    if report.result.score.unjudged > 0 {
      text += Paragraph.text(
        "not judged: \(Figures.count(report.result.score.unjudged, "crossing", "crossings")) less than "
          + "300 s before a gap or the end")
    }
    return text
  }

  private static func list(_ report: ScoreReport, _ style: TextStyle) -> String {
    var table = TextTable()
    table.header(["last delivery", "crossing", "decided by", "outcome", "latency", "overshoot"])
    for timed in report.result.crossings {
      var cells = [
        timed.anchoredAt.rfc3339, timed.time.rfc3339, timed.crossing.decision.rawValue,
      ]
      if let detected = timed.crossing.detected {
        cells += ["detected", Decimal.text(detected.latency, decimals: 1) + " s"]
        cells.append(
          timed.crossing.decision == .distance
            ? Decimal.text(detected.overshoot, decimals: 0) + " m" : Figures.unknown)
      } else {
        cells += ["missed", Figures.unknown, Figures.unknown]
      }
      table.row(cells)
    }
    return table.text(style)
  }
}
