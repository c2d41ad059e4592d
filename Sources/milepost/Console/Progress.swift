// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText

/// One line on standard error that says how far a long reading has come.
///
/// Only where standard error is a terminal, and only after a second of work.
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

  /// `fraction` of the bytes were read in this of two passes.
  func report(_ fraction: Double?, pass: Int) {
    guard let fraction else { return }
    report((fraction + Double(pass - 1)) / 2)
  }

  /// So much of the work is done, 0 to 1.
  func report(_ share: Double) {
    guard isShown else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1), now - last > .milliseconds(100) else { return }
    last = now
    hasWritten = true
    let percent = Decimal.text(share * 100, decimals: 0)
    Console.standardError("\r\(name): \(percent) % ")
  }

  /// Takes the line away.
  func clear() {
    if hasWritten { Console.standardError("\r\u{1B}[K") }
    hasWritten = false
  }
}
