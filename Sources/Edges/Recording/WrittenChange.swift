// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// A change of the store as it stands in a recording: all that there is of it, and of the engine's state only
/// whether it was written.
struct WrittenChange: Encodable {
  private var change: StoreChange
  private let hasEngine: Bool

  /// Recordings of version 2 have neither deletions nor history nor the sinks' tallies.
  init(_ change: StoreChange, version: Int) {
    self.change = change
    hasEngine = change.engine != nil
    self.change.engine = nil
    guard version == 2 else { return }
    (self.change.forgotten, self.change.expiredLogs, self.change.expiredHistory) = ([], [], [])
    (self.change.scrubs, self.change.history, self.change.tallies) = (false, [], [])
  }

  private enum CodingKeys: CodingKey { case engine }

  func encode(to encoder: any Encoder) throws {
    try change.encode(to: encoder)
    guard hasEngine else { return }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(true, forKey: .engine)
  }
}
