// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The counts of a run.
package struct Counters: Sendable, Equatable {
  /// Positions given to the engine, from the receiver and the network.
  package var fixesSeen = 0
  package var deliveries = 0
  /// Deliveries learned by their recipient: the app, or with uploads its server.
  package var learned = 0
  /// The number of times that the system made a suspended app run.
  package var wakes = 0
  /// The number of times that the system started the app; the user's own launch does not count.
  package var launches = 0
  /// Uploads, and the deliveries that they carried.
  package var uploads = 0
  package var uploadedDeliveries = 0
  /// Deliveries not sent when the trace ended, and the wait of the first of them, seconds; 0 without any.
  package var unsent = 0
  package var oldestUnsent = 0.0
  /// The longest wait of a delivery until it was sent, seconds.
  package var longestUploadDelay = 0.0
  /// Acquisitions of the receiver that ended with a fix, and those given up.
  package var acquisitions = 0
  package var failedAcquisitions = 0
  /// The number of times that the receiver was switched on, and of those while the device truly moved (`Standstill`).
  /// Within a gap, in which nothing is metered and no fix is possible, only a session that continues at its end counts.
  package var sessions = 0
  package var movingSessions = 0
  /// Deliveries while the device truly moved.
  package var movingDeliveries = 0
  /// Calls of fetches and keep-alives of all apps, and processor wakes for them.
  package var periodicCalls = 0
  package var periodicWakes = 0
  /// The number of times that the app was purged.
  package var purges = 0
  /// The number of times that the system ended a running app.
  package var terminations = 0
  /// Callbacks to apps about their lives.
  package var callbacks = 0
  /// Judgements by outcome, in the order of `Verdict.Outcome.allCases`.
  package var verdicts = [Int](repeating: 0, count: Verdict.Outcome.allCases.count)

  /// All that are added up one by one.
  private static let counts: [any WritableKeyPath<Self, Int> & Sendable] = [
    \.fixesSeen, \.deliveries, \.learned, \.wakes, \.launches, \.uploads, \.uploadedDeliveries,
    \.unsent, \.acquisitions, \.failedAcquisitions, \.sessions, \.movingSessions,
    \.movingDeliveries, \.periodicCalls, \.periodicWakes, \.purges, \.terminations, \.callbacks,
  ]

  package mutating func walkSums(_ walk: inout SumWalk) {
    for count in Self.counts { walk.count(&self[keyPath: count]) }
    walk.greatest(&oldestUnsent)
    walk.greatest(&longestUploadDelay)
    for index in verdicts.indices { walk.count(&verdicts[index]) }
  }
}

extension Verdict.Outcome {
  /// The index in `allCases`.
  package var index: Int {
    switch self {
    case .delivered: 0
    case .tooClose: 1
    case .tooSoon: 2
    case .inaccurate: 3
    case .invalid: 4
    case .duplicate: 5
    case .late: 6
    case .jumpUnconfirmed: 7
    case .notRunning: 8
    case .suspended: 9
    case .unauthorized: 10
    case .withheld: 11
    case .receiverOff: 12
    }
  }
}
