// SPDX-License-Identifier: Apache-2.0

import LocationModel

// A policy decides *when to look*: when to ask for a network position, when to switch the receiver on for a session.
// Each app's own anchor decides whether the position seen is significant (`SignificantService`), by the policy's
// criteria. One policy serves all apps. Each is one file, which ends with its `PolicyKind`, and one line of
// `PolicyKind.all`.

/// A strategy of monitoring significant changes.
protocol Policy: Sendable, Equatable, Codable {
  /// The policy's name, and what is known of it before it is made.
  var kind: PolicyKind { get }
  /// Everything fixed when it is made.
  var settings: PolicySettings { get }
  /// The stated part of these, without anything that a running policy has learnt.
  var stated: PolicySettings { get }
  /// The policy's behaviour, in a sentence without its subject; `plain` writes a number.
  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String

  /// Takes an event; returns whether a network position is wanted now.
  mutating func handle(event: PolicyEvent, at now: EngineInstant) -> Bool
  var nextDeadline: EngineInstant? { get }
  /// The triggers that it arms while at least one app monitors.
  var triggers: Triggers { get }
  /// Whether it wants the receiver on now.
  var wantsSession: Bool { get }
  /// The event for which the receiver waits while it is off under this policy.
  var waitsFor: ReceiverPlan.Off { get }
  /// Whether it judges fixes of the receiver, from its own sessions or another app's.
  var usesReceiver: Bool { get }
  /// The criteria of a significant position: the rules', unless the policy has its own.
  func criteria(
    for fix: Fix, _ rules: EngineRules
  ) -> SignificantService.Criteria
  /// Looks at a fix before any app does; returns its fault, in addition to the gate's findings.
  mutating func admit(
    _ fix: Fix, refusal: Verdict.Outcome?, at now: EngineInstant
  ) -> Verdict.Outcome?
  /// Takes the remaining need of an app that may be told, after a judgement by these criteria: `remaining` metres are
  /// missing, and it may be told from `dueAt` on.
  mutating func weigh(
    remaining: Double, dueAt: EngineInstant, by criteria: SignificantService.Criteria)
  /// Takes new terms of lateness; the learned state stays.
  mutating func take(terms: LatenessTerms, at now: EngineInstant)
  /// Takes over the learned state of another policy of the same device, and its terms.
  mutating func learn(from other: any Policy)
  /// The policy's belief in a rest; `nil` if movement is likelier, or it has no opinion.
  var rest: RestBelief? { get }
  /// Its belief in movement; `nil` if a rest is likelier, or it has no opinion.
  var movement: MovementBelief? { get }
  /// The price of a look to it; `nil` if it weighs none.
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
  mutating func take(terms: LatenessTerms, at now: EngineInstant) {}
  mutating func learn(from other: any Policy) {}
  var rest: RestBelief? { nil }
  var movement: MovementBelief? { nil }
  func worth(_ rules: EngineRules) -> LookWorth? { nil }
}

/// An event for a policy.
enum PolicyEvent: Equatable {
  /// The first app began to monitor, or one began anew.
  case began
  /// The last app ended.
  case ended
  /// The modem camps on another cell; `nil` if it has no name.
  case cellChanged(CellHint?)
  /// The motion sensor fired in `windows` windows, at least 1, the last of which ends now.
  case moved(windows: Int)
  /// A sense of the machine says that a trip begins, or has ended.
  case tripHint(TripHint)
  /// The receiver, which is on without a position, begins or ceases to hear satellites.
  case signal(isHeard: Bool)
  /// A position was admitted and judged for all apps.
  case judged(JudgedFix)
  case failed
  case timePassed
}

/// The outcome of a position.
struct JudgedFix: Equatable {
  let fix: Fix
  /// The time at which an app that had moved far enough may be told, if it was too soon.
  var retryAt: EngineInstant?
  /// The first instant at which a later position may be an event for some app; `nil` if none awaits any.
  private(set) var mayTellAt: EngineInstant?
  /// Whether some app was told.
  var hasDelivered = false

  init(fix: Fix) { self.fix = fix }

  /// Metres.
  var accuracy: Double? { fix.horizontalAccuracy }

  /// An app may be told of an event from then on.
  mutating func awaits(from due: EngineInstant) { mayTellAt = .earlier(mayTellAt, due) }
}
