// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The state of a sink's work.
enum SinkRun: Sendable, Equatable {
  case idle
  /// The waiting events go then at the latest.
  case gathering(until: EngineInstant)
  /// A batch that ends with this number is on its way.
  case passing(upTo: UInt64)
  /// It took nothing, and is retried then, or when the network comes back if `isMendedByNetwork`.
  case waiting(until: EngineInstant, isMendedByNetwork: Bool)

  /// The next change by time alone.
  var nextDeadline: EngineInstant? {
    switch self {
    case .gathering(let until), .waiting(let until, _): until
    case .idle, .passing: nil
    }
  }

  /// Whether a batch may begin.
  var mayPass: Bool {
    switch self {
    case .idle, .gathering: true
    case .passing, .waiting: false
    }
  }

  var isPassing: Bool {
    if case .passing = self { true } else { false }
  }

  var isGathering: Bool {
    if case .gathering = self { true } else { false }
  }
}
