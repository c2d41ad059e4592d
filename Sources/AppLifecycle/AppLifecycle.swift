// SPDX-License-Identifier: Apache-2.0

// Theory of operation
// ===================
//
// One app's life, without any location in it. Inputs say what happened, transitions say what changed,
// and `nextDeadline` says when time alone will change something.
//
//                 launch                    enterBackground
//   not running ─────────► inactive ⇄ active ─────────────► background ──┐ grace 5 s, nothing holds,
//     ▲   ▲  │                          ▲   (exits on suspend:  ▲   ▲    │ work finished, or the
//     │   │  │ relaunch (into the       │    ──► exiting 5 s)   │   │    │ wake's budget is used up
//     │   │  └──────────────────────────┼──────────────────────-┘   │    ▼
//     │   │                             └── enterForeground ──┬── wake ─ suspended
//     │   └── exiting is over                                 │            │
//     ├──── purged after 600 s of suspension ─────────────────┴────────────┤
//     └──── exited, from any state that has a process ─────────────────────┘
//
// Rules
// - *Grace*: an app that enters the background, or loses its last hold there, runs on for
//   `suspendsAfter` (5 s) and is then suspended.
// - *Hold*: continuous location (`isHeld`) keeps it in the background for as long as it lasts.
// - *Wake*: it gives a budget (10 s). The app may say that it has finished; then it is suspended at
//   once, unless something else holds it. A second wake while the first one lasts starts the budget
//   anew; it does not add up.
// - *Purge*: a suspended app is purged after `purgesAfter` (600 s), counted anew from every suspension.
//   It is not told: `willTerminate` is for running apps only.
// - *Exits on suspend*: leaving the foreground calls `willTerminate`; the app has 5 s, then it ends.
// - *Exit*: a process that is gone by itself (a crash, its own exit) leaves the app not running at once,
//   from any state, also a frozen one that was killed from outside. An app that has been told to go and
//   does so before its 5 s are over has been terminated, and says that.
// - A launch into the background does not pass through inactive and active.
//
// Where the picture lies: `inactive` on the way in lasts no time here, so a launch by the user is two
// transitions at one instant. An input that makes no sense in a state (a wake of an active app, work
// finished by a suspended one) changes nothing and produces no transition.

package import LocationModel

/// What state an app is in, what it may still do, and when its time is up.
package struct AppLifecycle: Sendable, Equatable, Codable {
  package let timing: LifecycleTiming
  package let exitsOnSuspend: Bool
  private var phase = Phase.notRunning

  /// A phase holds only what that phase needs.
  private enum Phase: Sendable, Equatable, Codable {
    /// There is no process.
    case notRunning
    /// The process is in the foreground and gets no events.
    case inactive
    /// The process is in the foreground.
    case active
    /// The process runs unseen.
    case background(Background)
    /// The process is frozen since then.
    case suspended(since: EngineInstant)
    /// The process has been told that it will be terminated, and has until then.
    case exiting(until: EngineInstant)
  }

  private struct Background: Sendable, Equatable, Codable {
    /// When the time after entering the background, or after losing a hold, is over.
    var graceEnds: EngineInstant?
    /// When the budget of the last wake is used up.
    var wakeEnds: EngineInstant?
    /// Whether continuous location keeps the app running.
    var isHeld: Bool

    /// When nothing keeps the app running any more; `nil` while it is held.
    var ends: EngineInstant? {
      if isHeld { return nil }
      return switch (graceEnds, wakeEnds) {
      case (let grace?, let wake?): max(grace, wake)
      case (let end, nil), (nil, let end): end
      }
    }
  }

  package init(timing: LifecycleTiming = LifecycleTiming(), exitsOnSuspend: Bool = false) {
    self.timing = timing
    self.exitsOnSuspend = exitsOnSuspend
  }

  /// The state, as the rules name it. An app that is exiting still runs: it is in the background.
  package var state: AppState {
    switch phase {
    case .notRunning: .notRunning
    case .inactive: .inactive
    case .active: .active
    case .background, .exiting: .background
    case .suspended: .suspended
    }
  }

  /// When time alone will change something; changes only in `handle`.
  package var nextDeadline: EngineInstant? {
    switch phase {
    case .notRunning, .inactive, .active: nil
    case .background(let background): background.ends
    case .suspended(let since): since.advanced(bySeconds: timing.purgesAfter)
    case .exiting(let until): until
    }
  }

  /// Takes one input; appends the transitions that follow, in order.
  package mutating func handle(
    _ input: LifecycleInput, at now: EngineInstant, into transitions: inout [LifecycleTransition]
  ) {
    let before = state
    let next = self.next(after: input, at: now)
    guard let next else { return }
    phase = next.phase
    if let passing = next.through {
      transitions.append(.init(from: before, to: passing, reason: next.reason))
      transitions.append(.init(from: passing, to: state, reason: next.reason))
    } else if state != before {
      transitions.append(.init(from: before, to: state, reason: next.reason))
    }
  }

  private struct Next {
    var phase: Phase
    var reason: LifecycleTransition.Reason
    /// A state that is passed on the way and lasts no time.
    var through: AppState?
  }

  private func next(after input: LifecycleInput, at now: EngineInstant) -> Next? {
    switch input {
    case .launched: launched()
    case .resignedActive: resigned()
    case .becameActive: activated()
    case .enteredBackground: leftForeground(at: now)
    case .enteredForeground: enteredForeground()
    case .woken(let reason): woken(reason, at: now)
    case .relaunched(let reason): relaunched(reason, at: now)
    case .finishedWork: finishedWork(at: now)
    case .holdBegan: held(true, at: now)
    case .holdEnded: held(false, at: now)
    case .purged: purged()
    case .terminated: terminated(at: now)
    case .forceQuit: forceQuit()
    case .exited: exited()
    case .timePassed: timePassed(at: now)
    }
  }

  private func launched() -> Next? {
    guard phase == .notRunning else { return nil }
    return Next(phase: .active, reason: .launched, through: .inactive)
  }

  private func resigned() -> Next? {
    phase == .active ? Next(phase: .inactive, reason: .resigned) : nil
  }

  private func activated() -> Next? {
    phase == .inactive ? Next(phase: .active, reason: .activated) : nil
  }

  private func leftForeground(at now: EngineInstant) -> Next? {
    guard phase == .active || phase == .inactive else { return nil }
    let passing: AppState? = phase == .active ? .inactive : nil
    if exitsOnSuspend {
      let until = now.advanced(bySeconds: timing.exitsAfter)
      return Next(phase: .exiting(until: until), reason: .exitsOnSuspend, through: passing)
    }
    let grace = now.advanced(bySeconds: timing.suspendsAfter)
    return Next(
      phase: .background(Background(graceEnds: grace, wakeEnds: nil, isHeld: false)),
      reason: .leftForeground, through: passing)
  }

  private func enteredForeground() -> Next? {
    switch phase {
    case .background, .suspended:
      Next(phase: .active, reason: .enteredForeground, through: .inactive)
    case .notRunning, .inactive, .active, .exiting: nil
    }
  }

  private func woken(_ reason: WakeReason, at now: EngineInstant) -> Next? {
    let ends = now.advanced(bySeconds: timing.wakeBudget)
    switch phase {
    case .suspended:
      return Next(
        phase: .background(Background(graceEnds: nil, wakeEnds: ends, isHeld: false)),
        reason: .woken(reason))
    case .background(var background):
      background.wakeEnds = ends
      return Next(phase: .background(background), reason: .woken(reason))
    case .notRunning, .inactive, .active, .exiting: return nil
    }
  }

  private func relaunched(_ reason: WakeReason, at now: EngineInstant) -> Next? {
    guard phase == .notRunning else { return nil }
    let ends = now.advanced(bySeconds: timing.wakeBudget)
    return Next(
      phase: .background(Background(graceEnds: nil, wakeEnds: ends, isHeld: false)),
      reason: .relaunched(reason))
  }

  private func finishedWork(at now: EngineInstant) -> Next? {
    guard case .background(var background) = phase, background.wakeEnds != nil else { return nil }
    background.wakeEnds = nil
    if background.isHeld || background.graceEnds.map({ $0 > now }) == true {
      return Next(phase: .background(background), reason: .finished)
    }
    return Next(phase: .suspended(since: now), reason: .finished)
  }

  private func held(_ isHeld: Bool, at now: EngineInstant) -> Next? {
    guard case .background(var background) = phase, background.isHeld != isHeld else { return nil }
    background.isHeld = isHeld
    if !isHeld { background.graceEnds = now.advanced(bySeconds: timing.suspendsAfter) }
    return Next(phase: .background(background), reason: .holdChanged)
  }

  private func purged() -> Next? {
    guard case .suspended = phase else { return nil }
    return Next(phase: .notRunning, reason: .purged)
  }

  private func forceQuit() -> Next? {
    phase == .notRunning ? nil : Next(phase: .notRunning, reason: .forceQuit)
  }

  private func exited() -> Next? {
    switch phase {
    case .notRunning: nil
    case .exiting: Next(phase: .notRunning, reason: .terminated)
    case .inactive, .active, .background, .suspended: Next(phase: .notRunning, reason: .exited)
    }
  }

  private func terminated(at now: EngineInstant) -> Next? {
    switch phase {
    case .notRunning, .exiting: nil
    case .suspended: Next(phase: .notRunning, reason: .purged)
    case .inactive, .active, .background:
      Next(phase: .exiting(until: now.advanced(bySeconds: timing.exitsAfter)), reason: .terminated)
    }
  }

  private func timePassed(at now: EngineInstant) -> Next? {
    guard let deadline = nextDeadline, deadline <= now else { return nil }
    switch phase {
    case .background(let background):
      let usedUp = background.wakeEnds.map { $0 == deadline } == true
      return Next(phase: .suspended(since: now), reason: usedUp ? .budgetUsedUp : .nothingHolds)
    case .suspended: return Next(phase: .notRunning, reason: .purged)
    case .exiting: return Next(phase: .notRunning, reason: .terminated)
    case .notRunning, .inactive, .active: return nil
    }
  }
}
