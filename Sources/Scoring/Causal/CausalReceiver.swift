// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import RadioWorld

// Theory
// ======
//
// The clairvoyant's optimum says what a schedule costs at least; it is never late. How late must a policy
// be that knows the past only? One that never switches its receiver off is never late either, and nobody
// could live with it. So the *causal bound* is that of the quickest policy that lets its receiver sleep
// while the device stands:
//
//             hint, or the run itself has a fix on the way
//   asleep ──────────────────────────────────────────────► awake: on, whatever it costs
//     ▲                                                        │
//     └──── the device stands, and 180 s passed since a hint ──┘
//
// - A *hint* is what the device can hear: a change of cell that reaches the processor, the motion sensor,
//   a false alarm too. Whether the run listened does not matter.
// - Woken, the receiver makes the acquisition that the run's own would make then: the same draw, the same
//   age of the ephemeris, the same place, the same sky. So the first fix comes at the time of the hint
//   plus the drawn time to first fix. A draw that fails is tried again when it is given up.
// - Awake, it stays on while the device moves. Lost sky and lost fixes hit it as they hit the run.
// - A fix of the run itself counts, whatever it was switched on for; so does a delivery. So the bound is
//   never later than the run that it belongs to.
//
// The *earliest honest delivery* of a crossing is the first instant from t* on at which this receiver has
// a fix. A crossing that closes before that could not be delivered by anybody. What the bound leaves out
// makes it earlier, never later: that a jump must be confirmed, that fixes are noisy, that the receiver
// is on for minutes in which nothing is to be told.
//
// A device that hears nothing (no modem, no motion sensor) has no hint after a stay, only its polls: for
// it the bound speaks of crossings on the way alone.

/// The quickest receiver that sleeps while the device stands.
package struct CausalReceiver: Sendable {
  /// What a second of the world brings.
  package struct Second: Sendable {
    package var hasSky: Bool
    /// Whether a fix would go missing on its way.
    package var losesFix: Bool
    /// Whether the device truly stands.
    package var stands: Bool
    /// Whether a hint is heard.
    package var isHinted: Bool
    /// Whether the run has a fix of its own now.
    package var hasOwnFix: Bool
    /// Where places differ, what the place is like.
    package var environment: Environment?

    package init(
      hasSky: Bool, losesFix: Bool, stands: Bool, isHinted: Bool, hasOwnFix: Bool,
      environment: Environment? = nil
    ) {
      self.hasSky = hasSky
      self.losesFix = losesFix
      self.stands = stands
      self.isHinted = isHinted
      self.hasOwnFix = hasOwnFix
      self.environment = environment
    }
  }

  private var receiver: SimulatedReceiver?
  /// Where nobody hands the run's own receiver in: the last one, with its ephemeris and its next draw.
  private var asleep: SimulatedReceiver?
  private let copiesOwn: Bool
  /// Awake at least until then.
  private var awakeUntil: EngineInstant?

  /// `copiesOwn` is whether a run's receiver is handed in each second; else the first one that is handed
  /// in goes on by itself.
  package init(copiesOwn: Bool = true) { self.copiesOwn = copiesOwn }

  /// A second has passed; answers whether an honest policy could have a fix now.
  ///
  /// `own` is the run's receiver as it was before this second; the first call finds the device just
  /// switched on, and so awake.
  package mutating func tick(_ second: Second, own: SimulatedReceiver, at now: EngineInstant)
    -> Bool
  {
    let isFirst = awakeUntil == nil
    if isFirst || second.isHinted || (second.hasOwnFix && !second.stands) {
      awakeUntil = now.advanced(bySeconds: Standstill.patience)
      if receiver == nil {
        receiver = copiesOwn ? own : asleep ?? own
        receiver?.switchOn(at: now)
      }
    } else if second.stands, awakeUntil.map({ $0 <= now }) ?? true {
      if !copiesOwn { asleep = receiver ?? asleep }
      asleep?.switchOff()
      receiver = nil
    }
    if let environment = second.environment { receiver?.enter(environment, at: now) }
    let hasFix = receiver?.tick(hasSky: second.hasSky, at: now) ?? false
    if second.hasOwnFix { return true }
    return hasFix && !second.losesFix
  }

  /// Whether it is off, or tracks: there is nothing to see in the seconds of a stride.
  package var isSteady: Bool {
    switch receiver?.phase {
    case nil, .off, .tracking: true
    case .acquiring, .searching: false
    }
  }

  /// The trace has a gap that ends now.
  package mutating func lostTrack(at now: EngineInstant) { receiver?.lostTrack(at: now) }
}
