// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationModel

extension LifecycleTransition.Reason {
  /// The reasons without values: a new one is a line here and one in `recordedName`.
  private static let plain: [LifecycleTransition.Reason] = [
    .launched,
    .resigned,
    .activated,
    .leftForeground,
    .enteredForeground,
    .exitsOnSuspend,
    .finished,
    .budgetUsedUp,
    .nothingHolds,
    .holdChanged,
    .purged,
    .terminated,
    .forceQuit,
    .exited,
  ]

  var recordedName: String {
    switch self {
    case .launched: "launched"
    case .resigned: "resigned"
    case .activated: "activated"
    case .leftForeground: "left_foreground"
    case .enteredForeground: "entered_foreground"
    case .exitsOnSuspend: "exits_on_suspend"
    case .woken: "woken"
    case .relaunched: "relaunched"
    case .finished: "finished"
    case .budgetUsedUp: "budget_used_up"
    case .nothingHolds: "nothing_holds"
    case .holdChanged: "hold_changed"
    case .purged: "purged"
    case .terminated: "terminated"
    case .forceQuit: "force_quit"
    case .exited: "exited"
    }
  }

  /// What the app was woken or relaunched for.
  var wakeReason: WakeReason? {
    switch self {
    case .woken(let reason), .relaunched(let reason): reason
    default: nil
    }
  }

  private static let byName = Dictionary(
    plain.map { ($0.recordedName, $0) }, uniquingKeysWith: { first, _ in first })

  init(recorded members: Members) throws(RecordingError) {
    let name = try members.text("reason")
    switch name {
    case "woken": self = .woken(try members.raw("for"))
    case "relaunched": self = .relaunched(try members.raw("for"))
    default:
      guard let reason = Self.byName[name] else {
        throw members.failure("reason", "known here: \(name.prefix(60))")
      }
      self = reason
    }
  }
}
