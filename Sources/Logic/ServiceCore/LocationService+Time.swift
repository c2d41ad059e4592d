// SPDX-License-Identifier: Apache-2.0

import LocationEngine
package import LocationModel
import ServiceContract

// Changes by time alone.

extension LocationService {
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
    case .app: deadlines.earliest
    case .notification:
      if let utc = engine.nextNotification { instant(of: utc) } else { nil }
    case .checkpoint: host.hasStore ? checkpoint.deadline : nil
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
      case .app: while let id = deadlines.takeDue(at: now.at) { deadlineCame(of: id) }
      case .notification: tell(.utc(now.utc))
      // Each decision checks whether a checkpoint is due, and the shell whether the service is over.
      case .checkpoint, .stop: break
      }
    }
  }
}

extension LocationService.Phase {
  var isStopping: Bool {
    if case .stopping = self { true } else { false }
  }

  /// The latest time until which a stopping service waits.
  var deadline: EngineInstant? {
    if case .stopping(let until) = self { until } else { nil }
  }
}
