// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// When is the next fix worth its price? A look costs 1; a second of delay costs a share of one. Let F(s) be
// the chance that some app's crossing has happened s seconds from now. Who looks at s pays
//
//     V(s) = (1 + ∫₀ˢ price of delay) / F(s)
//
// per crossing that he finds, since a look that comes too soon leaves him where he was. The look comes at the
// s with the least V. What is known of special cases follows:
//
//   steady pace       F steps from 0 to 1 at m / v: the look comes there, one per event
//   memoryless rest   F ≈ h·s: V is least at s = √(2 / (h·λ)), the square-root law for polls
//   stays that age    h falls with the age of the stay: polls become rare by themselves
//   walker who stops  F is wide: looks near the border come sooner and sooner, about two per event
//   the 300 s         F jumps as they end, if the way is long made: the look comes just then
//
// *Hints.* Where the device may rest and something would tell that it does not, a crossing comes without a
// hint, or the hint finds it. Delay is paid for the former alone: a second, silent belief goes along.
// *Price of delay.* Where time decides, a second of delay is worth a second of tracking, so that a look, which takes
// a mean hot start, is as dear as as many seconds of delay; the shorter the interval, the dearer a second. Where
// distance decides, a tenth of it is as dear as a look. Of both the one counts that costs less: who walks is late
// by metres, who rides by seconds. `LatenessTerms` has what else makes them.
// *Longest lateness.* Where one is stated, the look comes no later than that after the moment at which the chance of
// an open crossing, unheard, passes `mayBeOpen`, however dear it is.
// *Sky.* A look may find none. How long that lasts is known from how long it has lasted (after Lindy): a
// look s seconds after the last one, which failed at the age a, finds sky with s / (a + s). A look in vain
// costs what its search does, and is no find.

/// Finds the best instant for the next fix.
struct LookAhead {
  /// Seconds that are looked ahead at most.
  static let horizon = 43_200.0
  /// The chance from which on a crossing may be open: nineteen in twenty events are then within the longest lateness.
  static let mayBeOpen = 0.05

  /// What is missing to an app's next event.
  struct Want: Sendable, Equatable, Codable {
    /// From when on it may be told.
    var due: EngineInstant
    /// Metres; 0 or less where it is far enough.
    var metres: Double
    /// Seconds, and metres, of delay that are as dear as a look.
    var late: Delay

    struct Delay: Sendable, Equatable, Codable {
      var seconds: Double
      var metres: Double

      /// `again`: seconds of tracking that draw as much as a look.
      init(_ criteria: SignificantService.Criteria, again: Double) {
        let share = max(FilterNumbers.shortest, criteria.interval / FilterNumbers.interval)
        seconds = again * share
        metres = max(5, criteria.distance * FilterNumbers.metres)
      }

      private init(seconds: Double, metres: Double) {
        self.seconds = seconds
        self.metres = metres
      }

      /// What is as dear as a look of so many joules by these terms.
      func priced(by terms: LatenessTerms, look joules: Double?) -> Delay {
        var scale = 1.0
        if let price = terms.price, let joules { scale = joules / price / seconds }
        if terms.isOnExternalPower { scale *= LatenessTerms.externalShare }
        if scale == 1 { return self }
        // A fifth of the distance at most: who is told later has been told of another move.
        return Delay(seconds: max(0.5, seconds * scale), metres: max(5, metres * min(2, scale)))
      }
    }
  }

  /// What is known of a sky that was not there.
  struct Blindness: Sendable, Equatable, Codable {
    var since: EngineInstant
    /// When the last look was given up.
    var until: EngineInstant
    /// How often it began to move, from a rest, and there was none still.
    var stirs = 0

    /// The same when it began to move, which was felt in a window of so many seconds.
    func stirred(_ window: Double) -> Blindness {
      let age = window * Double(1 << min(stirs, 20))
      return Blindness(since: until.advanced(bySeconds: -age), until: until, stirs: stirs + 1)
    }

    /// The chance that there is sky again.
    func ends(by instant: EngineInstant) -> Double {
      let passed = EngineInstant.seconds(from: until, to: instant)
      return passed / (passed + EngineInstant.seconds(from: since, to: until) + 1)
    }
  }

  let belief: PaceBelief
  /// In order of `due`.
  let wants: [Want]
  /// The hints that would tell of a departure.
  let hints: Senses
  let blindness: Blindness?
  /// What a look costs where the receiver is held on after it, and what one in vain costs, in plain looks.
  var price = 1.0
  let vain: Double
  var terms = LatenessTerms.usual
  /// Joules of a look, where they are known.
  var lookEnergy: Double?

  /// When a fix is wanted, and at what price of delay.
  struct Look {
    /// Seconds from now on; the horizon where none is worth it.
    var seconds: Double
    /// Seconds of delay that are as dear as a look, then.
    var late: Double
  }

  /// The look that costs least per crossing that it finds.
  func look(from now: EngineInstant) -> Look {
    guard let first = wants.first else {
      return Look(seconds: Self.horizon, late: Self.horizon)
    }
    var ahead = belief
    // Without the hints, where these would tell.
    var silent = !hints.isEmpty && belief.rest > FilterNumbers.listens ? belief : nil
    let (turnover, rates) = (belief.turnover, belief.hintRates(hints))
    var best = Look(seconds: Self.horizon, late: priced(first).late.seconds)
    // When the look comes at the latest.
    var latest = Self.horizon
    var least = Double.infinity
    var (seconds, missed, last) = (0.0, 0.0, 0.0)
    var next = wants.startIndex
    var nearest: Want?
    let cheapest = min(self.price, vain)
    // The delay that is paid for grows, and no look finds more than all: when that is dearer, nothing comes.
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
        let open = silent?.crossed(nearest.metres) ?? found
        let sky = blindness?.ends(by: now.advanced(bySeconds: seconds)) ?? 1
        let price = (sky * self.price + (1 - sky) * vain + missed) / max(1e-12, found.chance * sky)
        if let longest = terms.longest, open.chance > Self.mayBeOpen {
          // Within the last step, if not just now: at its begin, to be on the safe side.
          latest = min(latest, (begins ? seconds : max(0, seconds - last)) + longest)
        }
        let delay = Self.price(of: open, nearest.late)
        if price < least {
          least = price
          best = Look(
            seconds: seconds, late: delay > 0 ? open.chance / delay : nearest.late.seconds)
        }
        if found.chance > 0.98, blindness == nil { break }
        missed += step * delay
      }
      step = max(0.1, min(step, latest - seconds))
      last = step
      ahead.foresee(step, by: turnover)
      silent?.foresee(step, by: turnover, withoutHintsAt: rates)
      seconds += step
    }
    if latest < best.seconds {
      best = Look(seconds: latest, late: nearest?.late.seconds ?? best.late)
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

  /// What a second costs, in looks, while crossings may be open.
  private static func price(of open: (chance: Double, pace: Double), _ late: Want.Delay) -> Double {
    // Who has come to rest beyond the border is as late as a stroller.
    open.chance * min(max(PaceBelief.strolls, open.pace) / late.metres, 1 / late.seconds)
  }
}
