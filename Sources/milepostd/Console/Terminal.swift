// SPDX-License-Identifier: Apache-2.0

import Glibc
import Reports

/// Standard output and standard error, at once and without a buffer.
enum Terminal {
  /// Whether a person sees both, on a terminal that can move its cursor.
  static var isScreen: Bool {
    guard isatty(STDOUT_FILENO) != 0, isatty(STDERR_FILENO) != 0 else { return false }
    guard let kind = getenv("TERM").map({ String(cString: $0) }) else { return false }
    return !kind.isEmpty && kind != "dumb"
  }

  /// `false` where nobody reads any more.
  @discardableResult
  static func out(_ text: String) -> Bool { write(Array(text.utf8), to: STDOUT_FILENO) }

  @discardableResult
  static func out(_ bytes: [UInt8]) -> Bool { write(bytes, to: STDOUT_FILENO) }

  static func error(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

  @discardableResult
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return errno != EPIPE && errno != EIO }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
