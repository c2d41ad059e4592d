// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

/// What the user, or the system, does to the app of a run.
package struct UserAct: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case background
    /// Comes back to it, or starts it where it does not run.
    case foreground
    case forceQuit
    case terminate
    case purge
    case authorize(Authorization)
  }

  package let kind: Kind
  /// Seconds from the first sample.
  package let after: Double

  package init(_ kind: Kind, after: Double) {
    self.kind = kind
    self.after = after
  }
}

/// Who watches what becomes of a run's app, beside the run itself.
package protocol RunObserver: AnyObject, Sendable {
  /// The engine decided something.
  func saw(_ command: EngineCommand, at time: UTCInstant)
}
