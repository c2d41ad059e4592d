// SPDX-License-Identifier: Apache-2.0

import Replay
import ServiceContract

/// The recommendation in words: the configuration, its price, and the gain of one more mWh.
package enum Recommendation {
  /// One sentence each.
  package static func sentences(_ report: AdviseReport) -> [String] {
    guard !report.front.front.isEmpty else { return ["No advice: \(emptiness(report))."] }
    guard let place = report.recommended else {
      return [refusal(report)] + agreement(report)
    }
    let text =
      "\(report.purpose.aim), \(reason(report.limits)): \(place.name), \(price(place)) above the baseline; "
      + "95 % known \(late(place)) after the event."
    return [text] + agreement(report) + exchange(report, place) + look(place)
  }

  /// The number of worlds that agree, and the others' recommendations; nothing for a single world.
  private static func agreement(_ report: AdviseReport) -> [String] {
    guard report.worlds > 1 else { return [] }
    guard !report.otherwise.isEmpty else { return ["The same in all \(report.worlds) worlds."] }
    let others = report.otherwise.map { "\($0.name ?? "nothing") in \($0.worlds)" }
    let certain = report.isSure ? "" : "Not certain: "
    return [
      "\(certain)\(certain.isEmpty ? "The" : "the") same in \(report.agreesIn) of \(report.worlds) worlds; the others "
        + "say \(Figures.list(others))."
    ]
  }

  /// The reason why the front is empty.
  private static func emptiness(_ report: AdviseReport) -> String {
    let words = AnswerWords(report.compared)
    guard report.compared.isTested(report.purpose) else {
      return words.line(report.purpose).words
    }
    let told = report.front.others.filter(\.configuration.isChoice)
    return told.isEmpty
      ? words.nothing
      : "whatever can be chosen missed more than one event in twenty, or had none that could be judged"
  }

  /// `4.2 mWh a day`.
  static func price(_ place: ParetoFront.Place) -> String {
    Figures.milliwattHours(place.energy) + " a day"
  }

  /// The delay of a place of the front.
  static func late(_ place: ParetoFront.Place) -> String {
    place.delay.map(Figures.delay) ?? Figures.unknown
  }

  private static func reason(_ limits: AdviceLimits) -> String {
    switch (limits.budget, limits.latest) {
    case (nil, nil): "where a quicker answer begins to cost most"
    case (let budget?, nil): "the quickest within \(Figures.milliwattHours(budget)) a day"
    case (nil, let latest?): "the cheapest that is at most \(Figures.delay(latest)) late"
    case (let budget?, let latest?):
      "the cheapest within \(Figures.milliwattHours(budget)) a day that is at most \(Figures.delay(latest)) late"
    }
  }

  private static func exchange(_ report: AdviseReport, _ place: ParetoFront.Place) -> [String] {
    let (cheaper, dearer) = report.neighbours
    var sentences: [String] = []
    if let dearer, let buys = place.buys {
      sentences.append(
        "One more mWh a day would buy \(Figures.bought(buys)) less delay: the next is \(dearer.name), "
          + "\(price(dearer)), at \(late(dearer)).")
    } else {
      sentences.append("One more mWh a day would buy nothing: no configuration is quicker.")
    }
    if let cheaper, let costs = cheaper.buys {
      sentences.append(
        "One mWh a day less would cost \(Figures.bought(costs)) of delay: the one before is \(cheaper.name), "
          + "\(price(cheaper)), at \(late(cheaper)).")
    }
    return sentences
  }

  /// The way to see the recommended one alone.
  private static func look(_ place: ParetoFront.Place) -> [String] {
    guard place.configuration.plan.mode == .significant,
      let policy = place.configuration.plan.policy
    else { return [] }
    return ["Trace by trace: milepost compare --policy \(policy.label) TRACE."]
  }

  private static func refusal(_ report: AdviseReport) -> String {
    let places = report.front.front
    guard let cheapest = places.first, let quickest = places.last else { return "" }
    let cheap =
      "the cheapest, \(cheapest.name), takes \(price(cheapest)) at \(late(cheapest))"
    let quick =
      "the quickest, \(quickest.name), is \(late(quickest)) late for \(price(quickest))"
    switch (report.limits.budget, report.limits.latest) {
    case (let budget?, nil):
      return
        "Nothing that is told of 95 % of \(report.events) stays within \(Figures.milliwattHours(budget)) a day: \(cheap)."
    case (nil, let latest?): return "Nothing is at most \(Figures.delay(latest)) late: \(quick)."
    case (let budget, let latest):
      return "Nothing stays within \(Figures.milliwattHours(budget ?? 0)) a day and is at most "
        + "\(Figures.delay(latest ?? 0)) late: \(cheap); \(quick)."
    }
  }
}
