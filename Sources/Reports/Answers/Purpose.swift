// SPDX-License-Identifier: Apache-2.0

package import Scoring
import Wording

// Theory
// ======
//
// What an app must know decides what will do for it. A mode will do for a purpose where it stays within the
// purpose's limit; by how much it is short of one ranks those that do not. An event that was missed counts
// with the 30 min after which it was. Where a trace has no arrival and no departure, its crossings of 500 m
// stand in for them.

/// What an app must know of where its device is.
package enum Purpose: String, Sendable, CaseIterable {
  /// The way itself.
  case track
  /// That one has come or gone.
  case arrival
  /// That a place's border was crossed.
  case geofence
  /// Where one was lately.
  case recent

  /// The limits, all of them [ours].
  enum Limit {
    /// Metres off the way in 95 % of the time, and at worst.
    static let track = (usual: 100.0, worst: 500.0)
    /// Seconds within which 95 % of arrivals and departures are told.
    static let arrival = 600.0
    /// Seconds within which 95 % of all events are told.
    static let geofence = 120.0
    /// Share of the time in which one may be lost (`Whereabouts.lost`).
    static let recent = 0.05
  }

  /// How a mode serves a purpose.
  struct Fit: Sendable {
    let willDo: Bool
    /// What the limit is about, in its unit; the less, the better.
    let figure: Double
  }

  /// As a question.
  var question: String {
    switch self {
    case .track: "The way itself?"
    case .arrival: "Come or gone?"
    case .geofence: "Across a border?"
    case .recent: "Where lately?"
    }
  }

  /// Its limit in words.
  var limit: String {
    switch self {
    case .track:
      "off by \(Figures.distance(Limit.track.usual)) in 95 % of the time and never by "
        + Figures.distance(Limit.track.worst)
    case .arrival: "95 % told within \(Figures.span(Limit.arrival))"
    case .geofence: "95 % told within \(Figures.span(Limit.geofence))"
    case .recent: "to 1 km or 15 min for \(Figures.percent(100 * (1 - Limit.recent))) of the time"
    }
  }

  /// How well an app that knew this is served.
  func fit(_ known: Whereabouts) -> Fit {
    switch self {
    case .track:
      let usual = known.offBy.quantile(0.95) ?? .infinity
      let worst = known.offBy.greatest ?? .infinity
      return Fit(
        willDo: usual <= Limit.track.usual && worst < Limit.track.worst, figure: usual)
    case .arrival: return told(known.comings, Limit.arrival)
    case .geofence: return told(known.events, Limit.geofence)
    case .recent:
      guard known.age.seconds > 0 else { return Fit(willDo: false, figure: 1) }
      let share = known.lostSeconds / known.age.seconds
      return Fit(willDo: share <= Limit.recent, figure: share)
    }
  }

  private func told(_ events: EventTally, _ limit: Double) -> Fit {
    guard let late = events.quantileWithMissed(0.95) else { return Fit(willDo: true, figure: 0) }
    return Fit(willDo: late <= limit, figure: late)
  }

  /// Whether there are events enough to tell whether a mode will do; where the figure is one over time there
  /// always are.
  func hasEvents(_ known: Whereabouts) -> Bool {
    switch self {
    case .track, .recent: true
    case .arrival: isCertain(known.comings, Limit.arrival)
    case .geofence: isCertain(known.events, Limit.geofence)
    }
  }

  /// Whether the share of events that came later than the limit is beyond chance on one side of one in twenty, or
  /// none came later than half the limit.
  ///
  /// The count is binomial; its normal approximation with Yates's correction for continuity, at 95 %. Of 20
  /// events that were all in time, one in seven may be late the next time.
  private func isCertain(_ events: EventTally, _ limit: Double) -> Bool {
    guard events.isJudged else { return false }
    if events.missed == 0, events.longest <= limit / 2 { return true }
    let count = Double(events.delay.count + events.missed)
    let late = Double(events.delay.count(above: limit) + events.missed)
    let distance = (late - 0.05 * count).magnitude - 0.5
    return distance > 1.645 * (count * 0.05 * 0.95).squareRoot()
  }
}

extension Whereabouts {
  /// Arrivals and departures.
  package var stays: EventTally { arrivals + departures }

  /// What tells that one has come or gone: arrivals and departures, or crossings where the truth has none of them.
  package var comings: EventTally { stays.count > 0 ? stays : crossings }

  /// Every event of the list.
  package var events: EventTally { stays + crossings }
}

extension EventTally {
  /// Whether one of them was told or missed.
  var isJudged: Bool { delay.count + missed > 0 }

  /// Seconds until this share of the events was told, missed ones with the time after which they were; `nil`
  /// where there is none.
  package func quantileWithMissed(_ share: Double) -> Double? {
    var all = delay
    all.include(ScoringRules().patience, times: missed)
    return all.quantile(share)
  }
}
