// SPDX-License-Identifier: Apache-2.0

/// The movement that a motion sensor can feel: steps, a ride, or none.
@usableFromInline package enum WayOfMoving: Sendable, Equatable {
  case rest
  /// Steps: a walk, a run, a climb.
  case foot
  /// On wheels, rails or water, in the air; rides are numbered, and a ride continues after a stop.
  case ride(UInt64)
}
