// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The system's words for what is wrong.
package enum SystemError {
  /// The words for an error number, without it that of the last call that failed (strerror(3)).
  package static func text(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

  /// Why a file that a person named cannot be read, and what to do; `kind` is what it was taken for.
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
