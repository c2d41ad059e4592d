// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// A trace holds no accelerometer, so motion is derived from the true path: over each window of 15 s the
// device counts as moving where it got on by 15 m or more, 1 m/s on the average (a slow walk is 1.2 m/s)
// [estimate]. A window is what tells a walk from the drift of a recorded trace, which makes metres a
// second for seconds on end but gets nowhere. So the sensor's lag is 15 to 30 s, and it says so once a
// window for as long as the movement lasts.

/// A synthetic motion sensor.
package struct MotionSensor: Sendable, Equatable {
  /// Seconds of one window [estimate].
  package static let window = 15
  /// Metres within a window that are movement [estimate].
  package static let distance = 15.0

  private var begin: LocalFrame?
  private var seconds = 0

  package init() {}

  /// A second has passed and the device is at `position`; answers whether the sensor fires.
  package mutating func fires(at position: Coordinate) -> Bool {
    guard let begin else {
      self.begin = LocalFrame(origin: position)
      return false
    }
    seconds += 1
    guard seconds >= Self.window else { return false }
    seconds = 0
    self.begin = LocalFrame(origin: position)
    return begin.distance(to: position) >= Self.distance
  }
}
