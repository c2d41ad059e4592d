// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A motion sensor is an accelerometer that judges one window after the other and wakes the processor at the end of one
// in which it felt movement. A trace holds no acceleration, but it shows how the device moved (`WayOfMoving`), which
// decides what there was to feel:
//
//   window:    |··········|··········|··········|··········|··········|
//   way:         rest      rest  foot  foot       ride       rest
//   to feel:    nothing    3 s of 10  10 s steps  10 s shaking  nothing
//   fires:                            ▲ (0.95)    ▲ (0.9)
//
// - A window is one of movement if the device moved for half of it or more, so a movement is felt half a window to one
//   and a half after it began. With the usual 10 s that is what Android asks of such a sensor: 5 s of movement and at
//   most 5 s more (`SENSOR_TYPE_MOTION_DETECT`), and no walk of 10 s without an event
//   (`SENSOR_TYPE_SIGNIFICANT_MOTION`).
// - *Steps* and *rides* are felt in a window with a probability each. Windows are drawn one by one: a movement not felt
//   in this one is felt in the next.
// - *Smooth rides*: a share of the rides shakes so little that nothing is felt from start to end (a train at 15 m/s).
//   That is drawn once per ride.
// - *False alarms*: a phone that is picked up, a table that is bumped. They come at random, at `falseAlarms` per hour
//   of the trace, regardless of movement.
//
// - *Several seconds at once*, all of one way: each window that ends in them is drawn, and there is one draw for a
//   false alarm at their end.
//
// All numbers are the device profile's. Every draw depends on the seed and on the number of the second, the window or
// the ride, and not on the listeners.

/// A synthetic motion sensor.
package struct MotionSensor: Sendable, Equatable {
  /// Seconds.
  private let window: Int
  private let steps: Double
  private let ride: Double
  private let smooth: Double
  /// Per second.
  private let falseAlarms: Double
  private let windowDraw: Draw
  private let rideDraw: Draw
  private let alarmDraw: Draw
  private var seconds: UInt64 = 0
  private var windows: UInt64 = 0
  /// Seconds of the open window: all, those of steps, and those of a ride that shakes.
  private var open = (all: 0, steps: 0, ride: 0)
  private var latest: (ride: UInt64, isSmooth: Bool)?

  /// `window` in seconds, at least 1; `steps` and `ride` are the probabilities that a window of them is felt, `smooth`
  /// the share of rides that are not felt at all, 0 to 1; `falseAlarms` per hour, 0 to 3,600.
  package init(
    seed: UInt64, window: Double, steps: Double, ride: Double, smooth: Double, falseAlarms: Double
  ) {
    self.window = max(1, Int(window.rounded()))
    self.steps = steps
    self.ride = ride
    self.smooth = smooth
    self.falseAlarms = falseAlarms / 3_600
    windowDraw = Draw(seed: seed, purpose: .motionWindow)
    rideDraw = Draw(seed: seed, purpose: .smoothRide)
    alarmDraw = Draw(seed: seed, purpose: .falseMotion)
  }

  /// Advances by a second of this movement; returns whether the sensor fires.
  package mutating func fires(moving way: WayOfMoving) -> Bool {
    seconds += 1
    count(1, of: way)
    let isFalse = alarmDraw.uniform(seconds) < falseAlarms
    guard open.all >= window else { return isFalse }
    return isFalse || closesFelt()
  }

  /// Advances by several seconds of this movement; appends those at which the sensor fires, from 1 on.
  package mutating func feel(_ way: WayOfMoving, for count: Int, into fired: inout [Int]) {
    seconds += UInt64(count)
    var isFalse = alarmDraw.uniform(seconds) < chanceOfAlarm(in: count)
    var passed = 0
    while passed < count {
      let part = min(count - passed, window - open.all)
      self.count(part, of: way)
      passed += part
      guard open.all >= window, closesFelt() else { continue }
      fired.append(passed)
      if passed == count { isFalse = false }
    }
    if isFalse { fired.append(count) }
  }

  private mutating func count(_ seconds: Int, of way: WayOfMoving) {
    open.all += seconds
    switch way {
    case .rest: break
    case .foot: open.steps += seconds
    case .ride(let number): if !isSmooth(number) { open.ride += seconds }
    }
  }

  /// The chance of a false alarm in `seconds` seconds.
  private func chanceOfAlarm(in seconds: Int) -> Double {
    var quiet = 1.0
    for _ in 0..<seconds { quiet *= 1 - falseAlarms }
    return 1 - quiet
  }

  /// Closes the window; returns whether it was felt.
  private mutating func closesFelt() -> Bool {
    defer { open = (0, 0, 0) }
    windows += 1
    guard 2 * (open.steps + open.ride) >= open.all else { return false }
    return windowDraw.uniform(windows) < (open.steps >= open.ride ? steps : ride)
  }

  private mutating func isSmooth(_ number: UInt64) -> Bool {
    if let latest, latest.ride == number { return latest.isSmooth }
    let isSmooth = rideDraw.uniform(number) < smooth
    latest = (number, isSmooth)
    return isSmooth
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.window == b.window && a.steps == b.steps && a.ride == b.ride && a.smooth == b.smooth
      && a.falseAlarms == b.falseAlarms && a.alarmDraw == b.alarmDraw && a.seconds == b.seconds
      && a.open == b.open
  }
}
