// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc

/// Standard output and standard error, unbuffered.
enum Terminal {
  /// Whether both are a terminal that can move its cursor.
  static var isScreen: Bool {
    guard isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0 else { return false }
    guard let kind = getenv("TERM").map({ String(cString: $0) }) else { return false }
    return !kind.isEmpty && kind != "dumb"
  }

  /// Returns `false` if there is no reader any more.
  @discardableResult
  static func out(_ text: String) -> Bool { out(Array(text.utf8)) }

  @discardableResult
  static func out(_ bytes: [UInt8]) -> Bool {
    let error = WholeWrite.write(bytes[...], to: STDOUT_FILENO).error
    return error != EPIPE && error != EIO
  }

  static func error(_ text: String) {
    _ = WholeWrite.write(Array(text.utf8)[...], to: STDERR_FILENO)
  }
}
