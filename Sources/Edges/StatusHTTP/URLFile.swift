// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc

/// The file with the page's address and a token, readable only by its user.
struct URLFile: Sendable {
  let path: String

  /// Replaces the file in one step. Throws `StatusServerError`.
  func write(_ text: String) throws {
    let draft = path + ".new"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(errno) }
    let result = WholeWrite.write(Array(text.utf8)[...], to: descriptor)
    close(descriptor)
    if let code = result.error { throw failure(code) }
    guard rename(draft, path) == 0 else { throw failure(errno) }
  }

  func remove() { unlink(path) }

  private func failure(_ code: Int32) -> StatusServerError {
    StatusServerError(
      "\(path): the live page's address cannot be written: \(SystemError.text(code)); name another "
        + "runtime directory with --runtime, or leave web out")
  }
}
