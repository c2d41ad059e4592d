// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// An app with continuous updates, in the background, may defer them until it has moved a distance or a time has passed
// [doc: iOS 6 to 12]. Meanwhile they do not hold it there: it is suspended, its processor sleeps, and the receiver goes
// on. Then it is woken and gets all of them, one delivery each, in order.
//
//   asked for ─► era, updates on, best accuracy, no filter? ──no──► ended at once, and why
//                   │ yes
//                   ▼
//                keeping ──fix, in the background──► kept ─► way or time used up, no room ─► woken, all delivered,
//                   │                                                                         finished
//                   ├── fix, in front ─► all before it delivered, then it; cancelled [doc]
//                   ├── stopped, asked anew, updates stopped or paused ─► all delivered; cancelled
//                   ├── updates asked anew with a filter, or coarser ─► all delivered; the reason
//                   └── process ends ─► nothing is left of it
//
// - *Time*: at most `share` of the time after which a suspended app is purged, so that deferred fixes are not lost with
//   the app [ours]. Memory pressure may purge it all the same, as it does on a phone.
// - *Room*: `limit` fixes, ten minutes at one a second [ours].
// - *Verdict*: each fix gets its own when it is delivered; if the user has withdrawn the permission, that.
// - Without the declared mode there is nothing to defer: such updates stop when the app is suspended.

/// One app's deferred updates.
struct UpdateDeferral: Sendable, Equatable, Codable {
  static let limit = 600
  static let share = 0.9

  /// Metres; `nil` is unlimited.
  let distance: Double?
  let until: EngineInstant
  private(set) var kept: [Fix] = []
  /// Metres from the first of them to the last, along the way.
  private var way = 0.0

  init(_ deferral: Deferral, purgesAfter: Double, at now: EngineInstant) {
    distance = deferral.distance
    let longest = purgesAfter * Self.share
    until = now.advanced(bySeconds: min(deferral.timeout ?? longest, longest))
  }

  mutating func keep(_ fix: Fix) {
    if let last = kept.last { way += last.coordinate.distance(to: fix.coordinate) }
    kept.append(fix)
  }

  func isOver(at now: EngineInstant) -> Bool {
    until <= now || kept.count >= Self.limit || distance.map { way >= $0 } ?? false
  }

  mutating func forget(where isForgotten: (Fix) -> Bool) { kept.removeAll(where: isForgotten) }
}
