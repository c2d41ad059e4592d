// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// `requestLocation` [doc]: one location of the requested accuracy; without one within some time the best one that came;
// without any, an error (location unknown). `stopUpdating` ends it. The time is `EngineRules.requestTimeout`.
//
//   waiting(best) ──good position──► delivered, over
//       │  └── another position: the better one is kept
//       └── time ──► the best one is delivered, or the request has failed; over
//
// The network is asked at once, whatever the accuracy: its answer is the best one until a receiver has a fix. The
// receiver is on unless the network serves (1,000 m and coarser), and then too once the network had no position that is
// good enough.
//
// The time runs on while the app is suspended; it hears the outcome when it runs again.

/// One app's request for a single location.
struct SingleRequest: Sendable, Equatable, Codable {
  /// Metres, or one of Core Location's negative constants.
  let accuracy: Double
  let until: EngineInstant
  /// The time of the app's request from the background, if it has not been in the foreground since.
  var unseenSince: EngineInstant?
  /// Whether the network has yet to answer.
  private(set) var isAsking = true
  private(set) var needsReceiver: Bool
  /// The best position so far.
  private(set) var best: Fix?

  init(_ accuracy: Double, until: EngineInstant, unseenSince: EngineInstant?) {
    self.accuracy = accuracy
    self.until = until
    self.unseenSince = unseenSince
    needsReceiver = AccuracyNeed(accuracy) != .network
  }

  /// Takes a position; returns whether it satisfies the request.
  mutating func take(fix: Fix) -> Bool {
    if fix.source == .network { isAsking = false }
    let isEnough = AccuracyNeed(accuracy) == .network || fix.source == .gnss
    if isEnough, fix.isGood(for: accuracy) { return true }
    needsReceiver = true
    if best.map({ fix.isBetter(than: $0) }) ?? true { best = fix }
    return false
  }

  /// Forgets the best position so far.
  mutating func forgetBest() { best = nil }

  /// The network has no answer.
  mutating func failed() {
    isAsking = false
    needsReceiver = true
  }
}

extension Fix {
  /// The newer of two of the same accuracy is better; an unknown accuracy is the worst.
  fileprivate func isBetter(than other: Fix) -> Bool {
    switch (horizontalAccuracy, other.horizontalAccuracy) {
    case (let own?, let its?): own <= its
    case (_?, nil), (nil, nil): true
    case (nil, _?): false
    }
  }
}
