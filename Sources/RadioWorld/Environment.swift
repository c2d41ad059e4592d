// SPDX-License-Identifier: Apache-2.0

/// Where the device is carried; decides time to first fix and the receiver's error.
package enum Environment: String, Sendable, CaseIterable {
  case open
  case pocket
  case indoors

  /// Standard deviation of the receiver's error per axis, metres [estimate].
  ///
  /// Open sky: 4.9 m at 95 % is what the GPS standard positioning service promises typical users
  /// (gps.gov, smartphone accuracy, van Diggelen and Enge 2015: 4.9 m radius), so about 2 m per axis;
  /// pocket and indoors are estimates.
  package var errorPerAxis: Double {
    switch self {
    case .open: 2
    case .pocket: 5
    case .indoors: 15
    }
  }
}
