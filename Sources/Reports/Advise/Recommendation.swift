// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import Replay
import Scoring
import Wording

/// The recommendation in words: what, at which price, what one more mWh would buy, and what nobody gets.
package enum Recommendation {
  /// One sentence each.
  package static func sentences(_ report: AdviseReport) -> [String] {
    guard !report.front.front.isEmpty else {
      return ["No advice: \(emptiness(report))."]
    }
    guard let place = report.recommended else {
      return [refusal(report)] + agreement(report) + corner(report)
    }
    var text =
      "\(reason(report.limits)) \(place.name): \(price(place)) above the baseline; \(told(place, report))."
    if place.point.score.crossings > 0, place.point.score.spurious > 0 {
      text += " Told for nothing: \(Figures.count(place.point.score.spurious, "time", "times"))."
    }
    return [text] + agreement(report) + exchange(report, place) + corner(report) + look(place)
  }

  /// In how many worlds it is so, and what the others say; nothing of a single world.
  private static func agreement(_ report: AdviseReport) -> [String] {
    let worlds = report.sweep.worlds.count
    guard worlds > 1 else { return [] }
    guard !report.otherwise.isEmpty else { return ["The same in all \(worlds) worlds."] }
    let others = report.otherwise.map { "\($0.name ?? "nothing") in \($0.worlds)" }
    return [
      "The same in \(report.agreesIn) of \(worlds) worlds; taken by itself, each of the others says: "
        + Figures.list(others) + "."
    ]
  }

  /// Why nobody is on the front.
  private static func emptiness(_ report: AdviseReport) -> String {
    let told = report.front.others.filter(\.point.configuration.isChoice)
    if told.isEmpty {
      return report.front.others.isEmpty
        ? "no configuration told anything on these traces"
        : "nothing that can be chosen told anything on these traces"
    }
    if told.contains(where: { $0.lateness == .missed }) {
      return "whatever can be chosen missed more than one move in twenty, or had none to tell"
    }
    let distance = Figures.plain(report.options.scoring.distance)
    return
      "on these traces no move of \(distance) m after a delivery fell due in time to be judged, so "
      + "nobody was late or early; take traces that lead further away, or last longer"
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
    case (nil, nil): "Recommended, where the front bends most:"
    case (let budget?, nil):
      "Recommended, the quickest within \(Figures.milliwattHours(budget)) a day:"
    case (nil, let latest?):
      "Recommended, the cheapest that is at most \(Figures.delay(latest)) late:"
    case (let budget?, let latest?):
      "Recommended, the cheapest within \(Figures.milliwattHours(budget)) a day that is at most \(Figures.delay(latest)) late:"
    }
  }

  private static func told(_ place: ParetoFront.Place, _ report: AdviseReport) -> String {
    let score = place.point.score
    let worlds = report.sweep.worlds.count
    guard score.crossings > 0, let late = place.delay, let median = place.median else {
      return "it told so often that no move fell due"
    }
    let missed =
      score.missed == 0 ? "none missed" : "\(Figures.count(score.missed)) missed"
    let scope = worlds > 1 ? " in \(worlds) worlds" : ""
    let half = median < 0.05 ? "at once" : "within \(Figures.delay(median))"
    return "of \(Figures.count(score.crossings, "move", "moves"))\(scope) 95 % were told within "
      + "\(Figures.delay(late)), half \(half), \(missed)"
  }

  private static func exchange(_ report: AdviseReport, _ place: ParetoFront.Place) -> [String] {
    let (cheaper, dearer) = report.neighbours
    var sentences: [String] = []
    if let dearer, let buys = place.buys {
      sentences.append(
        "One more mWh a day would buy \(Figures.delay(buys)) less delay: the next is \(dearer.name), "
          + "\(price(dearer)), at \(late(dearer)).")
    } else {
      sentences.append("One more mWh a day would buy nothing: no configuration is quicker.")
    }
    if let cheaper, let costs = cheaper.buys {
      sentences.append(
        "One mWh a day less would cost \(Figures.delay(costs)) of delay: the one before is \(cheaper.name), "
          + "\(price(cheaper)), at \(late(cheaper)).")
    }
    return sentences
  }

  private static func corner(_ report: AdviseReport) -> [String] {
    guard let corner = report.front.corner else { return [] }
    return [
      "Nobody gets to the corner (+): a clairvoyant with this receiver would need "
        + "\(Figures.milliwattHours(corner)) a day and be at most \(Figures.delay(Sweep.cornerDelay)) late."
    ]
  }

  /// How to see the recommended one by itself.
  private static func look(_ place: ParetoFront.Place) -> [String] {
    guard let policy = place.point.configuration.plan.policy else { return [] }
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
        "Nothing that tells 95 % of the moves stays within \(Figures.milliwattHours(budget)) a day: \(cheap)."
    case (nil, let latest?): return "Nothing is at most \(Figures.delay(latest)) late: \(quick)."
    case (let budget, let latest):
      return "Nothing stays within \(Figures.milliwattHours(budget ?? 0)) a day and is at most "
        + "\(Figures.delay(latest ?? 0)) late: \(cheap); \(quick)."
    }
  }
}
