// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The times of the life cycle, seconds; each can be set on the command line, but the last.
package struct LifecycleTiming: Sendable, Hashable, Codable {
  /// From entering the background, or losing the last hold there, to suspension [ours].
  package var suspendsAfter = 5.0
  /// From suspension to purge if no memory pressure is scripted [ours].
  package var purgesAfter = 600.0
  /// The limit of a wake by location; measured in the field at about 10 s.
  package var wakeBudget = 10.0
  /// The limit of a handler that must return: a fetch, a keep-alive, a push or a location push [core].
  package var handlerBudget = 30.0
  /// From `willTerminate` to the end [core].
  package var exitsAfter = 5.0

  /// What expiration handlers have before the budget of tasks is used up; it cannot be set [ours].
  package static let expiryWarning = 5.0

  package init() {}

  /// Every time at its default, which stands above, and nowhere else.
  package static let usual = Self()
}

extension LifecycleTiming {
  /// Seconds that a wake for that reason allows.
  package func budget(of reason: WakeReason) -> Double {
    reason.mustReturn ? handlerBudget : wakeBudget
  }
}
