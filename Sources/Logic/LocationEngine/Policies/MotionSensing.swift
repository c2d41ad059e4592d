// SPDX-License-Identifier: Apache-2.0

/// The behaviour of a device's motion sensor, as its profile states it: how much a window in which it fires, or does
/// not, says about the way of moving.
///
/// The sensor judges window by window and fires at the end of one with movement, so the first event of a movement comes
/// up to two windows after its start.
package struct MotionSensing: Sendable, Equatable, Codable {
  /// The length of a window, seconds, above 0.
  package var window: Double
  /// The probability that it fires in a window of steps, 0 to 1.
  package var steps: Double
  /// The probability that it fires in a window of a ride that shakes it, 0 to 1.
  package var ride: Double
  /// The share of rides, 0 to 1, so smooth that it feels nothing of them from start to end: a train.
  package var smooth: Double
  /// False alarms per hour.
  package var falseAlarms: Double

  package init(window: Double, steps: Double, ride: Double, smooth: Double, falseAlarms: Double) {
    self.window = window
    self.steps = steps
    self.ride = ride
    self.smooth = smooth
    self.falseAlarms = falseAlarms
  }

  /// A device without a sensor: nothing is felt.
  package static let deaf = Self(window: 10, steps: 0, ride: 0, smooth: 0, falseAlarms: 0)
}

extension MotionSensing {
  /// A sensor without stated numbers: as on phones.
  package static let usual = Self(
    window: 10, steps: 0.95, ride: 0.9, smooth: 0.02, falseAlarms: 0.25)
}

extension MotionSensing {
  /// An accelerometer that a machine reads for a third of a second, once in `seconds`: it misses a part of what one
  /// feels that watches all the time [estimate].
  package static func sampled(every seconds: Double) -> Self {
    Self(window: seconds, steps: 0.7, ride: 0.7, smooth: 0.05, falseAlarms: 0.25)
  }
}

/// What a sense of the machine says of a trip, and how often that is right.
///
/// No published figure was found for any of them, so all are estimates. Not every start of an engine is a ride (a battery
/// is charged, an engine warms up), and not every ride ends with the ignition (a start-stop system, a fuel stop). A
/// Wi-Fi network is lost without a move, too (an access point begins anew, or rests at night), and joined on the way
/// past it.
package struct TripHint: Sendable, Equatable {
  /// Whether one begins; else it has ended in a stay.
  package let begins: Bool
  /// Whether it is a ride.
  package let isRide: Bool
  /// The share of such hints that are right, 0 to 1.
  package let reliability: Double

  package static func ignition(isOn: Bool) -> Self {
    Self(begins: isOn, isRide: true, reliability: 0.9)
  }

  /// A network that stands at a place was joined, or left.
  package static func wifi(isJoined: Bool) -> Self {
    Self(begins: !isJoined, isRide: false, reliability: isJoined ? 0.7 : 0.5)
  }
}

/// The hints that a device gives without its receiver, on which a policy may rely.
package struct Senses: OptionSet, Sendable, Codable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A sensor that fires when the device begins to move, and again for as long as it moves.
  package static let motion = Senses(rawValue: 1)
  /// A modem whose changes of cell reach the processor.
  package static let cells = Senses(rawValue: 2)

  /// The triggers that go with them.
  var triggers: Triggers {
    var triggers: Triggers = []
    if contains(.motion) { triggers.insert(.motion) }
    if contains(.cells) { triggers.insert(.cells) }
    return triggers
  }
}
