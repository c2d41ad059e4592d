// SPDX-License-Identifier: Apache-2.0

package import ServiceContract

extension LocationService {
  /// One step of the service: the rows to write, and sealed in it their consequences.
  package struct Decision: ~Copyable, Sendable {
    /// Separate, since a change is large, and without a store there is none.
    private indirect enum Writing {
      case change(StoreChange)
    }

    private let writing: Writing?
    private let intents: [Intent]

    init(_ change: StoreChange?, _ intents: [Intent]) {
      writing = change.map { .change($0) }
      self.intents = intents
    }

    /// One with nothing to write.
    init(_ intents: [Intent]) {
      writing = nil
      self.intents = intents
    }

    consuming func takeIntents() -> [Intent] { intents }

    /// `nil` if there is nothing to write.
    package var change: StoreChange? {
      switch writing {
      case .change(let change): change
      case nil: nil
      }
    }
  }
}
