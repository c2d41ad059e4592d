// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// What a policy has learnt of the network as a source of positions.
struct HeardNetwork: Sendable, Equatable, Codable {
  /// The time in which it knew no more than a cell, or nothing.
  private var outage: LookAhead.Outage?
  /// The accuracy of its last answer, metres; `nil` if that was of no use.
  private var accuracy: Double?

  /// Takes the accuracy of an answer, metres; `nil` if it was of no use. Up to `plain` metres a position is as good as
  /// any.
  mutating func answered(accuracy: Double?, plain: Double, at now: EngineInstant) {
    self.accuracy = accuracy
    // A pace, after which it is elsewhere, is the least time in which that may change.
    outage =
      accuracy.map { $0 <= plain } ?? false
      ? nil : .init(since: outage?.since ?? now, until: now, least: FilterNumbers.lasts)
  }

  /// The source at a price in plain looks. Without sky (`isBlind`) it is of use where it knows the cell only.
  func source(price: Double, plain: Double, isBlind: Bool) -> LookAhead.Source {
    let accuracy = accuracy ?? plain
    let isCoarse = isBlind && accuracy > plain
    let error = Fix.deviation(ofAccuracy: isCoarse ? accuracy : min(accuracy, plain))
    return .init(
      name: .network, price: price, vain: price, outage: isCoarse ? nil : outage,
      error: error, margin: isCoarse ? error : 0)
  }
}
