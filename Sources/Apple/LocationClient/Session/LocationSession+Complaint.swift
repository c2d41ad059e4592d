// SPDX-License-Identifier: Apache-2.0

import Foundation

extension LocationSession {
  /// Writes a line about the program's use of the library on standard error.
  @Sendable package static func writeComplaint(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
