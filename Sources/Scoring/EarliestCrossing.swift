// SPDX-License-Identifier: Apache-2.0

/// The earliest that a device can have got on by a distance: how long a receiver may sleep if no move is
/// ever to be missed.
///
/// With speed v, at most the acceleration a and at most the speed V the device is `reaches` metres
/// further after
///
///     (−v + √(v² + 2·a·R)) / a       while it still gains speed, that is while R ≤ v·t₁ + a·t₁²/2,
///     t₁ + (R − d₁) / V              after that, with t₁ = (V − v)/a and d₁ = v·t₁ + a·t₁²/2
///
/// (power model, section 8.1). The guarantee is hard and nearly useless: some ten seconds for a vehicle.
package struct EarliestCrossing: Sendable, Equatable {
  /// Metres per second now; at most `limit`.
  package var speed: Double
  /// Metres per second squared; 0 where the device is at its limit already.
  package var acceleration: Double
  /// Metres per second, above 0.
  package var limit: Double

  package init(speed: Double, acceleration: Double, limit: Double) {
    self.speed = speed
    self.acceleration = acceleration
    self.limit = limit
  }

  /// Seconds until the device can be `metres` further.
  package func seconds(to metres: Double) -> Double {
    guard acceleration > 0, speed < limit else { return metres / limit }
    let gaining = (limit - speed) / acceleration
    let gained = speed * gaining + acceleration * gaining * gaining / 2
    guard metres > gained else {
      return ((speed * speed + 2 * acceleration * metres).squareRoot() - speed) / acceleration
    }
    return gaining + (metres - gained) / limit
  }
}
