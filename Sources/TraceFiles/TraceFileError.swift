// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Glibc

/// Why a file could not be read or written, in words for people.
package struct TraceFileError: Error, Sendable, Equatable {
  /// What is wrong, with the file's name and, where one is to blame, the line:
  /// `walk.nmea:1204: …`; no final full stop.
  package let message: String
  /// What was wrong with the content, where the file itself could be read.
  package let cause: TraceError?

  package init(_ message: String, cause: TraceError? = nil) {
    self.message = message
    self.cause = cause
  }

  /// A decoder's error, with the file's name and line before it.
  init(_ error: TraceError, in name: String) {
    let place = error.line.map { "\(name):\($0)" } ?? name
    self.init("\(place): \(error.message)", cause: error)
  }

  /// Throws where the name of a file that is not there was not UTF-8 on the command line: what is left of
  /// it is another name.
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

  /// A system call's error on the file `name`.
  init(_ code: Int32, _ name: String, writing: Bool = false) {
    let words: String
    switch code {
    case ENOENT:
      words = writing ? "the folder does not exist" : "no such file; check the path"
    case EACCES, EPERM:
      words =
        writing
        ? "permission denied; this user may not write here"
        : "permission denied; make the file readable for this user (chmod u+r)"
    case EISDIR: words = "a directory, not a trace; name a file in it"
    case ENOTDIR: words = "a part of the path is a file, not a directory"
    case ENOSPC: words = "no space left on the device"
    case EROFS: words = "the file system is read-only"
    case EMFILE, ENFILE: words = "too many open files"
    default: words = String(cString: strerror(code))
    }
    self.init("\(name): \(words)")
  }
}
