// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// What Android gives an app that nobody sees and that has no foreground service: a position now and then, by the clock,
// each told whatever its distance from the last one.
//
//   background   updates in a `PendingIntent`: one in 30 min since Android 8 (`AndroidRelease.unseenInterval`), with
//                balanced power, so of the network; the receiver stays off
//   work         a job of WorkManager, which has a period of 15 min at least, and asks for one such position each time
//
//   began ──► ask; then every interval: ask, unless Doze says to wait
//
// The phone is taken to be put away on battery when the app begins, so `Doze` comes and goes with its motion: jobs wait for
// its windows, light and deep, positions only for the deep ones, in which there are no scans. What waited is made up for
// when it may.
//
// A failed answer is not asked for again before the interval is over.

/// Positions of an Android app in the background.
struct AndroidPolicy: Policy {
  private enum Way: Sendable {
    case background
    case work

    /// Seconds from one position to the next, at least [doc].
    var interval: Double {
      switch self {
      case .background: AndroidRelease.usual.unseenInterval ?? 0
      case .work: PeriodicJob.leastInterval
      }
    }

    /// Whether a phone that dozes so makes it wait.
    func waits(in mode: DozeMode) -> Bool {
      switch mode {
      case .awake: false
      case .light: self == .work
      case .deep: true
      }
    }
  }

  /// Its kind; not part of a snapshot, which has the name.
  private var way = Way.background
  /// The time of the next look; `nil` while no app monitors.
  private var next: EngineInstant?
  private var doze = Doze(release: .usual)
  private var latest = EngineInstant.zero

  private enum CodingKeys: CodingKey {
    case next, doze, latest
  }

  var triggers: Triggers { .motion }
  var usesReceiver: Bool { false }

  var nextDeadline: EngineInstant? {
    guard let next, next <= latest else { return next }
    return doze.nextDeadline
  }

  func criteria(for fix: Fix, _ rules: EngineRules) -> SignificantService.Criteria {
    var criteria = SignificantService.Criteria(rules)
    (criteria.distance, criteria.interval, criteria.coarsestAccuracy) = (0, 0, .infinity)
    return criteria
  }

  /// Takes an event; returns whether a network position is wanted now.
  mutating func handle(event: PolicyEvent, at now: EngineInstant) -> Bool {
    while let due = doze.nextDeadline, due <= now { doze.pass(to: due) }
    latest = now
    switch event {
    case .began:
      doze = Doze(release: .usual)
      doze.screen(isOn: false, at: now)
      next = now.advanced(bySeconds: way.interval)
      return true
    case .ended:
      next = nil
      return false
    case .moved:
      doze.moved(at: now)
      return look(at: now)
    case .timePassed: return look(at: now)
    case .cellChanged, .tripHint, .signal, .judged, .failed: return false
    }
  }

  private mutating func look(at now: EngineInstant) -> Bool {
    guard let due = next, due <= now, !way.waits(in: doze.mode) else { return false }
    next = now.advanced(bySeconds: way.interval)
    return true
  }
}

extension AndroidPolicy {
  static let background = kind("android-background", .background)
  static let work = kind("android-work", .work)

  private static func kind(_ name: String, _ way: Way) -> PolicyKind {
    var policy = AndroidPolicy()
    policy.way = way
    return PolicyKind(
      name, .network, system: .android,
      restore: { (policy: inout AndroidPolicy) in policy.way = way }, make: { [policy] _ in policy }
    )
  }

  var kind: PolicyKind {
    switch way {
    case .background: Self.background
    case .work: Self.work
    }
  }

  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String {
    let every = "a network position every \(plain(way.interval)) s, each told"
    return switch way {
    case .background: "\(every), as Android gives it to an app that nobody sees; none in deep Doze."
    case .work:
      "\(every), as a periodic job of Android's WorkManager may ask for it, in Doze in its windows."
    }
  }
}

extension SignificantPolicy {
  /// Whether it is what Android gives an app in the background, by a `PendingIntent` or by a job.
  package var isOfBackground: Bool { name == AndroidPolicy.background.name }
  package var isOfWork: Bool { name == AndroidPolicy.work.name }
}

extension PolicyKind {
  /// What Android gives an app in the background, by a `PendingIntent` and by a job.
  package static let android = [AndroidPolicy.background, AndroidPolicy.work]
}
