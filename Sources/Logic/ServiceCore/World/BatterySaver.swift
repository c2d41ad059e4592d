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
// Only a change is reported, so that the user's switch meanwhile stays until the battery itself changes. The first
// reading of a service continues the device's state: a service restarted while it saves goes on saving within the 5 %.

/// The switching of Low Power Mode by a battery.
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

  /// Takes a reading; returns the new state of Low Power Mode, `nil` if it stays as it is. `isOn` is the present state.
  mutating func receive(reading: BatteryReading, below limit: Double, isOn: Bool) -> Bool? {
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
