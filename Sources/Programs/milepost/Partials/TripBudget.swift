// SPDX-License-Identifier: Apache-2.0

import JSONText
import TraceFiles

/// The time that one trip may take; it is looked at between the pieces of its replay.
struct TripBudget {
  private let seconds: Double?
  private let start = ContinuousClock.now

  /// `nil` sets no limit.
  init(seconds: Double?) { self.seconds = seconds }

  static var none: Self { Self(seconds: nil) }

  /// Seconds since it began.
  var spent: Double {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// Throws if it is spent.
  func check(_ path: String) throws {
    guard let seconds, spent > seconds else { return }
    throw Complaint(
      "\(InputName.short(path)): not done in \(Number.plain(seconds)) s; give it more with --trip-seconds, or cut the trace"
    )
  }
}
