// SPDX-License-Identifier: Apache-2.0

import Host
import JSONText
import ServiceCore

/// The lock of a runtime directory for one daemon.
///
/// Keepers and their apps belong to the directory. A second daemon on it would take them over from the first, and end
/// those that its own state does not know; so it must notice before it looks at them.
enum RuntimeLock {
  /// Throws `Complaint` if another daemon has the directory, or no file can be made there.
  static func taken(in directory: String) throws -> FileLock {
    let path = directory + "/lock"
    do throws(FileLock.Failure) {
      return try FileLock(path)
    } catch {
      let words =
        switch error {
        case .isTaken:
          "\(directory): another milepostd keeps its apps there; stop it, or name another directory "
            + "with --runtime"
        case .unopened(let code):
          "\(path): cannot be made: \(SystemError.text(code)); name another directory with --runtime"
        case .unlocked(let code): "\(path): cannot be locked: \(SystemError.text(code))"
        }
      throw Complaint(words)
    }
  }
}
