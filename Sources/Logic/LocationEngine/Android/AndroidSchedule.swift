// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The periodic work of one app: a job (WorkManager) and an alarm, each due an interval after it last ran. What is due
// waits for the phone and for the quota of the app's bucket:
//
//   kind          in light Doze   in deep Doze                    quota
//   job           waits           waits                           seconds of jobs, by bucket; not while charging
//   alarm         goes off        waits                           number of alarms, by bucket; not while charging
//   while-idle    goes off        goes off, one in 9 min an app   as an alarm
//
// A job that ran late is due an interval after it ran, so that those that were missed are not made up for.

/// The least interval of periodic work, seconds (doc: `PeriodicWorkRequest.MIN_PERIODIC_INTERVAL_MILLIS`).
package enum PeriodicJob {
  package static let leastInterval = 900.0
}

/// The work that an app has scheduled.
package enum ScheduledWork: Sendable, Hashable {
  /// A job every so many seconds, 900 at least; each is expected to run for `lasts` seconds.
  case job(every: Double, lasts: Double)
  /// An alarm every so many seconds, which its receiver sets again.
  case alarm(every: Double, isExact: Bool, whileIdle: Bool)

  package var wake: AndroidWake {
    switch self {
    case .job: .job
    case .alarm(_, let isExact, _): isExact ? .exactAlarm : .alarm
    }
  }

  /// Seconds from one run to the next, at least.
  package var interval: Double {
    switch self {
    case .job(let every, _): max(every, PeriodicJob.leastInterval)
    case .alarm(let every, _, _): max(every, Self.leastAlarm)
    }
  }

  /// AOSP `AlarmManagerService`: MIN_INTERVAL, recalled.
  private static let leastAlarm = 60.0
}

/// Scheduled work and its next time.
struct WorkTurn: Sendable, Hashable {
  let work: ScheduledWork
  private(set) var due: EngineInstant
  /// The obstacle that its app's account has already.
  private var told: AndroidObstacle?
  private var lastInDoze: EngineInstant?

  init(_ work: ScheduledWork, at now: EngineInstant) {
    self.work = work
    due = now.advanced(bySeconds: work.interval)
  }

  /// Seconds between two alarms of an app in deep Doze (doc: power details).
  static let whileIdle = 540.0

  /// Why it does not run now although it is due; `nil` if it does. `quota` is when its app's bucket allows it.
  func obstacle(
    _ mode: DozeMode, bucket: StandbyBucket, allowedAt: EngineInstant, at now: EngineInstant
  ) -> AndroidObstacle? {
    if waits(in: mode, at: now) { return .doze }
    return allowedAt > now ? .bucket(bucket) : nil
  }

  private func waits(in mode: DozeMode, at now: EngineInstant) -> Bool {
    switch (work, mode) {
    case (_, .awake), (.alarm, .light): false
    case (.job, .light), (.job, .deep), (.alarm(_, _, whileIdle: false), .deep): true
    case (.alarm(_, _, whileIdle: true), .deep):
      lastInDoze.map { EngineInstant.seconds(from: $0, to: now) < Self.whileIdle } ?? false
    }
  }

  /// When Doze alone lets it run although the mode stays; `nil` if it does not.
  func freeInDoze(_ mode: DozeMode) -> EngineInstant? {
    guard mode == .deep, case .alarm(_, _, whileIdle: true) = work else { return nil }
    return lastInDoze?.advanced(bySeconds: Self.whileIdle)
  }

  /// Notes an obstacle; returns whether it is news.
  mutating func isHeldBack(by obstacle: AndroidObstacle) -> Bool {
    guard told != obstacle else { return false }
    told = obstacle
    return true
  }

  /// Whether it is due and nobody has been told why it waits.
  var isUntold: Bool { told == nil }

  mutating func ran(_ mode: DozeMode, at now: EngineInstant) {
    if mode == .deep { lastInDoze = now }
    due = now.advanced(bySeconds: work.interval)
    told = nil
  }

  func relative(to now: EngineInstant) -> Self {
    var copy = self
    copy.due = EngineInstant(microseconds: due.microseconds - now.microseconds)
    copy.lastInDoze = lastInDoze.map {
      EngineInstant(microseconds: max($0.microseconds - now.microseconds, -600_000_000))
    }
    return copy
  }
}
