// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import ServiceContract

extension LocationService {
  /// The phase of the service.
  package enum Phase: Sendable, Equatable {
    /// The state of an earlier service is being taken over; clients are not heard yet.
    case beginning
    case serving
    /// Apps are told and ended; it is over when all are gone, then at the latest.
    case stopping(until: EngineInstant)

    var isStopping: Bool {
      if case .stopping = self { true } else { false }
    }

    /// The latest time until which a stopping service waits.
    var deadline: EngineInstant? {
      if case .stopping(let until) = self { until } else { nil }
    }
  }

  /// The store's answer to a change.
  package enum CommitOutcome: Sendable, Equatable, Codable {
    /// It took `seconds`.
    case written(seconds: Double)
    /// Nothing of it was written, and why; it is carried over.
    case failed(String)
    /// There is no store, and nothing will be kept.
    case noStore
  }

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

    consuming func takeIntents() -> [Intent] { intents }

    /// `nil` if there is nothing to write.
    package var change: StoreChange? {
      switch writing {
      case .change(let change): change
      case nil: nil
      }
    }
  }

  /// The effects of a decision, for a shell without a list of its own (`addEffects`).
  package mutating func effects(
    of decision: consuming Decision, after outcome: CommitOutcome
  ) -> [ServiceEffect] {
    var effects: [ServiceEffect] = []
    addEffects(of: decision, after: outcome, to: &effects)
    return effects
  }
}
