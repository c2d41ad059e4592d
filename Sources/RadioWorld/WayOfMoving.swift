// SPDX-License-Identifier: Apache-2.0

/// The movement that a motion sensor has to feel: steps, a ride, or none.
@usableFromInline package enum WayOfMoving: Sendable, Equatable {
  case rest
  /// Steps: a walk, a run, a climb.
  case foot
  /// On wheels, rails or water, in the air; rides are numbered, and a ride goes on after a stop.
  case ride(UInt64)
}
