// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import Replay

// Theory
// ======
//
// Energy and lateness trade against each other: the 95th percentile of the seconds until the events of a purpose are
// known, as in `compare`. A configuration is *beaten* if another costs no more and is no later (and is better in one of
// the two); those that none beats are the *front*, from the cheapest and latest to the dearest and quickest:
//
//   delay
//     │ a                     a  cheapest
//     │   ·  b                ·  beaten: b costs less and is no later
//     │         c   ·         one more mWh a day at b buys (delay b − delay c) / (energy c − energy b)
//     │                 d
//     └────────────────── energy
//
// Between two neighbours there is no choice, so the exchange is between them, not a slope. Configurations that
// delivered nothing are left out, with their names. Those that missed more than one event in twenty, and those of which
// none could be judged, have no delay: they are shown, beat none, and are not recommended. A configuration that cannot
// be chosen (`Configuration.isChoice`) is shown, and neither beats nor is recommended.
//
// *The recommendation.* With a budget: the quickest of the front within it. With a latest delay: the cheapest that
// keeps it. With both: the cheapest that keeps both. With neither: the *knee*, the point furthest below the straight
// line from the cheapest to the quickest, on the logarithmic scales on which the front is drawn (Satopää et al.,
// "Finding a Kneedle in a Haystack", ICDCSW 2011, has the idea); of two points or one, the cheapest.

/// The place of each configuration, and the ones that none beats.
package struct ParetoFront: Sendable {
  /// A configuration with its results.
  package struct Place: Sendable {
    package let configuration: Configuration
    /// The row over all traces; `nil` if only the figures below are known.
    let row: ModeRow?
    /// Milliwatt-hours a day above the baseline: nominal, and the range of `ModeRow.total`.
    package let energy: Double
    package let low: Double
    package let high: Double
    /// Seconds within which 95 % were known, and half; missed ones count with the time after which they were. `nil` if
    /// none could be judged.
    let late: Double?
    let median: Double?
    /// Seconds that one more mWh a day buys towards the next place of the front; `nil` for its last one and
    /// for a beaten one.
    package internal(set) var buys: Double?
    /// `a` to `z` along the front; `nil` for one that is beaten or cannot be chosen.
    package internal(set) var letter: String?
    /// Name of the cheapest one that beats it.
    package internal(set) var beatenBy: String?

    package var name: String { configuration.name }
    /// Seconds within which 95 % were known; `nil` if they were not, or this is unknown.
    package var delay: Double? { late.flatMap { Self.isMissed($0) ? nil : $0 } }

    static func isMissed(_ late: Double) -> Bool { late >= ScoringRules().patience }

    func isTold(within latest: Double) -> Bool { delay.map { $0 <= latest } ?? false }
  }

  /// From the cheapest to the dearest.
  package let front: [Place]
  package let others: [Place]
  /// Names of configurations that delivered nothing.
  package let silent: [String]

  /// Seconds below which pictures do not separate delays.
  static let leastDelay = 1.0

  /// The front of one world alone, or of the middle of all.
  init(
    _ trace: ComparedTrace, _ configurations: [Configuration], for purpose: Purpose,
    world: Int? = nil
  ) {
    let perDay = trace.judged > 0 ? 86_400 / trace.judged / 3.6 : 0
    var places: [Place] = []
    var silent: [String] = []
    for (configuration, row) in zip(configurations, trace.rows) {
      guard row.learned > 0 else {
        silent.append(configuration.name)
        continue
      }
      func late(_ share: Double) -> Double? {
        guard let world else { return purpose.lateness(share, of: row) }
        return purpose.lateness(share, row.worlds[world].whereabouts)
      }
      let energy = world.map { row.worlds[$0].energy.total } ?? row.total
      places.append(
        Place(
          configuration: configuration, row: row, energy: energy.nominal * perDay,
          low: energy.low * perDay, high: energy.high * perDay, late: late(0.95),
          median: late(0.5)))
    }
    self.init(places: places, silent: silent)
  }

  init(places: [Place], silent: [String] = []) {
    let sorted = places.sorted {
      ($0.energy, $0.delay ?? .infinity, $0.name) < ($1.energy, $1.delay ?? .infinity, $1.name)
    }
    var front: [Place] = []
    var others: [Place] = []
    var quickest = Double.infinity
    for var place in sorted {
      if place.configuration.isChoice, let delay = place.delay, delay < quickest {
        quickest = delay
        place.letter = Self.letter(front.count)
        front.append(place)
      } else {
        // Places come by energy, so any that beats this one is in the front already.
        if place.configuration.isChoice, place.late != nil {
          let delay = place.delay ?? .infinity
          place.beatenBy = front.first { $0.delay.map { $0 <= delay } ?? false }?.name
        }
        others.append(place)
      }
    }
    for index in front.indices.dropLast() {
      let next = front[index + 1]
      let price = next.energy - front[index].energy
      guard price > 0, let late = front[index].delay, let early = next.delay else { continue }
      front[index].buys = (late - early) / price
    }
    self.front = front
    self.others = others
    self.silent = silent
  }

  private static func letter(_ index: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return index < letters.count ? String(letters[index]) : "z"
  }

  /// The scales of the drawn front.
  var scales: (energy: LogScale, delay: LogScale) {
    let places = front + others
    return (
      LogScale(holding: places.map(\.energy), atLeast: 1),
      LogScale(holding: [Self.leastDelay] + places.compactMap(\.delay), atLeast: 2)
    )
  }

  /// The drawn position of a delay: those below a second, and none, at a second.
  static func drawn(_ delay: Double?) -> Double { max(leastDelay, delay ?? leastDelay) }

  /// The index of the front's place furthest below the line between its ends.
  var knee: Int? {
    guard front.count > 2, let first = front.first, let last = front.last else {
      return front.indices.first
    }
    let scales = scales
    func share(_ place: Place) -> (x: Double, y: Double) {
      (scales.energy.share(of: place.energy), scales.delay.share(of: Self.drawn(place.delay)))
    }
    let (a, b) = (share(first), share(last))
    func depth(_ place: Place) -> Double {
      let here = share(place)
      return (b.x - a.x) * (a.y - here.y) - (here.x - a.x) * (a.y - b.y)
    }
    return front.indices.max { depth(front[$0]) < depth(front[$1]) }
  }
}
