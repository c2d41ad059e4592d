// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether something happens for the first time.
final class Once: @unchecked Sendable {
  private let lock = NSLock()
  private var hasHappened = false

  func isFirst() -> Bool {
    lock.withLock {
      defer { hasHappened = true }
      return !hasHappened
    }
  }
}
