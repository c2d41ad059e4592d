// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// The clairvoyant's optimum is the least cost of a schedule; it is never late. How late must a policy be that knows
// only the past? One that never switches its receiver off is never late either, and is useless in practice. So the
// *causal bound* is that of the quickest policy that lets its receiver sleep while the device stands:
//
//             hint, or the run itself has a fix on the way
//   asleep ──────────────────────────────────────────────► awake: on, whatever it costs
//     ▲                                                        │
//     └──── the device stands, and 180 s passed since a hint ──┘
//
// - A *hint* is anything that the device can hear: a change of cell that reaches the processor, the motion sensor, a
//   false alarm too. Whether the run listened does not matter.
// - Woken, the receiver makes the acquisition that the run's own would make then: the same draw, the same age of the
//   ephemeris, the same place, the same sky. So the first fix comes at the time of the hint plus the drawn TTFF. A draw
//   that fails is tried again when it is given up.
// - Awake, it stays on while the device moves. Lost sky and lost fixes hit it as they hit the run.
// - A fix of the run itself counts, whatever its occasion; so does a delivery. So the bound is never
//   later than its run.
//
// The *earliest honest delivery* of a crossing is the first instant from t* on at which this receiver has a fix. No
// policy could deliver a crossing that closes before that. The omissions of the bound make it earlier, never later:
// that a jump must be confirmed, that fixes are noisy, that the receiver is on for minutes without news.
//
// A device that hears nothing (no modem, no motion sensor) has no hint after a stay, only its polls: for it the bound
// covers only crossings on the way.

/// The quickest receiver that sleeps while the device stands.
package struct CausalReceiver: Sendable {
  /// The conditions of one second of the world.
  package struct Second: Sendable {
    package var hasSky: Bool
    /// Whether a fix would go missing on its way.
    package var losesFix: Bool
    /// Whether the true device stands.
    package var stands: Bool
    /// Whether a hint is heard.
    package var isHinted: Bool
    /// Whether the run has its own fix now.
    package var hasOwnFix: Bool
    /// The environment of the place, if places differ.
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
  /// The last receiver handed in, with its ephemeris and its next draw, if the run's own is not handed in each second.
  private var asleep: SimulatedReceiver?
  private let copiesOwn: Bool
  /// Awake at least until then.
  private var awakeUntil: EngineInstant?

  /// `copiesOwn` is whether a run's receiver is handed in each second; else the first one handed in goes on by itself.
  package init(copiesOwn: Bool = true) { self.copiesOwn = copiesOwn }

  /// Advances by a second; returns whether an honest policy could have a fix now.
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

  /// Whether it is off, or tracks: the seconds of a stride then need no look.
  package var isSteady: Bool {
    switch receiver?.phase {
    case nil, .off, .tracking: true
    case .acquiring, .searching: false
    }
  }

  /// Notes a gap in the trace that ends now.
  package mutating func lostTrack(at now: EngineInstant) { receiver?.lostTrack(at: now) }
}
