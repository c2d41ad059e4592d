// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The user's options for reading a trace.
package struct DecodingOptions: Sendable, Equatable {
  /// The UTC day of the first fix of a log that has no date (`--date`).
  package var date: CivilDate?
  /// Seconds between points without times (`--point-interval`).
  package var pointInterval: Double?
  /// Whether dates that lie 1024 weeks off are moved forward (`--fix-week-rollover`).
  package var fixWeekRollover = false
  /// Whether the first malformed line is an error (`--strict`).
  package var strict = false
  /// Whether a dateless or timeless trace is still read, with times that count from 1970 (`info`).
  package var allowsUndated = false
  /// One-sigma user range error in metres, the factor of HDOP if a receiver states no accuracy
  /// [estimate]; decision 0006 compares it with gpsd's constants.
  package var rangeError = 5.0

  package init() {}
}
