// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// When is the next fix worth its price? A look costs 1; a second of delay costs a share of one. Let F(s) be the chance
// that some app's crossing has happened s seconds from now. A look at s costs
//
//     V(s) = (1 + ∫₀ˢ price of delay) / F(s)
//
// per crossing found, since a look that comes too soon leaves the device where it was. The look comes at the s with the
// least V. The known special cases follow:
//
//   steady pace       F steps from 0 to 1 at m / v: the look comes there, one per event
//   memoryless rest   F ≈ h·s: V is least at s = √(2 / (h·λ)), the square-root law for polls
//   stays that age    h falls with the age of the stay: polls become rare by themselves
//   walker who stops  F is wide: looks near the border come sooner and sooner, about two per event
//   the 300 s         F jumps as they end, if the way is long made: the look comes just then
//
// *Hints.* If the device may rest and a hint would reveal movement, a crossing comes without a hint, or the hint finds
// it. Delay is paid for the former alone: a second, silent belief goes along. *Price of delay.* If time decides, a
// second of delay is as dear as one of tracking at the usual interval, so a look is as dear as a mean hot start; the
// shorter the interval, the dearer a second. If distance decides, a twentieth of it is as dear as a look. The cheaper
// of both counts: a phone's walker is late by metres, a rider by seconds. `LatenessTerms` has the other influences.
// *Longest lateness.* If one is stated, the look comes no later than that after the moment at which the chance of an
// open crossing, unheard, passes `mayBeOpen`, whatever its price. *Sky.* A look may find none. Its duration is estimated
// from its age (after Lindy): a look s seconds after the last one, which failed at the age a, finds sky with s / (a +
// s). A look in vain costs as much as its search, and finds nothing. *Stale starts.* After hours without a fix a start
// takes several times as long. The first event after these pays for it in any case, a look that finds no crossing pays
// in addition: 1 − F(s) of the surplus counts. *Sources.* Each source of positions has its own price, its error, and
// may be out: the receiver without sky, the network where it knows the cell only. An error is delay for those that are
// near the border, at their pace: 25 m are 2 s in a car, and 20 s on foot. V is least for one of them, at its s. What the
// last position did not find, another of its source will not find at once: for minutes their errors are alike.

extension [LookAhead.Want] {
  /// The greatest number kept.
  private static var most: Int { 8 }

  /// Adds a want, in order of time: one that is due sooner and has less to go stands for another.
  mutating func insert(want: LookAhead.Want) {
    guard !contains(where: { $0.due <= want.due && $0.metres <= want.metres }) else { return }
    removeAll { $0.due >= want.due && $0.metres >= want.metres }
    insert(want, at: firstIndex { $0.due > want.due } ?? endIndex)
    guard count > Self.most else { return }
    let last = removeLast()
    self[Self.most - 1].metres = Swift.min(last.metres, self[Self.most - 1].metres)
  }
}

/// Finds the best instant for the next fix.
struct LookAhead {
  /// The greatest look-ahead, seconds.
  static let horizon = 43_200.0
  /// The chance from which on a crossing may be open: nineteen in twenty events are then within the longest lateness.
  static let mayBeOpen = 0.05

  /// The time and distance that an app's next event still needs.
  struct Want: Sendable, Equatable, Codable {
    /// The first instant at which it may be told.
    var due: EngineInstant
    /// Metres; 0 or less if it is far enough.
    var metres: Double
    /// Seconds, and metres, of delay that are as dear as a look.
    var late: Delay

    struct Delay: Sendable, Equatable, Codable {
      var seconds: Double
      var metres: Double

      /// `again`: seconds of tracking that draw as much as a look.
      init(_ criteria: SignificantService.Criteria, again: Double) {
        self.init(
          seconds: again * criteria.interval / EngineRules.usualInterval,
          metres: criteria.distance * FilterNumbers.metres)
      }

      /// Not below what one fix a second, and its error, can tell apart.
      private init(seconds: Double, metres: Double) {
        self.seconds = max(0.5, seconds)
        self.metres = max(5, metres)
      }

      /// Seconds as dear as a look at a pace. Who rests beyond the border may leave it any moment: it is as late as who
      /// goes on foot at the fastest.
      func seconds(at pace: Double) -> Double {
        max(metres / max(PaceBelief.hurries, pace), seconds)
      }

      /// The threshold, metres, of which these are a share.
      var distance: Double { metres / FilterNumbers.metres }

      /// The delay that is as dear as a look of `joules` by these terms.
      func priced(by terms: LatenessTerms, look joules: Double?) -> Delay {
        var scale = 1.0
        if let price = terms.price, let joules { scale = joules / price / seconds }
        if terms.isOnExternalPower { scale *= LatenessTerms.externalShare }
        if scale == 1 { return self }
        // A fifth of the distance at most: an app told later has been told of another move.
        return Delay(seconds: seconds * scale, metres: min(metres * scale, distance / 5))
      }
    }
  }

  /// The time in which a source has been of no use, or of little.
  struct Outage: Sendable, Equatable, Codable {
    var since: EngineInstant
    /// The time at which the last look was given up.
    var until: EngineInstant
    /// Seconds that one lasts of which nothing is known.
    var least = 1.0

    /// The chance that it is over.
    func ends(by instant: EngineInstant) -> Double {
      let passed = EngineInstant.seconds(from: until, to: instant)
      return passed / (passed + EngineInstant.seconds(from: since, to: until) + least)
    }
  }

  /// A source of positions, and what a look at it costs.
  struct Source: Sendable, Equatable {
    enum Name: String, Sendable, Codable { case receiver, network }

    let name: Name
    /// The price of a position, and of a look during an outage, in plain looks.
    var price: Double
    var vain: Double
    var outage: Outage?
    /// Metres by which its positions are off, and by which they must be beyond the border.
    var error = 0.0
    var margin = 0.0
    /// Seconds since it tracked, if that changes the price.
    var age: Double?
    /// Seconds since it gave the last position; `nil` if another did, so that its error will be another.
    var answered: Double?

    /// The chance that it finds a crossing, `seconds` from now, of `found` in all: what the last position did not find, it
    /// will not find at once.
    func chance(
      after seconds: Double, of found: PaceBelief.Crossed, beyond metres: Double,
      in belief: inout PaceBelief
    ) -> Double {
      let found = margin > 0 ? belief.crossed(metres + margin) : found
      let alike = answered.map { FixError.share(after: $0 + seconds) } ?? 0
      return found.chance - alike * found.still
    }

    /// Seconds by which its error delays what it finds beyond a border: only those within two deviations of it, at their
    /// pace, for of the others a position says on which side they are.
    func delay(
      of found: PaceBelief.Crossed, beyond metres: Double, in belief: inout PaceBelief
    ) -> Double {
      guard error > 0, found.chance > 0 else { return 0 }
      let clear = belief.crossed(metres + 2 * error).chance
      return (1 - clear / found.chance) * error / max(PaceBelief.strolls, found.pace)
    }
  }

  let belief: PaceBelief
  /// In order of `due`.
  let wants: [Want]
  /// The hints that would reveal a departure.
  let hints: Senses
  var sources: [Source]
  var terms = LatenessTerms.usual
  /// Joules of a look, if known.
  var lookEnergy: Double?

  /// The time of the next wanted fix, its price of delay, and its source.
  struct Look {
    /// Seconds from now on; the horizon if no look is worth it.
    var seconds: Double
    /// Seconds of delay that are as dear as a look then.
    var late: Double
    var source = Source.Name.receiver
  }

  /// The look that costs least per crossing found.
  func look(from now: EngineInstant) -> Look {
    guard let first = wants.first else {
      return Look(seconds: Self.horizon, late: Self.horizon)
    }
    var ahead = belief
    // Without the hints that would reveal movement. No optional: each question to one would copy it.
    let listens = !hints.isEmpty && belief.rest > FilterNumbers.listens
    var silent = belief
    let (turnover, rates) = (belief.turnover, belief.hintRates(hints))
    var best = Look(seconds: Self.horizon, late: priced(first).late.seconds)
    // The latest time of the look.
    var latest = Self.horizon
    var least = Double.infinity
    var (seconds, missed, last) = (0.0, 0.0, 0.0)
    var next = wants.startIndex
    var nearest: Want?
    let cheapest = sources.reduce(.infinity) { min($0, $1.price, $1.vain) }
    // The price of delay grows, and no look finds more than all: beyond that price nothing better comes.
    while seconds < latest, cheapest + missed < least * (1 + 1e-6) {
      var begins = false
      while next < wants.endIndex, isDue(wants[next], after: seconds, from: now) {
        if wants[next].metres < nearest?.metres ?? .infinity { nearest = priced(wants[next]) }
        next += 1
        begins = true
      }
      var step = max(min(belief.window, max(1, seconds / 8)), seconds / 20)
      if next < wants.endIndex {
        let left = EngineInstant.seconds(from: now, to: wants[next].due) - seconds
        step = min(step, max(0.1, left))
      }
      if let nearest {
        let found = ahead.crossed(nearest.metres)
        let open = listens ? silent.crossed(nearest.metres) : found
        if let longest = terms.longest, open.chance > Self.mayBeOpen {
          // Within the last step, if not just now: at its start, to be on the safe side.
          latest = min(latest, (begins ? seconds : max(0, seconds - last)) + longest)
        }
        let late = nearest.late.seconds(at: open.pace)
        let delay = open.chance / late
        let then = now.advanced(bySeconds: seconds)
        for source in sources {
          let serves = source.outage?.ends(by: then) ?? 1
          let stale = source.age.map { AcquisitionMemory.staleness(age: $0 + seconds) - 1 } ?? 0
          let chance = source.chance(
            after: seconds, of: found, beyond: nearest.metres, in: &ahead)
          let off = source.delay(of: found, beyond: nearest.metres, in: &ahead)
          let own = source.price + off / nearest.late.seconds + stale * (1 - chance)
          let price =
            (serves * own + (1 - serves) * source.vain + missed)
            / max(1e-12, serves * chance)
          guard price < least else { continue }
          least = price
          best = Look(
            seconds: seconds, late: open.chance > 0 ? late : nearest.late.seconds,
            source: source.name)
        }
        if found.chance > 0.98, sources.contains(where: { $0.outage == nil }) { break }
        missed += step * delay
      }
      step = max(0.1, min(step, latest - seconds))
      last = step
      ahead.foresee(step, by: turnover)
      if listens { silent.foresee(step, by: turnover, withoutHintsAt: rates) }
      seconds += step
    }
    if latest < best.seconds {
      best = Look(seconds: latest, late: nearest?.late.seconds ?? best.late, source: best.source)
    }
    return best
  }

  private func priced(_ want: Want) -> Want {
    var want = want
    want.late = want.late.priced(by: terms, look: lookEnergy)
    return want
  }

  private func isDue(_ want: Want, after seconds: Double, from now: EngineInstant) -> Bool {
    EngineInstant.seconds(from: now, to: want.due) <= seconds + 1e-6
  }
}
