// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText

/// Standard output and standard error, unbuffered.
enum Terminal {
  /// Whether both are a terminal that can move its cursor.
  static var isScreen: Bool { TerminalScreen.isThere(on: STDOUT_FILENO, STDERR_FILENO) }

  /// Writes an answer; a reader that has gone away is no error.
  static func answer(_ text: String) throws {
    if case .failed(let code) = out(Array(text.utf8)) {
      throw Complaint("stdout: \(SystemError.text(code))")
    }
  }

  /// The outcome of a write to standard output.
  enum Outcome: Equatable {
    case written
    /// There is no reader any more.
    case unread
    /// It could not be written, with the system's error number.
    case failed(Int32)
  }

  @discardableResult
  static func out(_ bytes: [UInt8]) -> Outcome {
    switch WholeWrite.write(bytes[...], to: STDOUT_FILENO).error {
    case nil: .written
    case EPIPE?, EIO?: .unread
    case .some(let code): .failed(code)
    }
  }

  @discardableResult
  static func out(_ text: String) -> Outcome { out(Array(text.utf8)) }

  static func error(_ text: String) {
    _ = WholeWrite.write(Array(text.utf8)[...], to: STDERR_FILENO)
  }
}
