// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// OwnTracks on Android in its significant mode asks the system for balanced power, an interval of 15 min
// *and* a displacement of 500 m (OwnTracks booklet, "Location modes": significant). Balanced
// power is Wi-Fi and cells, about a city block, so each look is a network position, and the receiver
// stays off. The clock alone decides when to look; changes of cell are not heard.
//
//   began ──► ask; then every 900 s: ask. A position counts 500 m and 900 s after the last delivered one.
//
// A failed answer is not asked for again before the next 900 s are over.

/// OwnTracks' significant mode on Android: network positions, 15 min and 500 m.
struct OwnTracksPolicy: Policy {
  /// Seconds between two looks, and at least between two deliveries.
  static let interval = 900.0
  /// Metres between two deliveries.
  static let distance = 500.0

  /// The time of the next look; `nil` while no app monitors.
  private var next: EngineInstant?

  var nextDeadline: EngineInstant? { next }
  var usesReceiver: Bool { false }

  func criteria(
    for fix: Fix, _ rules: EngineRules
  ) -> SignificantService.Criteria {
    var criteria = SignificantService.Criteria(rules)
    (criteria.distance, criteria.interval) = (Self.distance, Self.interval)
    return criteria
  }

  /// Takes an event; returns whether a network position is wanted now.
  mutating func handle(event: PolicyEvent, at now: EngineInstant) -> Bool {
    switch event {
    case .began:
      next = now.advanced(bySeconds: Self.interval)
      return true
    case .ended:
      next = nil
      return false
    case .timePassed:
      guard let due = next, due <= now else { return false }
      next = now.advanced(bySeconds: Self.interval)
      return true
    case .cellChanged, .moved, .tripHint, .signal, .judged, .failed: return false
    }
  }
}

extension OwnTracksPolicy {
  static let kind = PolicyKind("owntracks-significant", key: "ownTracks", .network) { _ in
    OwnTracksPolicy()
  }

  var kind: PolicyKind { Self.kind }

  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String {
    let (distance, interval) = (plain(Self.distance), plain(Self.interval))
    return "a network position every \(interval) s, as OwnTracks on Android asks for it; "
      + "notified from \(distance) m and \(interval) s on."
  }
}
