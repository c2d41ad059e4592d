// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText

/// One line on standard error with the progress of a long reading.
///
/// Only if standard error is a terminal, and only after a second of work.
final class Progress {
  private let name: String
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now
  private var hasWritten = false

  init(_ name: String) {
    self.name = name
    isShown = isatty(STDERR_FILENO) != 0
  }

  /// Reports the share of read bytes, 0 to 1; `nil` for a stream of unknown length.
  func report(read share: Double?) {
    if let share { report("read", share) }
  }

  /// Reports the replayed share of the trace, 0 to 1.
  func report(replayed share: Double) { report("replayed", share) }

  private func report(_ what: String, _ share: Double) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), now - last > .milliseconds(100) else { return }
    last = now
    hasWritten = true
    Console.standardError("\r\u{1B}[K\(name): \(Self.text(what, share))")
  }

  /// Only completed percents count: 100 is the end.
  static func text(_ what: String, _ share: Double) -> String {
    "\(what) \(Decimal.text((share * 100).rounded(.down), decimals: 0)) % "
  }

  /// Removes the line.
  func clear() {
    if hasWritten { Console.standardError("\r\u{1B}[K") }
    hasWritten = false
  }
}
