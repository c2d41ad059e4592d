// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText

extension Complaint {
  /// Throws if the name of a missing file was not UTF-8 on the command line: its remainder is another name.
  static func refuseUnreadable(
    _ path: String, writing: Bool = false
  ) throws(Complaint) {
    guard path.contains("\u{FFFD}"), access(path, F_OK) != 0 else { return }
    let advice =
      writing
      ? "name another file to write to"
      : "rename the file, or read it from standard input (- < FILE)"
    throw Complaint("\(path): the name is not UTF-8; \(advice)")
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
