// SPDX-License-Identifier: Apache-2.0

import Files
import FixFormats
import Glibc

/// The reason why a file could not be read or written, in words for people.
package struct TraceFileError: Error, Sendable, Equatable {
  /// The fault, with the file's name and the line at fault, if there is one: `walk.nmea:1204: …`;
  /// no final full stop.
  package let message: String

  package init(_ message: String) { self.message = message }

  /// A decoder's error, with the file's name and line before it.
  init(_ error: TraceError, in name: String) {
    let place = error.line.map { "\(name):\($0)" } ?? name
    self.init("\(place): \(error.message)")
  }

  /// Throws if the name of a missing file was not UTF-8 on the command line: its remainder is another name.
  static func refuseUnreadable(
    _ path: String, writing: Bool = false
  ) throws(TraceFileError) {
    guard path.contains("\u{FFFD}"), access(path, F_OK) != 0 else { return }
    let advice =
      writing
      ? "name another file to write to"
      : "rename the file, or read it from standard input (- < FILE)"
    throw TraceFileError("\(path): the name is not UTF-8; \(advice)")
  }

  private static func writing(_ code: Int32) -> String {
    switch code {
    case ENOENT: "the folder does not exist"
    case EACCES, EPERM: "permission denied; this user may not write here"
    case ENOSPC: "no space left on the device"
    case EROFS: "the file system is read-only"
    default: SystemError.reading(code, "trace")
    }
  }

  /// A system call's error on the file `name`.
  init(_ code: Int32, _ name: String, writing: Bool = false) {
    self.init("\(name): \(writing ? Self.writing(code) : SystemError.reading(code, "trace"))")
  }
}
