// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// A change of the store in a recording: complete, except that for the engine's state only the fact that it was written
/// is recorded.
struct WrittenChange: Encodable {
  private var change: StoreChange
  private let hasEngine: Bool

  /// Recordings of version 2 have no deletions and no history.
  init(_ change: StoreChange, version: Int) {
    self.change = change
    hasEngine = change.engine != nil
    self.change.engine = nil
    guard version == 2 else { return }
    (self.change.forgotten, self.change.expiredLogs, self.change.expiredHistory) = ([], [], [])
    (self.change.scrubs, self.change.history) = (false, [])
  }

  private enum CodingKeys: CodingKey { case engine }

  func encode(to encoder: any Encoder) throws {
    try change.encode(to: encoder)
    guard hasEngine else { return }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(true, forKey: .engine)
  }
}
