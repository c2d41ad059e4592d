// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The system's texts for errors.
package enum SystemError {
  /// The text of an error number, by default of the last failed call (strerror(3)).
  package static func text(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

  /// The reason why a file named by a person cannot be read, and the remedy; `kind` is its expected kind.
  package static func reading(_ code: Int32 = errno, _ kind: String = "file") -> String {
    switch code {
    case ENOENT: "no such file; check the path"
    case EACCES, EPERM: "permission denied; make the file readable for this user (chmod u+r)"
    case EISDIR: "a directory, not a \(kind); name a file in it"
    case ENOTDIR: "a part of the path is a file, not a directory"
    case EMFILE, ENFILE: "too many open files"
    default: text(code)
    }
  }
}
