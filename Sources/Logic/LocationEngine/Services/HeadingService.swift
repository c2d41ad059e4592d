// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// A heading comes from a compass, if gpsd has a sensor of attitude (ATT), and else from the course of the receiver's
// fixes. Either way the receiver is on for it: gpsd reports nothing while no client watches it.
//
//   report ─► app runs code and may have locations? ─► differs from the last delivered one by the filter? ─► told
//
// - *Filter* [doc]: degrees from the last *delivered* heading, as the distance filter of positions; the first one is
//   always delivered.
// - *When in use* [doc]: as positions, none for what such an app began in the background.
// - *Suspended* [doc]: nothing is told and the receiver is not on for it; the request resumes when the app runs again,
//   and ends with its process.
// - *Course* [ours]: the direction of movement, so none below `slowest`: the velocity of a receiver is off by up to
//   `velocityError` across the track, and the accuracy is the angle of that, 27° at the slowest.
// - *Compass and course* [ours]: for `compassCounts` after a compass report the course is not told.
// - *Privacy* [ours]: in a zone that hides the device, and to an app of reduced accuracy, no course is told, since it
//   is part of a position; a compass does not reveal the place.

/// One app's request for headings; ends with its process.
struct HeadingService: Sendable, Equatable, Codable {
  /// The speed, metres per second, below which there is no course.
  static let slowest = 0.6
  /// Metres per second across the track.
  static let velocityError = 0.3
  /// Seconds.
  static let compassCounts = 5.0

  /// Degrees; `nil` tells every heading.
  var filter: Double?
  /// The time of a request in the background, until the app was seen; `nil` in the foreground.
  var unseenSince: EngineInstant?
  /// The last delivered direction, as in `direction`.
  private var told: Double?

  init(_ filter: Double?, unseenSince: EngineInstant?) {
    (self.filter, self.unseenSince) = (filter, unseenSince)
  }

  /// Whether to deliver a heading to the app; if so it becomes the last one.
  mutating func take(heading: Heading) -> Bool {
    guard let direction = heading.trueNorth ?? heading.magneticNorth else { return false }
    if let filter, let told, Heading.between(direction, told) < filter { return false }
    told = direction
    return true
  }
}

extension Fix {
  /// The course of the fix; `nil` if it is too slow or unknown.
  var heading: Heading? {
    guard let course, let speed, speed >= HeadingService.slowest else { return nil }
    let accuracy = arcTangent(y: HeadingService.velocityError, x: speed) * 180 / .pi
    return Heading(time: time, trueNorth: course, accuracy: accuracy, source: .course)
  }
}
