// SPDX-License-Identifier: Apache-2.0

import JSONText
import RadioPower
package import Replay
import Scoring

// Theory
// ======
//
// Energy and delay trade against each other. A configuration is *beaten* where another costs no more and
// is no later (and is better in one of the two); those that nobody beats are the *front*, from the
// cheapest and latest to the dearest and quickest:
//
//   delay
//     │ a                     a  cheapest
//     │   ·  b                ·  beaten: b costs less and is no later
//     │         c   ·         one more mWh a day at b buys (delay b − delay c) / (energy c − energy b)
//     │ +               d     +  the corner: nobody gets there
//     └────────────────── energy
//
// Between two neighbours there is nothing to choose from, so the exchange is between them, not a slope.
// Configurations that told nothing have no delay and are left out, with their names. Those that missed more
// than one crossing in twenty did not tell 95 % of them within any time, and those of which no crossing
// could be judged may be early or late: both are shown, beat nobody, and are not recommended (`Lateness`).
//
// *What is recommended.* With a budget: of the front, the quickest that stays within it. With a latest
// delay: the cheapest that keeps it. With both: the cheapest that keeps both. With neither: the *knee*, the
// point furthest below the straight line from the cheapest to the quickest, on the logarithmic scales on
// which the front is drawn (Satopää et al., "Finding a Kneedle in a Haystack", ICDCSW 2011, has the idea);
// of two points or one, the cheapest. What cannot be chosen
// (`Configuration.isChoice`) is shown, and neither beats nor is recommended.

/// Where each configuration lies, and which of them nobody beats.
package struct ParetoFront: Sendable {
  /// A configuration with what it came to.
  package struct Place: Sendable {
    package let point: SweepPoint
    /// Milliwatt-hours a day above the baseline: nominal, and from the 5th to the 95th percentile.
    package let energy: Double
    package let low: Double
    package let high: Double
    package let lateness: Lateness
    /// Seconds; `nil` where more than half were missed, or none was judged.
    package let median: Double?
    /// Seconds that one more mWh a day buys towards the next place of the front; `nil` for its last one
    /// and for one that is beaten.
    package internal(set) var buys: Double?
    /// `a` to `z` along the front; `nil` for one that is beaten or cannot be chosen.
    package internal(set) var letter: String?
    /// Name of the cheapest one that beats it.
    package internal(set) var beatenBy: String?

    package var name: String { point.configuration.name }
    /// Seconds within which 95 % were told; `nil` where they were not.
    package var delay: Double? { lateness.delay }

    func isTold(within latest: Double) -> Bool { delay.map { $0 <= latest } ?? false }
  }

  /// From the cheapest to the dearest.
  package let front: [Place]
  package let others: [Place]
  /// Names of configurations that told nothing.
  package let silent: [String]
  /// Milliwatt-hours a day of the clairvoyant; `nil` where it was not reckoned.
  package let corner: Double?

  /// Seconds below which delays are not told apart in pictures.
  static let leastDelay = 1.0

  package init(_ sweep: Sweep) {
    self.init(
      sweep.points, over: sweep.lived, in: sweep.worlds.count, sweep.uncertainty(),
      corner: sweep.corner.map { $0 / max(1, sweep.judged) * 86_400 / 3.6 })
  }

  /// Of one world by itself; its energies have no range.
  init(_ sweep: Sweep, world: Int) {
    self.init(sweep.worlds[world], over: sweep.judged, in: 1, nil, corner: nil)
  }

  private init(
    _ points: [SweepPoint], over seconds: Double, in worlds: Int, _ uncertainty: Uncertainty?,
    corner: Double?
  ) {
    // The draws are of single worlds.
    let worlds = Double(worlds)
    let perDay = seconds > 0 ? 86_400 / seconds / 3.6 : 0
    let due = points.filter(\.configuration.isChoice).map(\.score.crossings).max() ?? 0
    var places: [Place] = []
    var silent: [String] = []
    for (index, point) in points.enumerated() {
      guard point.deliveries > 0 else {
        silent.append(point.configuration.name)
        continue
      }
      let lateness = Lateness(
        point.score, delay: point.delay, deliveries: point.deliveries, due: due)
      let energy = point.energy * perDay
      let spread = uncertainty?.energy(ofRun: index)
      places.append(
        Place(
          point: point, energy: energy,
          low: min((spread?.p5 ?? .infinity) * worlds * perDay, energy),
          high: max((spread?.p95 ?? 0) * worlds * perDay, energy),
          lateness: lateness, median: lateness.median(of: point.delay, point.score)))
    }
    self.init(places: places, silent: silent, corner: corner)
  }

  init(places: [Place], silent: [String] = [], corner: Double? = nil) {
    let sorted = places.sorted {
      ($0.energy, $0.delay ?? .infinity, $0.name) < ($1.energy, $1.delay ?? .infinity, $1.name)
    }
    var front: [Place] = []
    var others: [Place] = []
    var quickest = Double.infinity
    for var place in sorted {
      if place.point.configuration.isChoice, let delay = place.delay, delay < quickest {
        quickest = delay
        place.letter = Self.letter(front.count)
        front.append(place)
      } else {
        // Places come by energy, so whoever beats this one is in the front already.
        if place.point.configuration.isChoice, place.lateness != .unjudged {
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
    self.corner = corner
  }

  private static func letter(_ index: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return index < letters.count ? String(letters[index]) : "z"
  }

  /// The scales on which the front is drawn.
  var scales: (energy: LogScale, delay: LogScale) {
    let places = front + others
    return (
      LogScale(holding: places.map(\.energy) + [corner].compactMap(\.self), atLeast: 1),
      LogScale(holding: [Self.leastDelay] + places.compactMap(\.delay), atLeast: 2)
    )
  }

  /// Where a delay lies: those below a second, and none, at a second.
  static func drawn(_ delay: Double?) -> Double { max(leastDelay, delay ?? leastDelay) }

  /// The place of the front that is furthest below the line between its ends.
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
