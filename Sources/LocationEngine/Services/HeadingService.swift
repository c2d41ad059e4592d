// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// A heading comes from a compass, where gpsd has a sensor of attitude (ATT), and else from the course of the
// receiver's fixes. Either way the receiver is on for it: gpsd is not heard while nobody watches it.
//
//   report ─► app runs code and may have locations? ─► differs from the last delivered one by the filter? ─► told
//
// - *Filter* [doc]: degrees from the last *delivered* heading, as the distance filter of positions; the first one is
//   always delivered.
// - *When in use* [doc]: as positions, none for what such an app began in the background.
// - *Suspended* [doc]: nothing is told and the receiver is not on for it; what was asked for goes on when the app runs
//   again, and ends with its process.
// - *Course* [ours]: it says where the device moves to, so that one below `slowest` is none: the velocity of a receiver
//   is off by up to `velocityError` across the track, and the accuracy is the angle of that, 27° at the slowest.
// - *Compass and course* [ours]: for `compassCounts` after a report of the compass the course is not told.
// - *Privacy* [ours]: in a zone that hides the device, and to an app of reduced accuracy, no course is told, since it is
//   part of a position; a compass says nothing of where the device is.

/// One app's wish for headings; ends with its process.
struct HeadingService: Sendable, Equatable, Codable {
  /// Metres per second below which a course is none.
  static let slowest = 0.6
  /// Metres per second across the track.
  static let velocityError = 0.3
  /// Seconds.
  static let compassCounts = 5.0

  /// Degrees; `nil` tells every heading.
  var filter: Double?
  /// When it was asked for in the background, until the app was seen; `nil` in the foreground.
  var unseenSince: EngineInstant?
  /// The direction that was told last, as `direction` has it.
  private var told: Double?

  init(_ filter: Double?, unseenSince: EngineInstant?) {
    (self.filter, self.unseenSince) = (filter, unseenSince)
  }

  /// Whether the app is told of a heading; it is the last one then.
  mutating func take(_ heading: Heading) -> Bool {
    guard let direction = heading.trueNorth ?? heading.magneticNorth else { return false }
    if let filter, let told, Heading.between(direction, told) < filter { return false }
    told = direction
    return true
  }
}

extension Fix {
  /// Where the device moves to; `nil` where it is too slow, or that is not known.
  var heading: Heading? {
    guard let course, let speed, speed >= HeadingService.slowest else { return nil }
    let accuracy = arcTangent(y: HeadingService.velocityError, x: speed) * 180 / .pi
    return Heading(time: time, trueNorth: course, accuracy: accuracy, source: .course)
  }
}
