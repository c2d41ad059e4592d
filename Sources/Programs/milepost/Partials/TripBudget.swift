// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import TraceFiles

/// The processor's time that one trip may take, so that a busy machine refuses none; it is looked at between the pieces of
/// its replay.
struct TripBudget {
  private let seconds: Double?
  private let start = Self.used

  /// `nil` sets no limit.
  init(seconds: Double?) { self.seconds = seconds }

  static var none: Self { Self(seconds: nil) }

  /// Seconds of the processor that the program has used.
  private static var used: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Seconds of the processor since it began.
  var spent: Double { Self.used - start }

  /// Throws if it is spent.
  func check(_ path: String) throws {
    guard let seconds, spent > seconds else { return }
    throw Complaint(
      "\(InputName.short(path)): not done in \(Number.plain(seconds)) s of the processor; give it more with "
        + "--trip-seconds, or cut the trace")
  }
}
