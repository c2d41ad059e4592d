// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import Settings

/// What is to be done with an app's sink.
package enum SinkOrder: Sendable, Equatable, Codable {
  /// A `SinkEvent` answers.
  case take(SinkBatch)
  /// The app is removed: nothing more comes for it, and what is on the way needs no answer.
  case close(AppID)
}

/// Deliveries on their way into a sink.
package struct SinkBatch: Sendable, Equatable, Codable {
  package var app: AppID
  package var sink: SinkSettings
  /// Where its relative paths begin.
  package var directory: String
  /// At least one, in the order of their numbers.
  package var deliveries: [PendingDelivery]

  package init(
    app: AppID, sink: SinkSettings, directory: String, deliveries: [PendingDelivery]
  ) {
    self.app = app
    self.sink = sink
    self.directory = directory
    self.deliveries = deliveries
  }
}

/// What became of a batch.
package enum SinkEvent: Sendable, Equatable, Codable {
  /// All of them, up to this number, are safe where they belong.
  case took(AppID, upTo: UInt64)
  /// Some of them may be there, and will come again.
  case failed(AppID, upTo: UInt64, reason: String)
}
