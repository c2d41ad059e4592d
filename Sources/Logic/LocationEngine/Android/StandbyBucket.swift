// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The standby bucket of an app: how recently its user has used it. The system decides; here it is stated.
package enum StandbyBucket: String, Sendable, Hashable, CaseIterable {
  case active
  case workingSet = "working_set"
  case frequent
  case rare
  case restricted
}

/// So much in so many seconds.
package struct BucketQuota: Sendable, Hashable {
  /// Seconds of jobs, or the number of alarms.
  package let amount: Double
  /// Seconds.
  package let window: Double
}

extension StandbyBucket {
  /// Seconds of jobs in a window that moves on; `nil` is no limit (doc: power details).
  package func jobs(in release: AndroidRelease) -> BucketQuota? {
    guard release.hasBuckets else { return nil }
    switch self {
    case .active: return release.activeJobs.map { BucketQuota(amount: $0, window: 3_600) }
    case .workingSet: return BucketQuota(amount: 600, window: release.workingSetWindow)
    case .frequent: return BucketQuota(amount: 600, window: release.frequentWindow)
    case .rare: return BucketQuota(amount: 600, window: Self.day)
    // One job a day: what one may last.
    case .restricted:
      return BucketQuota(amount: release.hasRestrictedBucket ? 1 : 600, window: Self.day)
    }
  }

  /// The number of alarms in a window; `nil` is no limit (doc: power details).
  package func alarms(in release: AndroidRelease) -> BucketQuota? {
    guard release.hasBuckets else { return nil }
    switch self {
    case .active: return nil
    case .workingSet: return BucketQuota(amount: 10, window: 3_600)
    case .frequent: return BucketQuota(amount: 2, window: 3_600)
    case .rare: return BucketQuota(amount: 1, window: 3_600)
    case .restricted:
      return BucketQuota(amount: 1, window: release.hasRestrictedBucket ? Self.day : 3_600)
    }
  }

  private static let day = 86_400.0
}

/// What an app has used of its quota.
package struct QuotaLedger: Sendable, Hashable {
  private struct Use: Sendable, Hashable {
    var from: EngineInstant
    var amount: Double
  }
  private var uses: [Use] = []

  package init() {}

  /// The number of uses that are remembered, at most: the oldest are forgotten [ours: a day of alarms at 10 an hour].
  private static let limit = 240

  /// Notes that so much began to be used at an instant.
  package mutating func used(_ amount: Double, at instant: EngineInstant) {
    uses.append(Use(from: instant, amount: amount))
    if uses.count > Self.limit { uses.removeFirst() }
  }

  /// The earliest instant at which the quota allows a use, from `now` on.
  package func allows(_ quota: BucketQuota?, at now: EngineInstant) -> EngineInstant {
    guard let quota else { return now }
    let begin = now.advanced(bySeconds: -quota.window)
    let recent = uses.filter { $0.from > begin }
    var left = recent.reduce(0) { $0 + $1.amount }
    guard left >= quota.amount else { return now }
    for use in recent {
      left -= use.amount
      if left < quota.amount { return use.from.advanced(bySeconds: quota.window) }
    }
    return now
  }

  /// Forgets what no window reaches back to.
  package mutating func forget(before instant: EngineInstant) {
    uses.removeAll { $0.from < instant }
  }

  /// The same, with all instants counted from one.
  package func relative(to now: EngineInstant) -> Self {
    var copy = self
    for place in copy.uses.indices {
      copy.uses[place].from = EngineInstant(
        microseconds: uses[place].from.microseconds - now.microseconds)
    }
    return copy
  }
}
