// SPDX-License-Identifier: Apache-2.0

import LocationEngine
package import LocationModel
import RadioPower
import ServiceContract

// What the router tells the engine, and the changes by time alone.

extension LocationService {
  /// Gives the engine one input, and performs its commands.
  mutating func tell(_ input: EngineInput) {
    guard !isTelling else { return waiting.append(input) }
    isTelling = true
    decide(input)
    tellTheRest()
  }

  /// Gives the engine the consequences of its commands, until there are no more.
  mutating func tellTheRest() {
    var next = 0
    while next < waiting.count {
      decide(waiting[next])
      next += 1
    }
    waiting.empty()
    isTelling = false
    meter.keepAwake(byCode: engine.runsCode, bySession: engine.isInSession, at: now.at)
  }

  /// Until the running processes are known, no time passes for the engine: overdue work might launch an app that runs.
  var engineTime: EngineInstant { phase == .beginning ? .zero : now.at }

  private mutating func decide(_ input: EngineInput) {
    let first = decisions.count
    engine.handle(input, at: engineTime, into: &decisions)
    performDecisions(from: first)
  }

  mutating func performDecisions(from first: Int) {
    for index in first..<decisions.count {
      perform(decisions[index])
      settle()
    }
    if !keepsDecisions, first == 0 { forgetDecisions() }
  }

  /// Continues the engine under the settings' rules and policy, and the present knowledge of cells.
  mutating func reconfigureEngine() {
    let first = decisions.count
    var rules = settings.rules
    rules.lateness = world.lateness(settings)
    engine.reconfigure(
      rules: rules, policy: world.policy(settings), at: engineTime, into: &decisions)
    performDecisions(from: first)
  }

  /// Makes the engine forget the device's places.
  mutating func forgetInEngine(_ places: ForgottenPlaces) {
    let first = decisions.count
    engine.forget(places, at: engineTime, into: &decisions)
    performDecisions(from: first)
  }

  // MARK: The store

  mutating func addSnapshot() {
    var energy = world.energyBefore
    for row in meter.report(at: now.at).components {
      energy[row.component, default: 0] += row.energy.nominal
    }
    step.ledger.addSnapshot(
      engine.snapshot, clock.moment(boot: step.host.boot, at: now), energy: energy)
  }

  mutating func takeChange() -> StoreChange? {
    if step.ledger.needsSnapshot(at: now.at) { addSnapshot() }
    return step.ledger.takeChange()
  }

  // MARK: Time

  /// The next change by time alone; `nil` if there is none.
  package var nextDeadline: EngineInstant? {
    var earliest: EngineInstant?
    for reason in WakeUp.all { earliest = .earlier(earliest, deadline(of: reason)) }
    return earliest
  }

  /// All changes by time alone: a reason to wake up is a case here, its instant and its action.
  private enum WakeUp: CaseIterable {
    /// The engine's: sessions, budgets, pauses, purges.
    case engine
    /// An app's pause after a crash, or before a handler's next attempt.
    case app
    /// A local notification is due.
    case notification
    /// A wanted receiver has been silent for so long that it is told.
    case silence
    /// The engine's state is due to be written.
    case checkpoint
    /// The service stops, and the time of everything still running is up.
    case stop

    /// Made once, since it is needed several times in every second of a replay.
    static let all = allCases
  }

  @inline(__always)
  private func deadline(of reason: WakeUp) -> EngineInstant? {
    switch reason {
    case .engine: engine.nextDeadline
    case .app: .earlier(processes.deadlines.earliest, sinks.deadlines.earliest)
    case .notification:
      if let utc = engine.nextNotification { step.instant(of: utc) } else { nil }
    case .silence: world.silenceDeadline
    case .checkpoint: step.ledger.deadline
    case .stop: phase.deadline
    }
  }

  /// Does everything that has fallen due.
  mutating func wakeUp() {
    guard let earliest = nextDeadline, earliest <= now.at else { return }
    for reason in WakeUp.all {
      guard let due = deadline(of: reason), due <= now.at else { continue }
      switch reason {
      case .engine: tell(.timePassed)
      case .app: pausesEnd()
      case .notification: tell(.utc(now.utc))
      case .silence: world.judgeSilence(&step)
      // Each decision checks whether a checkpoint is due, and the shell whether the service is over.
      case .checkpoint, .stop: break
      }
    }
  }

  /// Pauses, waits and gatherings that are over, in the order of their times.
  private mutating func pausesEnd() {
    while let due = DeadlineTable.firstDue(processes.deadlines, sinks.deadlines, at: now.at) {
      processes.deadlineCame(of: due, engine, &step)
      sinks.deadlineCame(of: due, &step)
      settle()
    }
  }
}
