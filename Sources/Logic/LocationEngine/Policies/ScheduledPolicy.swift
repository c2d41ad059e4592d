// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The receiver is switched on for a short session every `interval` seconds, until a fix is at least as good as
// `accuracy` or `timeout` is over. This knows nothing of speed and misses what happens in between.
//
//   idle(next) ──time──► session(until) ──good fix, failure, time──► idle(next)
//
// `periodic` is the behaviour of most trackers: sessions by the clock, whatever was seen before (Traccar's client asks
// every 300 s by default [doc]). The grid is kept: a long acquisition does not shift the sessions after it; one
// that lasts beyond the next place of the grid skips it.
//
// `receiver` counts from the end of each session. After a fix that was far enough but too soon, the next session begins
// when the 300 s are over, unless an app may be told of something else before. It suits a device without a modem,
// which gets no sign that it has moved.

/// Sessions of the receiver at an interval.
struct ScheduledPolicy: Policy {
  enum Schedule: Sendable {
    /// From the start of a session to the start of the next.
    case periodic
    /// From the end of a session to the next.
    case receiver
  }

  /// The schedule of its name; not part of a snapshot, which has the name.
  private var schedule = Schedule.receiver
  /// Seconds [ours: the documented minimum interval].
  var interval = EngineRules.usualInterval
  /// Seconds after which a session without a good fix ends; no less than a cold start takes, else it would never
  /// get a first one.
  var timeout: Double
  /// Metres at which a fix is good enough [ours].
  var accuracy = 100.0

  private var phase = Phase.stopped

  private enum CodingKeys: CodingKey {
    case interval, timeout, accuracy, phase
  }

  private enum Phase: Sendable, Equatable, Codable {
    /// No app monitors.
    case stopped
    /// The receiver is off until the next session.
    case idle(next: EngineInstant)
    /// The receiver is on until then at the latest; `next` is the next place of the grid, if one is kept.
    case session(until: EngineInstant, next: EngineInstant?)
  }

  init(_ schedule: Schedule, timeout: Double) {
    self.schedule = schedule
    self.timeout = timeout
  }

  var wantsSession: Bool {
    if case .session = phase { true } else { false }
  }

  var nextDeadline: EngineInstant? {
    switch phase {
    case .stopped: nil
    case .idle(let next): next
    case .session(let until, _): until
    }
  }

  mutating func handle(event: PolicyEvent, at now: EngineInstant) -> Bool {
    switch (event, phase) {
    case (.began, _): begin(at: now, due: now)
    case (.ended, _): phase = .stopped
    case (.judged(let judged), .session(_, let next)):
      if judged.accuracy.map({ $0 <= accuracy }) ?? true {
        rest(until: next, after: judged, at: now)
      }
    case (.failed, .session(_, let next)): rest(until: next, at: now)
    case (.timePassed, .idle(let due)) where due <= now: begin(at: now, due: due)
    case (.timePassed, .session(let until, let next)) where until <= now:
      rest(until: next, at: now)
    case (.cellChanged, _), (.moved, _), (.tripHint, _), (.judged, _), (.signal, _), (.failed, _),
      (.timePassed, _):
      break
    }
    return false
  }

  private mutating func begin(at now: EngineInstant, due: EngineInstant) {
    phase = .session(
      until: now.advanced(bySeconds: timeout),
      next: schedule == .periodic ? due.advanced(bySeconds: interval) : nil)
  }

  private mutating func rest(
    until grid: EngineInstant?, after judged: JudgedFix? = nil, at now: EngineInstant
  ) {
    guard let grid else {
      let usual = now.advanced(bySeconds: interval)
      let useful = max(usual, judged?.mayTellAt ?? usual)
      phase = .idle(next: judged?.retryAt.map { min($0, useful) } ?? usual)
      return
    }
    let late = EngineInstant.seconds(from: grid, to: now)
    let skipped = late < 0 ? 0 : (late / interval).rounded(.down) + 1
    phase = .idle(next: grid.advanced(bySeconds: skipped * interval))
  }
}

extension ScheduledPolicy {
  static let periodic = kind("periodic", .periodic)
  static let receiver = kind("receiver", .receiver)

  private static func kind(_ name: String, _ schedule: Schedule) -> PolicyKind {
    PolicyKind(
      name, .receiver, hasInterval: true,
      restore: { (policy: inout ScheduledPolicy) in policy.schedule = schedule },
      make: { settings in
        guard let timeout = settings.timeout else { return nil }
        var policy = ScheduledPolicy(schedule, timeout: timeout)
        policy.interval = settings.interval ?? policy.interval
        policy.accuracy = settings.accuracy ?? policy.accuracy
        return policy
      })
  }

  var kind: PolicyKind { schedule == .periodic ? Self.periodic : Self.receiver }

  var settings: PolicySettings {
    var settings = PolicySettings(name: kind.name)
    (settings.interval, settings.timeout, settings.accuracy) = (interval, timeout, accuracy)
    return settings
  }

  func sentence(_ rules: EngineRules, plain: (Double) -> String) -> String {
    let suits =
      switch schedule {
      case .periodic: "by the clock, for at most \(plain(timeout)) s"
      case .receiver:
        "for at most \(plain(timeout)) s, as suits a device that hears of no cells"
      }
    let every = "the receiver is switched on every \(plain(interval)) s"
    return every + (schedule == .periodic ? " " : ", ") + suits + "; " + rules.limits(plain)
  }
}

extension SignificantPolicy {
  /// Sessions that last `timeout` seconds at most, from the end of each to the next.
  package static func receiver(timeout: Double) -> Self {
    .init(ScheduledPolicy(.receiver, timeout: timeout))
  }

  /// The same by the clock.
  package static func periodic(timeout: Double) -> Self {
    .init(ScheduledPolicy(.periodic, timeout: timeout))
  }
}
