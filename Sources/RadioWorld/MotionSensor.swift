// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// A trace holds no accelerometer, so motion is derived from the true path: over each window of `lag`
// seconds (15 s [estimate]) the device counts as moving where it got on by 1 m/s on the average or more (a
// slow walk is 1.2 m/s). A window is what tells a walk from the drift of a recorded trace, which makes
// metres a second for seconds on end but gets nowhere. So the sensor fires one to two lags after a start,
// and says so once a window for as long as the movement lasts.
//
//   window:   |···············|···············|···············|
//   moved:      still           16 m            20 m
//   fires:                                     ▲               ▲
//
// The hysteresis lies in time: one window begins a movement, and only who listens says when it is over (the
// policy `milepost` after three silent windows). A second, lower speed for a movement that goes on (0.5 m/s)
// was tried, and more of what `Tools/check-filter` asks for fails with it.
//
// *False alarms*: a phone that is picked up, a table that is bumped. They come at random, at `falseAlarms`
// per hour of the trace, whatever the device does; 0.25 an hour is six a day [estimate]. There are no false
// silences: who moves on smoothly (a train) is missed by real sensors and not by this one.

/// A synthetic motion sensor.
package struct MotionSensor: Sendable, Equatable {
  /// Metres per second on the average of a window that are movement [estimate].
  package static let speed = 1.0
  /// Seconds of a window unless asked otherwise [estimate].
  package static let usualLag = 15.0
  /// False alarms per hour unless asked otherwise [estimate].
  package static let usualFalseAlarms = 0.25

  private let window: Int
  private let alarmProbability: Double
  private let draw: Draw
  private var begin: LocalFrame?
  private var seconds = 0
  private var total: UInt64 = 0

  /// `lag` in seconds, at least 1; `falseAlarms` per hour, 0 to 3,600.
  package init(
    seed: UInt64, lag: Double = usualLag, falseAlarms: Double = usualFalseAlarms
  ) {
    window = max(1, Int(lag.rounded()))
    alarmProbability = falseAlarms / 3_600
    draw = Draw(seed: seed, purpose: .falseMotion)
  }

  /// A second has passed and the device is at `position`; answers whether the sensor fires.
  package mutating func fires(at position: Coordinate) -> Bool {
    total += 1
    let isFalse = draw.uniform(total) < alarmProbability
    guard let begin else {
      self.begin = LocalFrame(origin: position)
      return isFalse
    }
    seconds += 1
    guard seconds >= window else { return isFalse }
    let way = Self.speed * Double(seconds)
    seconds = 0
    self.begin = LocalFrame(origin: position)
    return isFalse || begin.distance(to: position) >= way
  }
}
