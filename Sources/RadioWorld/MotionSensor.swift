// SPDX-License-Identifier: Apache-2.0

/// A synthetic motion sensor: a trace holds no accelerometer, so motion is derived from true speed.
///
/// It fires once the true speed has been at least 1 m/s for `lag` seconds in a row [estimate; a slow
/// walk is 1.2 m/s], and again only after a second below it.
package struct MotionSensor: Sendable, Equatable {
  /// Metres per second.
  package static let threshold = 1.0
  /// Seconds of movement before it fires [estimate].
  package static let lag = 5

  private var moving = 0

  package init() {}

  /// A second at this speed has passed; answers whether the sensor fires.
  package mutating func fires(atSpeed speed: Double) -> Bool {
    moving = speed >= Self.threshold ? min(moving + 1, Self.lag + 1) : 0
    return moving == Self.lag
  }
}
