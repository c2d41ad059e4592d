// SPDX-License-Identifier: Apache-2.0

import ServiceContract

// Theory
// ======
//
//                    below the limit, not charging
//              ┌────────────────────────────────────────►┐
//           enough                                     saving
//              └◄────────────────────────────────────────┘
//                  charging, or 5 % above the limit
//
// Only a change is told, so that what the user switches meanwhile stays until the battery itself has something
// new to say. The first reading of a service goes by how the device was left: a service that is started again
// while it saves goes on saving within the 5 %.

/// When a battery switches Low Power Mode on, and off again.
struct BatterySaver: Sendable, Equatable {
  private enum State: Sendable, Equatable {
    /// There was no reading yet.
    case unread
    case enough
    case saving
  }

  private var state = State.unread

  /// Per cent above the limit at which it ends.
  static let margin = 5.0

  /// Takes a reading; answers to what Low Power Mode is to be switched, `nil` where it stays as it is.
  /// `isOn` is how it stands.
  mutating func take(_ reading: BatteryReading, below limit: Double, isOn: Bool) -> Bool? {
    let wasSaving: Bool =
      switch state {
      case .unread: isOn
      case .enough: false
      case .saving: true
      }
    let saves =
      !reading.isCharging
      && (wasSaving ? reading.percent < limit + Self.margin : reading.percent < limit)
    state = saves ? .saving : .enough
    return saves == wasSaving ? nil : saves
  }
}
