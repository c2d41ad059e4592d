// SPDX-License-Identifier: Apache-2.0

package import Replay
import ServiceContract

// Theory
// ======
//
// The mode to choose depends on what an app must know. For each purpose a mode has one *figure*, the less the better; in
// one life it keeps a tolerance (`Tolerance`) if its figure is not greater.
//
//   track     metres off in 95 % of the way
//   arrival   seconds until 95 % were known, of arrivals or of departures, whichever is more
//   fence     seconds until 95 % of the crossings of the borders of the trip's places were known
//   area      the share of the time in which the known place was more than 1 km off
//
// An event that was missed was known after the patience of the rules, 30 min. What nobody could know (`LostSky`) counts in
// none of them.
//
// A trace *tests* a purpose if an app that hears nothing after its launch does not keep the tolerance. If even that one
// does, as over a night in bed, all modes do, and the trace cannot tell them apart.

/// What an app needs to know of its device's place.
package enum Purpose: String, Sendable, CaseIterable {
  /// The way itself.
  case track
  /// Arrivals and departures.
  case arrival
  /// Crossings of the borders of the trip's places.
  case fence
  /// The area where the device is.
  case area

  /// The least number of judged events of a sure answer, and the least seconds of its trace [ours].
  static let least = (events: 3, seconds: 600.0)

  /// The figure of an app with this knowledge; `nil` if nothing could be judged.
  package func figure(_ known: Whereabouts) -> Double? {
    switch self {
    case .track: known.offBy.quantile(0.95)
    case .arrival, .fence: lateness(0.95, known)
    case .area: known.seconds > 0 ? known.wrongAreaSeconds / known.seconds : nil
    }
  }

  /// The figure of a row: of its middle world.
  func figure(_ row: ModeRow) -> Double? {
    switch self {
    case .track, .area: row.typical(figure)
    case .arrival, .fence: lateness(0.95, of: row)
    }
  }

  /// Seconds until this share of its events was known to an app with this knowledge, of the kind that was later; `nil` if
  /// none could be judged.
  func lateness(_ share: Double, _ known: Whereabouts) -> Double? {
    tallies(known).compactMap { $0.lateness(share) }.max()
  }

  /// The same of a row: of its middle world.
  func lateness(_ share: Double, of row: ModeRow) -> Double? {
    latenesses(share, of: row).compactMap(\.self).max()
  }

  /// The same by kind of event; empty if it is not about events.
  func latenesses(_ share: Double, of row: ModeRow) -> [Double?] {
    tallies(row.whereabouts).indices.map { kind in
      row.typical { tallies($0)[kind].lateness(share) }
    }
  }

  /// The events that an app must know in time, by kind.
  func tallies(_ known: Whereabouts) -> [EventTally] {
    switch self {
    case .arrival: [known.arrivals, known.departures]
    case .fence: [known.borders]
    case .track, .area: []
    }
  }

  /// All of them together.
  package func events(_ known: Whereabouts) -> EventTally {
    tallies(known).reduce(EventTally(), +)
  }

  /// What is judged of a trace in which an app that hears nothing has this knowledge: events, or seconds.
  func judged(bySilence known: Whereabouts) -> Double {
    isOfEvents ? Double(events(known).judged) : known.seconds
  }

  var isOfEvents: Bool { self == .arrival || self == .fence }

  /// Whether too little is judged for a sure answer.
  func isThin(bySilence known: Whereabouts) -> Bool {
    known.seconds < Self.least.seconds
      || isOfEvents && events(known).judged < Self.least.events
  }

  /// The reason why a trace in which an app that hears nothing has this knowledge does not test it.
  func untested(bySilence known: Whereabouts) -> String {
    guard events(known).count == 0 else {
      return "it ends within \(Figures.span(ScoringRules().margin)) of each event"
    }
    return switch self {
    case .track: "the device hardly moved"
    case .arrival: "nobody came or went"
    case .fence: "no place's border was crossed"
    case .area: "it hardly left its area"
    }
  }

  /// The aim of an app with this purpose.
  var aim: String {
    switch self {
    case .track: "To record the way"
    case .arrival: "To notice arrivals and departures"
    case .fence: "To notice that the border of a place was crossed"
    case .area: "To know the place to 1 km"
    }
  }
}
