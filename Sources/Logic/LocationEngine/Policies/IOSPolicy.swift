// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The documented service: it listens to changes of cell and asks the network for a position; the receiver
// stays off. Within 300 s of the last notification no app may be told of a change, nor of a stay that has just begun,
// so nothing is asked then: a change of cell in that time is looked into at its end, for it may be the only sign of a
// move of 500 m (the device may stop in its new cell). [ours; the documentation is silent]
//
//   began ──► ask
//   cell changed ──► ask, unless an answer is under way; while no app may be told: as soon as one may
//   judged too soon ──► at the end of the 300 s: ask

/// Significant changes as documented, from cell and network positions only.
struct IOSPolicy: Policy {
  /// Whether an answer of the network is pending.
  private var isAsking = false
  /// The time of the next look after a position that came too soon.
  private(set) var retryAt: EngineInstant?
  /// The first instant at which some app may be told, as of the last position; `nil` before one.
  private var mayTellAt: EngineInstant?

  var nextDeadline: EngineInstant? { retryAt }
  var triggers: Triggers { .cells }
  var waitsFor: ReceiverPlan.Off { retryAt.map { .awaitsInterval($0) } ?? .awaitsCellChange }
  var usesReceiver: Bool { false }

  mutating func handle(event: PolicyEvent, at now: EngineInstant) -> Bool {
    switch event {
    case .began:
      mayTellAt = nil
      return ask()
    case .cellChanged:
      guard let mayTellAt, mayTellAt > now else { return ask() }
      retryAt = mayTellAt
      return false
    case .ended:
      self = IOSPolicy()
      return false
    case .judged(let judged):
      isAsking = false
      (retryAt, mayTellAt) = (judged.retryAt, judged.mayTellAt)
      return false
    case .failed:
      isAsking = false
      return false
    case .moved, .tripHint, .signal: return false
    case .timePassed:
      guard let retryAt, retryAt <= now else { return false }
      self.retryAt = nil
      return ask()
    }
  }

  /// Returns whether to ask the network: only if no answer is pending.
  mutating func ask() -> Bool {
    if isAsking { return false }
    isAsking = true
    return true
  }
}

extension IOSPolicy {
  static let kind = PolicyKind("ios", .network, hints: .cells, needs: .cells) { _ in IOSPolicy() }

  var kind: PolicyKind { Self.kind }

  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String {
    "network position at a change of cell, never the receiver; " + rules.limits(plain)
  }
}

extension SignificantPolicy {
  package static let ios = SignificantPolicy(IOSPolicy())
}
