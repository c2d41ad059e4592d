// SPDX-License-Identifier: Apache-2.0

import LocationModel

// What the engine asks of a policy beside its events.

extension SignificantPolicy {
  /// What it listens to while at least one app monitors.
  var triggers: Triggers {
    switch self {
    case .ios, .iosField: .cells
    case .elastic(let policy):
      policy.senses.contains(.motion)
        ? .motion : policy.senses.triggers
    case .milepost(let policy): policy.triggers
    case .ownTracks, .periodic, .receiver: []
    }
  }

  /// Whether it judges fixes of the receiver, its own sessions' or another app's.
  var usesReceiver: Bool {
    switch self {
    case .elastic, .periodic, .receiver, .milepost: true
    case .ios, .iosField, .ownTracks: false
    }
  }

  /// Whether it wants the receiver on now.
  var wantsSession: Bool {
    switch self {
    case .ios, .iosField, .ownTracks: false
    case .elastic(let policy): policy.isMoving
    case .periodic(let policy): policy.isInSession
    case .receiver(let policy): policy.isInSession
    case .milepost(let policy): policy.isInSession
    }
  }

  /// What the receiver waits for while it is off under this policy.
  var waitsFor: ReceiverPlan.Off {
    switch self {
    case .ios, .iosField: .awaitsCellChange
    case .elastic: .awaitsMotion
    case .ownTracks(let policy): policy.next.map { .awaitsSession($0) } ?? .nobodyAsks
    case .periodic, .receiver: nextDeadline.map { .awaitsSession($0) } ?? .nobodyAsks
    case .milepost(let policy): policy.waitsFor
    }
  }

  /// What makes a position significant: the rules', unless the policy has its own.
  func criteria(
    for fix: Fix, anchorAccuracy: Double?, _ rules: EngineRules
  ) -> SignificantService.Criteria {
    var criteria = SignificantService.Criteria(rules)
    switch self {
    case .ios, .periodic, .receiver: break
    case .iosField(let policy): criteria.distance = max(criteria.distance, policy.required)
    case .ownTracks:
      criteria.distance = OwnTracksPolicy.distance
      criteria.interval = OwnTracksPolicy.interval
    case .elastic:
      criteria.distance = ElasticPolicy.filter(at: fix.speed)
      criteria.interval = 0
    case .milepost:
      criteria.distance += MilepostPolicy.margin(fix.horizontalAccuracy, anchorAccuracy)
    }
    return criteria
  }

  /// Looks at a fix before any app does; answers what is wrong with it, in addition to what the gate
  /// found.
  mutating func admit(
    _ fix: Fix, refusal: Verdict.Outcome?, at now: EngineInstant
  ) -> Verdict.Outcome? {
    guard case .milepost(var policy) = self else { return refusal }
    defer { self = .milepost(policy) }
    return policy.admit(fix, refusal: refusal, at: now)
  }

  /// Hears how an app that may be told stands after a judgement: `remaining` metres are missing, and it
  /// may be told from `dueAt` on.
  mutating func weigh(remaining: Double, dueAt: EngineInstant, at now: EngineInstant) {
    guard case .milepost(var policy) = self else { return }
    policy.weigh(remaining: remaining, dueAt: dueAt, at: now)
    self = .milepost(policy)
  }
}
