// SPDX-License-Identifier: Apache-2.0

/// Satellites in view, summed over the systems of one epoch.
struct SkyTally: Sendable, Equatable {
  /// Per talker, the largest count since the last epoch; several signals of one system repeat it.
  private var talkers: [Talker] = []
  private var counts: [Int] = []

  /// Takes a group's first sentence; at most 16 talkers are told apart.
  mutating func take(_ sentence: GSV, from talker: Talker) {
    for index in talkers.indices where talkers[index] == talker {
      counts[index] = max(counts[index], sentence.inView)
      return
    }
    guard talkers.count < 16 else { return }
    talkers.append(talker)
    counts.append(sentence.inView)
  }

  /// Adds the sum to the ledger's extent and begins anew.
  mutating func settle(_ extent: inout TraceLedger.Extent) {
    guard !talkers.isEmpty else { return }
    var sum = 0
    for count in counts { sum += count }
    extent.include(Double(sum))
    talkers.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
  }
}
