// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

/// The position according to a fix, as the basis for judging later fixes.
package struct BelievedPlace: Sendable, Equatable, Codable {
  package var frame: LocalFrame
  package var at: EngineInstant
  /// Metres; 30 where unknown.
  var accuracy: Double
  /// Metres per second.
  var speed: Double

  /// Without a speed in the fix, the speed of the way from `last` is taken; `frame` is the one around
  /// the fix, if the caller has it.
  package init(
    _ fix: Fix, around frame: LocalFrame? = nil, at now: EngineInstant,
    after last: BelievedPlace? = nil
  ) {
    self.frame = frame ?? LocalFrame(origin: fix.coordinate)
    at = now
    accuracy = fix.horizontalAccuracy ?? 30
    speed = fix.speed ?? 0
    guard fix.speed == nil, let last else { return }
    let elapsed = EngineInstant.seconds(from: last.at, to: now)
    if elapsed > 0 { speed = min(Self.fastest, last.distance(to: fix) / elapsed) }
  }

  func distance(to fix: Fix) -> Double { frame.distance(to: fix.coordinate) }

  /// Metres per second above any airliner's ground speed [ours].
  package static let fastest = 400.0

  /// The greatest distance, metres, of anything that flies at `fix`, so many seconds later.
  package func limit(to fix: Fix, after elapsed: Double) -> Double {
    noise(to: fix) + Self.fastest * elapsed
  }

  /// Metres that the errors of both positions explain, three standard deviations: an accuracy is the radius of 68 %, and
  /// they are twice that. Of fine positions 30 m cover it.
  package func noise(to fix: Fix) -> Double {
    func wide(_ accuracy: Double) -> Double { max(accuracy, 2 * accuracy - 30) }
    return 30 + wide(accuracy) + wide(fix.horizontalAccuracy ?? 30)
  }

  /// The standard deviation of the way to `fix`, metres.
  func error(to fix: Fix) -> Double {
    let other = fix.horizontalAccuracy ?? 30
    return Fix.deviation(ofAccuracy: (other * other + accuracy * accuracy).squareRoot()) + 3
  }

  /// Metres per second that a moving object keeps up between here and `fix`.
  package func pace(to fix: Fix) -> Double { max(speed, fix.speed ?? 0) + 10 }

  /// The greatest distance, metres, of a moving object at `fix`, as `JumpGate` defines it.
  func reach(to fix: Fix, at now: EngineInstant) -> Double {
    let elapsed = EngineInstant.seconds(from: at, to: now)
    return min(
      limit(to: fix, after: elapsed),
      noise(to: fix) + pace(to: fix) * elapsed + 2 * elapsed * elapsed)
  }

  func reaches(_ fix: Fix, at now: EngineInstant) -> Bool {
    distance(to: fix) <= reach(to: fix, at: now)
  }
}
