// SPDX-License-Identifier: Apache-2.0

/// The settings that make a policy of its name: everything fixed when it is made and nothing learnt, except for the hot
/// start, which a running policy learns anew.
///
/// Equal settings make equal policies, so a recording that holds them can be decided again. A policy takes what it
/// needs from them, and its own `settings` have nothing else.
package struct PolicySettings: Sendable, Equatable, Codable {
  /// One of `PolicyKind.all`.
  package var name: String
  /// Hints on which it relies.
  package var senses: Senses
  /// The seed of its draws.
  package var seed: UInt64?
  /// Seconds between two sessions.
  package var interval: Double?
  /// Seconds after which a session without a fix ends.
  package var timeout: Double?
  /// Metres at which a fix is good enough.
  package var accuracy: Double?
  /// Natural logarithm of the median seconds of a hot start, as expected at first.
  package var hotStart: Double?
  /// Whether each start of the receiver has assistance data, so that it is as a hot one at any age; `nil` if not.
  package var isAssisted: Bool?
  /// Seconds for which the receiver goes on after it was switched off.
  package var receiverHold: Double?
  /// Joules of a look, receiver and processor, as the device's profile expects it; `nil` if unknown.
  package var lookEnergy: Double?
  /// Joules of a network position, as the device's profile expects it; `nil` where there are none.
  package var networkEnergy: Double?
  /// The behaviour of the motion sensor; `nil` if unstated, or there is none.
  package var motion: MotionSensing?

  package init(name: String, senses: Senses = []) {
    self.name = name
    self.senses = senses
  }

  /// Settings for a device: its hints, the timeout of an acquisition in seconds, and the expected mean seconds of a hot
  /// start; `seed` is for policies that draw.
  package init(
    name: String, senses: Senses, seed: UInt64 = 1, timeout: Double, hotStart mean: Double,
    receiverHold: Double = 0
  ) {
    self.init(name: name, senses: senses)
    self.seed = seed
    self.timeout = timeout
    self.receiverHold = receiverHold
    hotStart = AcquisitionMemory(hot: mean).logMedian
  }

  /// The same with one of them set.
  func with<Value>(_ setting: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
    var settings = self
    settings[keyPath: setting] = value
    return settings
  }
}
