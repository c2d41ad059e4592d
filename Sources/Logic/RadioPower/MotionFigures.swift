// SPDX-License-Identifier: Apache-2.0

// A motion sensor in five rows. It judges one window after the other and fires at the end of one in which it
// felt movement:
//
//     sensor,motion,window        s       the length of a window
//     sensor,motion,steps         share   of the windows of a walk or a run that it feels
//     sensor,motion,ride          share   the same of a ride that shakes it
//     sensor,motion,smooth        share   of all rides that it does not feel from start to end
//     sensor,motion,false_alarms  1/h     false alarms
//
// The world of a replay draws its sensor from the nominal numbers, and a policy weighs silence by them. The ranges are
// for tests of robustness; no energy depends on them by itself.

/// The figures of a device's motion sensor, with ranges.
package struct MotionFigures: Sendable, Equatable {
  /// Seconds, above 0.
  package let window: Quantity
  /// The probability that it fires in a window of steps, 0 to 1.
  package let steps: Quantity
  /// The probability that it fires in a window of a ride that shakes it, 0 to 1.
  package let ride: Quantity
  /// The share of rides that it does not feel, 0 to 1.
  package let smooth: Quantity
  /// False alarms per hour.
  package let falseAlarms: Quantity

  static let quantities = ["window", "steps", "ride", "smooth", "false_alarms"]

  init(_ values: ProfileNumbers) {
    window = values["sensor", "motion", "window"]
    steps = values["sensor", "motion", "steps"]
    ride = values["sensor", "motion", "ride"]
    smooth = values["sensor", "motion", "smooth"]
    falseAlarms = values["sensor", "motion", "false_alarms"]
  }
}
