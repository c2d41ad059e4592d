// SPDX-License-Identifier: Apache-2.0

import GRDB

@testable import StateStore

extension StateStore {
  /// Runs one pragma on the store's connection: makes a disk full or read-only.
  func pragma(_ text: String) throws {
    try queue.inDatabase { try $0.execute(sql: "PRAGMA " + text) }
  }

  /// All faults of the database that was found; `nil` if there were none.
  var warning: String? { warnings.isEmpty ? nil : warnings.joined(separator: "\n") }
}
