// SPDX-License-Identifier: Apache-2.0

/// What makes a policy of its name: everything that is fixed when it is made, and nothing that it learns.
///
/// Equal settings make equal policies, so a recording that holds them can be decided again.
package struct PolicySettings: Sendable, Equatable, Codable {
  /// One of `SignificantPolicy.names`.
  package var name: String
  /// Hints that it counts on: `elastic`, `milepost`.
  package var senses: Senses
  /// Of its draws: `ios-field`.
  package var seed: UInt64?
  /// Seconds between two sessions: `periodic`, `receiver`.
  package var interval: Double?
  /// Seconds after which a session without a fix ends: `periodic`, `receiver`, `milepost`.
  package var timeout: Double?
  /// Metres at which a fix is good enough: `periodic`, `receiver`.
  package var accuracy: Double?
  /// Natural logarithm of the median seconds of a hot start, as expected at first: `milepost`.
  package var hotStart: Double?
  /// Seconds for which the receiver goes on after it was switched off: `milepost`.
  package var receiverHold: Double?

  package init(name: String, senses: Senses = []) {
    self.name = name
    self.senses = senses
  }

  /// The settings of a policy; what it has learnt since it was made is left out, but for the hot start,
  /// which a policy that has run has learnt anew.
  package init(of policy: SignificantPolicy) {
    self.init(name: policy.name)
    switch policy {
    case .ios, .ownTracks: break
    case .iosField(let policy): seed = policy.seed
    case .elastic(let policy): senses = policy.senses
    case .periodic(let policy):
      (interval, timeout, accuracy) = (policy.interval, policy.timeout, policy.accuracy)
    case .receiver(let policy):
      (interval, timeout, accuracy) = (policy.interval, policy.timeout, policy.accuracy)
    case .milepost(let policy):
      (senses, timeout) = (policy.senses, policy.memory.timeout)
      hotStart = policy.memory.logMedian
      receiverHold = policy.receiverHold
    }
  }

  /// A new policy; `nil` for an unknown name, or where a setting that it needs is missing.
  package var policy: SignificantPolicy? {
    switch name {
    case "ios": return .ios(IOSPolicy())
    case "ios-field": return seed.map { .iosField(IOSFieldPolicy(seed: $0)) }
    case "owntracks-significant": return .ownTracks(OwnTracksPolicy())
    case "elastic": return .elastic(ElasticPolicy(senses: senses))
    case "periodic":
      guard let interval, let timeout, let accuracy else { return nil }
      var policy = PeriodicPolicy(timeout: timeout)
      (policy.interval, policy.accuracy) = (interval, accuracy)
      return .periodic(policy)
    case "receiver":
      guard let interval, let timeout, let accuracy else { return nil }
      var policy = ReceiverPolicy(timeout: timeout)
      (policy.interval, policy.accuracy) = (interval, accuracy)
      return .receiver(policy)
    case "milepost":
      guard let timeout, let hotStart else { return nil }
      let memory = AcquisitionMemory(logMedian: hotStart, timeout: timeout)
      return .milepost(
        MilepostPolicy(senses: senses, memory: memory, receiverHold: receiverHold ?? 0))
    default: return nil
    }
  }
}
