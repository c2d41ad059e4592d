// SPDX-License-Identifier: Apache-2.0

import Glibc
import Reports

/// Standard output and standard error, at once and without a buffer.
enum Terminal {
  static var isScreen: Bool { isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0 }

  /// Columns of the terminal; 80 where it does not say.
  static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  static func out(_ text: String) { write(Array(text.utf8), to: STDOUT_FILENO) }

  static func out(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

  static func error(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
