// SPDX-License-Identifier: Apache-2.0

package import Replay
import ServiceContract

// Theory
// ======
//
// The mode that will do depends on what an app must know. In one life a mode *keeps* a purpose's limit or *breaks* it,
// by its figure: metres off, seconds late, the share of the time in which the app was lost. An event that was missed
// counts with the 30 min after which it was. If all events came so near the end of the trace that their delivery is
// undecided, the life is *open*: it neither keeps nor breaks. A trace without an arrival and a departure is judged by
// its crossings of 500 m.
//
// The way is judged against what could be known: where continuous updates lost it too, in a tunnel or before the first
// fix, a mode breaks the limit only if it lost it by more than a tenth more.
//
// A trace *tests* a purpose if an app that hears nothing after its launch breaks the limit. If even that one keeps it,
// as over a night in bed or a log of a second, all modes do, and the trace cannot tell them apart.

/// What an app needs to know of its device's place.
package enum Purpose: String, Sendable, CaseIterable {
  /// The way itself.
  case track
  /// An arrival or a departure.
  case arrival
  /// A crossing of the border of one of the trip's places.
  case geofence
  /// A recent place.
  case recent

  /// The limits, all of them [ours].
  enum Limit {
    /// Metres off the way in 95 % of the time, and at worst.
    static let track = (usual: 100.0, worst: 500.0)
    /// How many times as far off as continuous updates a mode may be where these exceed the limit.
    static let asKnown = 1.1
    /// Seconds within which 95 % of arrivals and departures are told.
    static let arrival = 600.0
    /// Seconds within which 95 % of the crossings of borders are known.
    static let geofence = 120.0
    /// Share of the time in which the app may be lost (`Whereabouts.lost`).
    static let recent = 0.05
  }

  /// The result of a mode for a purpose in one life.
  enum Verdict: Sendable, Equatable {
    /// It kept the limit; its figure, the less the better.
    case kept(Double)
    case broke(Double)
    /// Nothing could be judged.
    case open

    init(_ figure: Double, isKept: Bool) { self = isKept ? .kept(figure) : .broke(figure) }

    var isKept: Bool { if case .kept = self { true } else { false } }

    /// `nil` for an open one.
    var figure: Double? {
      switch self {
      case .kept(let figure), .broke(let figure): figure
      case .open: nil
      }
    }
  }

  /// The aim of an app with this purpose.
  var aim: String {
    switch self {
    case .track: "To record the way"
    case .arrival: "To notice arrivals and departures"
    case .geofence: "To notice that the border of a place was crossed"
    case .recent: "To know the area one is in"
    }
  }

  /// The same in a word or two.
  var title: String {
    switch self {
    case .track: "the way"
    case .arrival: "arrivals"
    case .geofence: "a border"
    case .recent: "the area"
    }
  }

  /// Its limit in words.
  var limit: String {
    switch self {
    case .track:
      "off by \(Figures.distance(Limit.track.usual)) at most in 95 % of the time and never by "
        + Figures.distance(Limit.track.worst)
    case .arrival: "95 % known within \(Figures.span(Limit.arrival))"
    case .geofence: "95 % known within \(Figures.span(Limit.geofence))"
    case .recent: "to 1 km or 15 min in \(Figures.percent(100 * (1 - Limit.recent))) of the time"
    }
  }

  /// The reason why a trace in which an app that hears nothing has this knowledge does not test it.
  func untested(bySilence known: Whereabouts) -> String {
    guard events(known).count == 0 else {
      return "it ends within \(Figures.span(ScoringRules().margin)) of each event"
    }
    return switch self {
    case .track: "the device hardly moved"
    case .arrival: "nobody came or went in it"
    case .geofence: "the border of no place was crossed in it"
    case .recent: "it was never 1 km away for 15 min"
    }
  }

  /// The result for an app with this knowledge; `best` is that of continuous updates in the same life.
  func verdict(on known: Whereabouts, best: Whereabouts? = nil) -> Verdict {
    switch self {
    case .track:
      guard let usual = known.offBy.quantile(0.95), let worst = known.offBy.greatest else {
        return .open
      }
      let limit = Self.limit(of: best)
      return Verdict(usual, isKept: usual <= limit.usual && worst < limit.worst)
    case .arrival: return told(events(known), Limit.arrival)
    case .geofence: return told(events(known), Limit.geofence)
    case .recent:
      guard known.age.seconds > 0 else { return .open }
      let share = known.lostSeconds / known.age.seconds
      return Verdict(share, isKept: share <= Limit.recent)
    }
  }

  /// Metres off the way in 95 % of the time and at worst, where continuous updates knew this much.
  static func limit(of best: Whereabouts?) -> (usual: Double, worst: Double) {
    let usual = best?.offBy.quantile(0.95) ?? 0
    let worst = best?.offBy.greatest ?? 0
    return (
      max(Limit.track.usual, Limit.asKnown * usual), max(Limit.track.worst, Limit.asKnown * worst)
    )
  }

  /// The events that an app must know in time; none if it is not about events.
  func events(_ known: Whereabouts) -> EventTally {
    switch self {
    case .arrival: known.comings
    case .geofence: known.borders
    case .track, .recent: EventTally()
    }
  }

  private func told(_ events: EventTally, _ limit: Double) -> Verdict {
    events.lateness(0.95).map { Verdict($0, isKept: $0 <= limit) } ?? .open
  }

  /// Whether an app that hears nothing, and so has this knowledge, breaks the limit.
  func isTested(bySilence known: Whereabouts) -> Bool {
    if case .broke = verdict(on: known) { true } else { false }
  }
}

extension Whereabouts {
  /// Arrivals and departures.
  package var stays: EventTally { arrivals + departures }

  /// The events of coming and going: arrivals and departures, or crossings if the truth has none of them.
  package var comings: EventTally { stays.count > 0 ? stays : crossings }

  /// Every event of the list.
  package var events: EventTally { stays + crossings }
}

extension EventTally {
  /// Seconds until this share of the events was told, missed ones with the time after which they were; `nil` if none
  /// could be judged.
  package func lateness(_ share: Double) -> Double? {
    var all = delay
    all.include(ScoringRules().patience, times: missed)
    return all.quantile(share)
  }
}
