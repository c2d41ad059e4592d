// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Replay
import ServiceContract

/// The words for a region's entries and exits, and for visits, against the truth.
enum RegionWords {
  static func nodes(_ totals: ReplayTotals) -> [Node] {
    (totals.regions.map(sentence(region:)) + (totals.visits.map { [sentence(visits: $0)] } ?? []))
      .map { .sentence($0) }
  }

  /// `region 'home': 1 exit, told 125 s late; 2 entries, 1 missed, told 40 s late`.
  private static func sentence(region score: RegionScore) -> String {
    var parts = [
      events("exit", "exits", score.exits), events("entry", "entries", score.entries),
    ]
    if score.unfounded > 0 {
      let many = Figures.count(score.unfounded, "event", "events")
      parts.append("\(many) that the truth does not know")
    }
    return "region '\(score.region.identifier)': " + parts.joined(separator: "; ")
  }

  /// `visits: 2 arrivals, told 310 s late (5 min of it make a stay); 1 departure, told 40 s late`.
  private static func sentence(visits score: VisitScore) -> String {
    var parts = [
      events("arrival", "arrivals", score.arrivals)
        + (score.arrivals.delay.count > 0 ? " (5 min of it make a stay)" : ""),
      events("departure", "departures", score.departures),
    ]
    if score.unfounded > 0 {
      let many = Figures.count(score.unfounded, "event", "events")
      parts.append("\(many) that the truth does not know")
    }
    return "visits: " + parts.joined(separator: "; ")
  }

  private static func events(_ one: String, _ many: String, _ tally: EventTally) -> String {
    guard tally.count > 0 else { return "no \(one)" }
    var words = Figures.count(tally.count, one, many)
    if tally.missed > 0 { words += ", \(Figures.count(tally.missed)) missed" }
    let told = tally.delay.count
    guard told > 0, let median = tally.delay.quantile(0.5) else { return words }
    words += ", told \(Figures.span(median)) late"
    return told == 1 ? words : words + " (median; at most \(Figures.span(tally.longest)))"
  }
}
