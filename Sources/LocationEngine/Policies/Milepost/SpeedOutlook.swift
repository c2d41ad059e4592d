// SPDX-License-Identifier: Apache-2.0

import Geodesy

// Theory
// ======
//
// How far will the device get in T seconds? Its speed is taken to wander back to the mean of the trip
// (an Ornstein–Uhlenbeck process): now it is v, on the average m, and it forgets v within τ = 60 s, the
// time between two stops or turns in a town [estimate]. Then the distance has
//
//     mean       m T + (v − m) τ (1 − e^(−T/τ))
//     variance   s² T² · 2τ/T · (1 − (1 − e^(−T/τ)) τ/T)
//
// where s is the spread of speed: 15 % for a walker (gait is steady), and 40 % of what goes beyond
// 2.5 m/s (lights, bends, stops) [estimate]. The crossing is expected when mean + z·deviation reaches
// what is missing, z = 1.1: 86 % of such predictions are early or right. An early look finds less missing
// and is asked again, with a fresh speed; a late one is an overshoot that nothing takes back.
//
// On foot a speed below the mean is not carried on: who walks stops for seconds, not for τ, and a recorded
// walk stands and jumps from point to point. Vehicles do slow down for minutes, so theirs is.
//
// The mean is learnt with a time constant of 300 s, of which short stops are no part: while the receiver is
// on from the speed itself, over a sleep half from the net distance over the time of movement, half from the
// speeds at both ends. Net distance is what counts for a crossing, and a device that goes in circles does not
// get away; but it may leave the circle at any time, with its speed. At a departure the mean rises at once.
// After a ride the first leg of `onFoot` seconds that was walked from end to end ends it: no vehicle crawls
// for so long. So do `vigil` seconds with the receiver on in which nothing went at a vehicle's speed, for else
// one wrong speed would keep it on for many minutes. And a speed is believed only as far as a quick start reaches
// over the way that was made (v² = v₀² + 2 a s): receivers between high walls report 100 m/s.

/// What is known of the device's speed, and how far it will carry it.
struct SpeedOutlook: Sendable, Equatable, Codable {
  /// Seconds in which the present speed is forgotten [estimate].
  static let memory = 60.0
  /// Seconds in which the mean speed is learnt.
  static let learning = 300.0
  /// Seconds between two fixes that are a sleep: the speeds at its ends count half [ours].
  static let sleep = 20.0
  /// Deviations of caution.
  static let caution = 1.1
  /// Metres per second below which gait is steady: a brisk walk and a slow run.
  static let gait = 2.5
  /// Metres per second below which a device counts as standing: Doppler speeds of a standing receiver
  /// are below it [estimate].
  static let standing = 0.6
  /// Metres per second above which only vehicles go.
  static let vehicle = 4.0
  /// Seconds of movement that show a walk [ours: four windows of a motion sensor, in which a car has left its
  /// lot], and its usual speed.
  static let onFoot = (seconds: 60.0, speed: 1.5)
  /// Seconds of watching without a vehicle's speed after which a ride is over [ours: most red lights are shorter].
  static let vigil = 90.0
  /// Metres per second squared of a quick start: a fast car (`JumpGate`).
  static let start = 4.0
  /// Mean metres per second of a vehicle that has just set off, if it does not know better: traffic in
  /// towns does 25 to 35 km/h.
  static let departing = 8.0

  /// Metres per second.
  private(set) var speed = 0.0
  private(set) var mean = 0.0
  /// Seconds since the receiver was switched on, or something went at a vehicle's speed.
  private var watched = 0.0

  /// Metres per second that can have been reached on `way` metres in `seconds`.
  func fastest(on way: Double, in seconds: Double) -> Double {
    min(speed + Self.start * seconds, (speed * speed + 2 * Self.start * way).squareRoot())
  }

  /// Takes the speed of a fix, and the leg to it: `distance` metres net of noise in `seconds`, of which
  /// it moved for `moving`.
  mutating func learn(
    speed reported: Double?, distance: Double, seconds: Double, moving: Double, isDeparture: Bool
  ) {
    let net = moving > 0 ? distance / moving : 0
    let isSleep = seconds >= Self.sleep
    let along = (speed + (reported ?? net)) / 2
    let leg = max(net, (net + along) / 2)
    if let reported { speed = reported } else if seconds >= 5 { speed = leg }
    // A short stop says nothing of how fast the way goes on.
    let told = max(1, moving) + max(0, seconds - moving - Self.learning)
    let share = 1 - exponential(-min(seconds, told) / Self.learning)
    mean += share * ((isSleep ? leg : speed) - mean)
    if isSleep, moving >= Self.onFoot.seconds, max(net, speed) < Self.vehicle {
      mean = min(mean, max(leg, speed, Self.onFoot.speed))
    }
    watched = isSleep || speed >= Self.vehicle ? 0 : min(watched + seconds, Self.vigil)
    if watched >= Self.vigil { mean = min(mean, max(speed, Self.onFoot.speed)) }
    guard isDeparture, speed >= Self.standing else { return }
    mean = max(mean, speed, speed > Self.vehicle ? Self.departing : 0)
  }

  /// Whether it stands, and has not moved much lately.
  var isStanding: Bool { speed < Self.standing && mean < Self.standing }

  /// Spread of the speed, metres per second.
  private var spread: Double {
    let usual = max(speed, mean)
    return 0.15 * min(usual, Self.gait) + 0.4 * max(0, usual - Self.gait)
  }

  /// Metres that are likely not exceeded in `seconds` of movement.
  func reach(in seconds: Double) -> Double { (max(speed, mean, 1.5) + 2 * spread) * seconds }

  /// Metres expected in `seconds`, with caution.
  func distance(in seconds: Double) -> Double {
    guard seconds > 0 else { return 0 }
    let remembered = Self.remembered(in: seconds)
    let deviation =
      spread * seconds
      * (2 * Self.memory / seconds * max(0, 1 - remembered / seconds)).squareRoot()
    let deviations = Self.caution * deviation
    if max(speed, mean) < Self.gait { return max(speed, mean) * seconds + deviations }
    return mean * seconds + (speed - mean) * remembered + deviations
  }

  /// Seconds until `metres` are covered; `nil` where that lies further off than `limit`.
  func seconds(toCover metres: Double, within limit: Double) -> Double? {
    guard metres > 0 else { return 0 }
    guard distance(in: limit) >= metres else { return nil }
    return earliest(within: limit) { distance(in: $0) >= metres }
  }

  /// The seconds of `seconds` for which a speed of now is remembered: τ (1 − e^(−T/τ)).
  static func remembered(in seconds: Double) -> Double {
    memory * (1 - exponential(-seconds / memory))
  }
}

/// The least value up to `limit` that suffices, where every larger one does too; to a millionth of `limit`.
func earliest(within limit: Double, suffices: (Double) -> Bool) -> Double {
  var (low, high) = (0.0, limit)
  for _ in 0..<20 {
    let middle = (low + high) / 2
    if suffices(middle) { high = middle } else { low = middle }
  }
  return high
}
