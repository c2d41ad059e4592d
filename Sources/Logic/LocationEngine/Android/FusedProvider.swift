// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel

// Theory
// ======
//
// One provider serves the requests of all apps. What they ask for is merged into one need, each source at the shortest
// interval that somebody asks of it; every position is then offered to everybody, and each request decides:
//
//   position ──► access? ──► too soon? ──► too close? ──► told at once
//                  │            │             │              or kept, and told with the others (batched)
//                  └────────────┴─────────────┴──► not told, with the numbers
//
// Rules
// - The system lengthens a request where its app has a throttled access or an approximate location
//   (`FusedRequest.limited`); a request without access needs nothing.
// - *Too soon*: less than the least interval since the latest one, less a tenth of it, 30 s at most (AOSP
//   `LocationProviderManager`: FASTEST_INTERVAL_JITTER_PERCENTAGE, MAX_FASTEST_INTERVAL_JITTER_MS).
//   The limits of the background and of an approximate location are its app's: a new request does not begin them anew
//   [ours; the documentation says "a few times an hour"].
// - *Batched*: kept from the first one on for the greatest delay, then all are told at once. Who loses the access in the
//   meantime is told none of them.
// - An approximate location lies in the middle of a square of 2 km, and claims that accuracy.

/// Why a position is not told to an app now.
package enum FusedVerdict: Sendable, Hashable {
  case told(Int)
  case kept(until: EngineInstant)
  case tooSoon(seconds: Double, of: Double)
  case tooClose(metres: Double, of: Double)
  case noAccess(AndroidObstacle)
}

/// One app's request, and what it was told.
package struct FusedClient: Sendable, Equatable {
  package let request: FusedRequest
  private var before: EngineInstant?
  private var lastTold: Told?
  private var kept: [Fix] = []
  private var keptUntil: EngineInstant?

  private struct Told: Sendable, Equatable {
    let place: LocalFrame
    let at: EngineInstant
  }

  /// `before` is when its app was last told by another request.
  package init(_ request: FusedRequest, before: EngineInstant? = nil) {
    self.request = request
    self.before = before
  }

  /// When the kept ones are told.
  package var nextDeadline: EngineInstant? { keptUntil }

  /// When its app was last told, or got a position that is kept for it.
  package var toldAt: EngineInstant? {
    guard let lastTold, let before else { return lastTold?.at ?? before }
    return max(lastTold.at, before)
  }

  /// Notes that another request of its app was told.
  mutating func appWasTold(at now: EngineInstant) { before = now }

  /// How many positions it keeps, and for how many seconds: what distinguishes it from itself at another time.
  func waiting(at now: EngineInstant) -> (count: Int, seconds: Double?) {
    (kept.count, keptUntil.map { EngineInstant.seconds(from: now, to: $0) })
  }

  /// Offers a position; `told` gets what is to be told now.
  package mutating func offer(
    _ fix: Fix, _ access: AndroidAccess, isApproximate: Bool, at now: EngineInstant,
    told: inout [Fix]
  ) -> FusedVerdict {
    guard let limited = request.limited(by: access, isApproximate: isApproximate) else {
      (kept, keptUntil) = ([], nil)
      if case .none(let obstacle) = access { return .noAccess(obstacle) }
      return .noAccess(.denied)
    }
    let fix = isApproximate ? fix.approximate : fix
    if let verdict = tooSoon(limited, access, isApproximate: isApproximate, at: now) {
      return verdict
    }
    if let lastTold {
      let metres = lastTold.place.distance(to: fix.coordinate)
      if metres < limited.minDistance { return .tooClose(metres: metres, of: limited.minDistance) }
    }
    lastTold = Told(place: LocalFrame(origin: fix.coordinate), at: now)
    guard limited.isBatched else {
      told.append(fix)
      return .told(1)
    }
    kept.append(fix)
    if kept.count > Self.mostKept { kept.removeFirst() }
    let until = keptUntil ?? now.advanced(bySeconds: limited.maxDelay)
    keptUntil = until
    return .kept(until: until)
  }

  /// Whether the latest one was too soon before: by the request, or, if that is new, by what the system allows its app.
  private func tooSoon(
    _ limited: FusedRequest, _ access: AndroidAccess, isApproximate: Bool, at now: EngineInstant
  ) -> FusedVerdict? {
    let allowed = FusedRequest.leastInterval(with: access, isApproximate: isApproximate) ?? 0
    for (told, least) in [(before, allowed), (lastTold?.at, limited.minInterval)] {
      guard let told else { continue }
      let seconds = EngineInstant.seconds(from: told, to: now)
      let jitter = min(Self.mostJitter, Self.jitter * least)
      if seconds < least - jitter { return .tooSoon(seconds: seconds, of: least) }
    }
    return nil
  }

  /// The kept positions whose time has come, if the app still has access.
  package mutating func due(_ access: AndroidAccess, at now: EngineInstant) -> [Fix] {
    guard let until = keptUntil, until <= now else { return [] }
    let due = kept
    (kept, keptUntil) = ([], nil)
    if case .none = access { return [] }
    return due
  }

  private static let jitter = 0.1
  private static let mostJitter = 30.0
  /// Positions that wait for their app, at most: the oldest are dropped [ours].
  private static let mostKept = 1_000
}

extension Fix {
  /// The position as an app with an approximate location has it: the nearest point of a grid of 2 km.
  package var approximate: Fix {
    let square = GridSquare(
      nearest: coordinate, spacing: ApproximateLocation.metres,
      half: ApproximateLocation.metres / 2)
    return Fix(
      time: time, coordinate: square.centre,
      horizontalAccuracy: max(horizontalAccuracy ?? 0, ApproximateLocation.metres), source: source)
  }
}
