// SPDX-License-Identifier: Apache-2.0

/// What a device's motion sensor tells, as its profile states it: how much one window in which it fires, or
/// does not, says of the way of moving.
///
/// The sensor judges window by window and fires at the end of one in which it felt something, so the first
/// event of a movement comes up to two windows after its start.
package struct MotionSensing: Sendable, Equatable, Codable {
  /// Seconds that it judges at once, above 0.
  package var window: Double
  /// The probability that it fires in a window of steps, 0 to 1.
  package var steps: Double
  /// The probability that it fires in a window of a ride that shakes it, 0 to 1.
  package var ride: Double
  /// The share of rides, 0 to 1, that are so smooth that it feels nothing of them from start to end: a train.
  package var smooth: Double
  /// How often it fires for nothing, per hour.
  package var falseAlarms: Double

  package init(window: Double, steps: Double, ride: Double, smooth: Double, falseAlarms: Double) {
    self.window = window
    self.steps = steps
    self.ride = ride
    self.smooth = smooth
    self.falseAlarms = falseAlarms
  }

  /// Of a device without a sensor: nothing is felt.
  package static let deaf = Self(window: 10, steps: 0, ride: 0, smooth: 0, falseAlarms: 0)
}

extension MotionSensing {
  /// Of a sensor that nobody has stated: as on phones.
  package static let usual = Self(
    window: 10, steps: 0.95, ride: 0.9, smooth: 0.02, falseAlarms: 0.25)
}
