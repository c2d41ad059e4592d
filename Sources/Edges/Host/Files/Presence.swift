// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whether there is a file at a path, as far as this process can tell.
package enum Presence: Sendable, Equatable {
  case there
  case absent
  /// It cannot be told: a folder above it may not be entered, for one.
  case unknown

  package init(of path: String) {
    if access(path, F_OK) == 0 {
      self = .there
    } else {
      self = errno == ENOENT || errno == ENOTDIR ? .absent : .unknown
    }
  }
}
