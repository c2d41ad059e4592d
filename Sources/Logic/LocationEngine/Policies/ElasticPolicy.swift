// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// Transistorsoft's background geolocation (its documentation, `distanceFilter`): the device is stationary or moving.
// Moving, the receiver is on, and a position is delivered each time the device is further from the last delivered one
// than the *elastic* distance filter:
//
//     filter × max(1, round up(speed to 5 m/s) / 5)      27 m/s, 50 m → 30 / 5 × 50 m = 300 m
//
// (Their documentation says "round", but its examples, 7.7 m/s → 10 and 27 m/s → 30, round up.) Without
// motion for `stopTimeout` (5 min) the receiver goes off until the motion sensor, or if there is none a
// change of cell, reports movement. A device that has neither stays moving: nothing could wake it.
// There is no minimum interval between deliveries.
//
//                 no motion for 300 s
//   moving(quietAt) ────────────────► stationary
//         ▲  motion, change of cell        │
//         └────────────────────────────────┘

/// A distance filter that grows with speed, while the device moves.
struct ElasticPolicy: Policy {
  /// Metres at up to 5 m/s [the example of their documentation].
  static let distance = 50.0
  /// Seconds without motion that make the device stationary.
  static let stopTimeout = 300.0
  /// The least speed, metres per second, at which a fix counts as motion if there is no sensor [ours].
  static let leastSpeed = 1.0

  let senses: Senses
  private var phase = Phase.stopped

  private enum Phase: Sendable, Equatable, Codable {
    /// No app monitors.
    case stopped
    /// The receiver is off until something moves.
    case stationary
    /// The receiver is on; stationary from then on, unless motion is seen before.
    case moving(quietAt: EngineInstant)
  }

  init(senses: Senses) { self.senses = senses }

  /// The filter at a speed; an unknown speed counts as standing.
  static func filter(at speed: Double?) -> Double {
    distance * max(1, ((speed ?? 0) / 5).rounded(.up))
  }

  var wantsSession: Bool {
    if case .moving = phase { true } else { false }
  }

  var triggers: Triggers { senses.contains(.motion) ? .motion : senses.triggers }
  var waitsFor: ReceiverPlan.Off { .awaitsMotion }

  func criteria(
    for fix: Fix, _ rules: EngineRules
  ) -> SignificantService.Criteria {
    var criteria = SignificantService.Criteria(rules)
    (criteria.distance, criteria.interval) = (Self.filter(at: fix.speed), 0)
    return criteria
  }

  var nextDeadline: EngineInstant? {
    if case .moving(let quietAt) = phase, !senses.isEmpty { quietAt } else { nil }
  }

  mutating func handle(event: PolicyEvent, at now: EngineInstant) -> Bool {
    let moving = Phase.moving(quietAt: now.advanced(bySeconds: Self.stopTimeout))
    switch (event, phase) {
    case (.ended, _): phase = .stopped
    case (.began, _), (.moved, .stationary), (.moved, .moving), (.cellChanged, .stationary):
      phase = moving
    case (.judged(let judged), .moving)
    where judged.fix.speed.map { $0 >= Self.leastSpeed } == true && !senses.contains(.motion):
      phase = moving
    case (.timePassed, .moving(let quietAt)) where quietAt <= now && !senses.isEmpty:
      phase = .stationary
    case (.moved, _), (.tripHint, _), (.cellChanged, _), (.judged, _), (.signal, _), (.failed, _),
      (.timePassed, _):
      break
    }
    return false
  }
}

extension ElasticPolicy {
  static let kind = PolicyKind(
    "elastic", .receiver, hints: [.motion, .cells], needs: .motion
  ) {
    ElasticPolicy(senses: $0.senses)
  }

  var kind: PolicyKind { Self.kind }

  var settings: PolicySettings { PolicySettings(name: kind.name, senses: senses) }

  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String {
    "the receiver is on while the device moves; notified every \(plain(Self.distance)) m, more at speed."
  }
}
