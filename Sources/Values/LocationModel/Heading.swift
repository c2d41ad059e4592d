// SPDX-License-Identifier: Apache-2.0

/// The direction in which the device points or, without a compass, moves.
package struct Heading: Sendable, Equatable, Codable {
  package enum Source: String, Sendable, CaseIterable, Codable {
    /// A sensor of attitude, if gpsd has one: the direction in which the device points.
    case compass
    /// The receiver's course over ground: the direction of movement.
    case course
  }

  /// UTC of the report; `nil` if it gave none.
  package var time: UTCInstant?
  /// Degrees clockwise from true north, 0 ≤ x < 360; `nil` if only the other one is known.
  package var trueNorth: Double?
  /// Degrees clockwise from magnetic north, 0 ≤ x < 360; `nil` if the declination is unknown.
  package var magneticNorth: Double?
  /// The greatest error, degrees, 0 to 180; `nil` is unknown.
  package var accuracy: Double?
  package var source: Source

  package init(
    time: UTCInstant?, trueNorth: Double?, magneticNorth: Double? = nil, accuracy: Double? = nil,
    source: Source
  ) {
    self.time = time
    self.trueNorth = trueNorth
    self.magneticNorth = magneticNorth
    self.accuracy = accuracy
    self.source = source
  }

  /// Degrees between two directions, 0 to 180.
  package static func between(_ a: Double, _ b: Double) -> Double {
    let apart = (a - b).magnitude.truncatingRemainder(dividingBy: 360)
    return min(apart, 360 - apart)
  }

  /// A direction as 0 ≤ x < 360.
  package static func wrapped(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    return rest < 0 ? (rest + 360).truncatingRemainder(dividingBy: 360) : rest
  }

  /// The same with the other north, if `declination` (degrees by which magnetic north lies east of true
  /// north) is known.
  package func completed(by declination: Double?) -> Heading {
    guard let declination else { return self }
    var heading = self
    heading.magneticNorth = magneticNorth ?? trueNorth.map { Self.wrapped($0 - declination) }
    heading.trueNorth = trueNorth ?? magneticNorth.map { Self.wrapped($0 + declination) }
    return heading
  }
}
