// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// The quickest receiver (`CausalReceiver`) is on for as long as the device moves, whatever that costs. How late must a
// policy be that lets its receiver sleep between events? Give it more than any device has: it knows when each crossing
// will come. It does not know the sky, nor how long its receiver will search. Then all that is left to decide is the
// *lead*:
//
//   asleep ──lead before the crossing──► on ──the first fix from the crossing on──► asleep
//
// - The receiver is a copy of the run's own as it was then: the same draw, age of the ephemeris, sky and lost fixes. In
//   a tunnel it searches on.
// - The crossings are those of the run, from its own anchors. A fix of the run itself counts, at no cost: with a short
//   lead the energy is a bound, and no policy's.
// - The seconds for which it is on are counted. Beyond a mean search for each crossing they are the price of the lead,
//   and of having no sky.
//
// A longer lead is never later, and dearer. A policy that is as cheap as some lead, and is earlier, would have to guess
// the sky or the search: knowledge of the way cannot help it.

/// The receiver of a policy that knows when each crossing comes, and sleeps until shortly before.
package struct PunctualReceiver: Sendable {
  /// Seconds from its start to the crossing, 0 or more.
  private let lead: Double
  /// The latest seconds of the world, for as long as the lead.
  private var past: [Moment] = []
  private var phase = Phase.asleep
  /// The crossings that it served, and the seconds for which it was on for them.
  package private(set) var searches = 0
  package private(set) var seconds = 0.0

  private struct Moment: Sendable {
    let second: CausalReceiver.Second
    /// The run's receiver before this second.
    let own: SimulatedReceiver
    let at: EngineInstant
  }

  private enum Phase: Sendable {
    /// No crossing is open.
    case asleep
    /// On for the open crossing.
    case on(SimulatedReceiver)
    /// It had its fix, and the crossing is still open.
    case done
  }

  package init(lead: Double) { self.lead = lead }

  /// Advances by a second of the world, in which a crossing of the run is open or not; returns whether it has a fix for
  /// that crossing now. `own` is the run's receiver as it was before this second.
  package mutating func tick(
    _ second: CausalReceiver.Second, own: SimulatedReceiver, isOpen: Bool, at now: EngineInstant
  ) -> Bool {
    past.append(Moment(second: second, own: own, at: now))
    past.removeFirst(past.firstIndex { EngineInstant.seconds(from: $0.at, to: now) <= lead } ?? 0)
    guard isOpen else {
      phase = .asleep
      return false
    }
    var hasFix = false
    switch phase {
    case .done: return false
    case .asleep:
      var receiver = past[0].own
      receiver.switchOn(at: past[0].at)
      searches += 1
      seconds += EngineInstant.seconds(from: past[0].at, to: now)
      for moment in past { hasFix = Self.tick(&receiver, moment) }
      phase = .on(receiver)
    case .on(var receiver):
      if past.count > 1 {
        seconds += EngineInstant.seconds(from: past[past.count - 2].at, to: now)
      }
      hasFix = Self.tick(&receiver, past[past.count - 1])
      phase = .on(receiver)
    }
    if hasFix { phase = .done }
    return hasFix
  }

  /// Whether the receiver has a fix in that second, which reaches it.
  private static func tick(_ receiver: inout SimulatedReceiver, _ moment: Moment) -> Bool {
    if let environment = moment.second.environment { receiver.enter(environment, at: moment.at) }
    let hasFix = receiver.tick(hasSky: moment.second.hasSky, at: moment.at)
    return moment.second.hasOwnFix || (hasFix && !moment.second.losesFix)
  }

  /// Notes a gap in the trace that ends now.
  package mutating func lostTrack(at now: EngineInstant) {
    past.removeAll()
    phase = .asleep
  }
}
