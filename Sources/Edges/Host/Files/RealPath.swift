// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Paths without symbolic links.
package enum RealPath {
  /// The path behind all links; `nil` if there is nothing, or this user may not look.
  package static func resolved(_ path: String) -> String? {
    guard let whole = realpath(path, nil) else { return nil }
    defer { free(whole) }
    return String(cString: whole)
  }
}
