// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The position according to a fix, as the basis for judging later fixes.
struct BelievedPlace: Sendable, Equatable, Codable {
  var frame: LocalFrame
  var at: EngineInstant
  /// Metres; 30 where unknown.
  var accuracy: Double
  /// Metres per second.
  var speed: Double

  /// Without a speed in the fix, the speed of the way from `last` is taken; `frame` is the one around
  /// the fix, if the caller has it.
  init(
    _ fix: Fix, around frame: LocalFrame? = nil, at now: EngineInstant,
    after last: BelievedPlace? = nil
  ) {
    self.frame = frame ?? LocalFrame(origin: fix.coordinate)
    at = now
    accuracy = fix.horizontalAccuracy ?? 30
    speed = fix.speed ?? 0
    guard fix.speed == nil, let last else { return }
    let elapsed = EngineInstant.seconds(from: last.at, to: now)
    if elapsed > 0 { speed = min(400, last.distance(to: fix) / elapsed) }
  }

  /// The place of a report with a speed.
  init(_ report: ReceiverReport) {
    self.init(report.fix, at: report.at)
  }

  func distance(to fix: Fix) -> Double { frame.distance(to: fix.coordinate) }

  /// Metres that the errors of both positions explain.
  func noise(to fix: Fix) -> Double { Self.noise(accuracy, fix.horizontalAccuracy) }

  private static func noise(_ accuracy: Double?, _ other: Double?) -> Double {
    30 + (accuracy ?? 30) + (other ?? 30)
  }

  /// The standard deviation of the way to `fix`, metres.
  func error(to fix: Fix) -> Double {
    let other = fix.horizontalAccuracy ?? 30
    // 1.51 deviations per axis hold 68 % of a circular normal distribution.
    return (other * other + accuracy * accuracy).squareRoot() / 1.51 + 3
  }

  /// The greatest distance, metres, of a moving object at `fix`, as `JumpGate` defines it.
  func reach(to fix: Fix, at now: EngineInstant) -> Double {
    Self.reach(
      in: EngineInstant.seconds(from: at, to: now), at: max(speed, fix.speed ?? 0),
      noise: noise(to: fix))
  }

  private static func reach(in elapsed: Double, at speed: Double, noise: Double) -> Double {
    let speed = speed + 10
    return noise + min(400 * elapsed, speed * elapsed + 2 * elapsed * elapsed)
  }

  func reaches(_ fix: Fix, at now: EngineInstant) -> Bool {
    distance(to: fix) <= reach(to: fix, at: now)
  }

  /// Whether a report is in reach from the place of another one that has a speed.
  static func reaches(_ report: ReceiverReport, from last: ReceiverReport) -> Bool {
    let reach = reach(
      in: EngineInstant.seconds(from: last.at, to: report.at),
      at: max(last.speed ?? 0, report.speed ?? 0), noise: noise(last.accuracy, report.accuracy))
    // The bound decides for all but jumps, and needs no frame.
    return last.coordinate.distanceBound(to: report.coordinate) <= reach
      || LocalFrame(origin: last.coordinate).distance(to: report.coordinate) <= reach
  }
}
