// SPDX-License-Identifier: Apache-2.0

import LocationModel

// A policy decides *when to look*: when a network position is asked for, when the receiver is switched
// on for a session. Whether what is then seen is significant, each app's own anchor decides
// (`SignificantService`), by the policy's criteria. One policy serves all apps. Each is one file, which ends
// with its `PolicyKind`, and one line of `PolicyKind.all`.

/// A strategy of monitoring significant changes.
protocol Policy: Sendable, Equatable, Codable {
  /// Its name, and what is known of it before it is made.
  var kind: PolicyKind { get }
  /// Everything that is fixed when it is made.
  var settings: PolicySettings { get }
  /// Of these what was stated, and nothing that a policy which has run has learnt anew.
  var stated: PolicySettings { get }
  /// What it does, in a sentence without its subject; `plain` writes a number.
  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String

  /// Takes an event; answers whether a network position is wanted now.
  mutating func handle(_ event: PolicyEvent, at now: EngineInstant) -> Bool
  var nextDeadline: EngineInstant? { get }
  /// What it listens to while at least one app monitors.
  var triggers: Triggers { get }
  /// Whether it wants the receiver on now.
  var wantsSession: Bool { get }
  /// What the receiver waits for while it is off under this policy.
  var waitsFor: ReceiverPlan.Off { get }
  /// Whether it judges fixes of the receiver, its own sessions' or another app's.
  var usesReceiver: Bool { get }
  /// What makes a position significant: the rules', unless the policy has its own.
  func criteria(
    for fix: Fix, _ rules: EngineRules
  ) -> SignificantService.Criteria
  /// Looks at a fix before any app does; answers what is wrong with it, in addition to what the gate
  /// found.
  mutating func admit(
    _ fix: Fix, refusal: Verdict.Outcome?, at now: EngineInstant
  ) -> Verdict.Outcome?
  /// Hears how an app that may be told stands after a judgement by these criteria: `remaining` metres are
  /// missing, and it may be told from `dueAt` on.
  mutating func weigh(
    remaining: Double, dueAt: EngineInstant, by criteria: SignificantService.Criteria)
  /// Hears what lateness is worth from now on; what it has learnt stays.
  mutating func take(_ terms: LatenessTerms, at now: EngineInstant)
  /// Goes on with what another policy has learnt of the same device, and with its terms.
  mutating func learn(from other: any Policy)
  /// What it believes of a rest; `nil` where movement is likelier, and where it has no opinion.
  var rest: RestBelief? { get }
  /// What a look is worth to it; `nil` where it weighs none.
  func worth(_ rules: EngineRules) -> LookWorth?
}

extension Policy {
  var settings: PolicySettings { PolicySettings(name: kind.name) }
  var stated: PolicySettings { settings }
  var triggers: Triggers { [] }
  var wantsSession: Bool { false }
  var waitsFor: ReceiverPlan.Off { nextDeadline.map { .awaitsSession($0) } ?? .nobodyAsks }
  var usesReceiver: Bool { true }

  func criteria(
    for fix: Fix, _ rules: EngineRules
  ) -> SignificantService.Criteria { .init(rules) }

  mutating func admit(
    _ fix: Fix, refusal: Verdict.Outcome?, at now: EngineInstant
  ) -> Verdict.Outcome? { refusal }

  mutating func weigh(
    remaining: Double, dueAt: EngineInstant, by criteria: SignificantService.Criteria
  ) {}
  mutating func take(_ terms: LatenessTerms, at now: EngineInstant) {}
  mutating func learn(from other: any Policy) {}
  var rest: RestBelief? { nil }
  func worth(_ rules: EngineRules) -> LookWorth? { nil }
}

/// What a policy hears.
enum PolicyEvent: Equatable {
  /// The first app began to monitor, or one began anew.
  case began
  /// The last app ended.
  case ended
  /// The modem camps on another cell; `nil` where it has no name. `mayTellAt` is the first instant at which
  /// some app may be told of a change; `nil` where one may be told now.
  case cellChanged(CellHint?, mayTellAt: EngineInstant?)
  /// The motion sensor fired in so many windows, at least 1, of which the last one ends now.
  case moved(windows: Int)
  /// The receiver, which is on and has no position, hears satellites from now on, or hears none any more.
  case signal(isHeard: Bool)
  /// A position was admitted and judged for all apps.
  case judged(JudgedFix)
  case failed
  case timePassed
}

/// What became of a position.
struct JudgedFix: Equatable {
  let fix: Fix
  /// When an app that had moved far enough may be told, where it was too soon.
  var retryAt: EngineInstant?
  /// Whether some app was told.
  var hasDelivered = false

  /// Metres.
  var accuracy: Double? { fix.horizontalAccuracy }
}
