// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// Fetches and keep-alives have no fixed time, but a window: the processor is woken once for all whose
// windows are open.
//
//   keep-alive     last call ├──────── half the interval ────────┤▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒┤ 5 s before its end
//   fetch          last call ├──── the minimum interval, or until its user usually opens it ───┤▒▒ 15 min ▒▒┤
//
// - Work is done as soon as its window is open and the processor runs for anything else; else at the end of the
//   window that ends first, together with all others that are open then. No fewer wakes would do: that is the
//   classic rule for piercing intervals with points.
// - A keep-alive is called at least once before its interval is over [core], so its window lies before that.
//   Half an interval is enough for two of the same length to fall into step, whatever lies between them.
// - A fetch is never done for two apps at once [core]: the one whose window opened first goes first. One that is
//   triggered from outside while another app fetches opens its window at once, and waits for that one.
// - A request with the same interval changes nothing: an app makes it at each launch, and would never be called if its
//   window began anew each time.
// - Fetches learn from use [core]: the hours in which an app is opened are counted, and with enough openings to know
//   (5), a fetch waits for the hour before the next such hour, 12 h at most [ours]. Hours are those of the service's
//   own axis: the hour of the day does not matter.
// - In the foreground an app does its own work, so its windows count from when it was left.

/// The earliest and the latest time of one app's fetch, or of its keep-alive call.
struct PeriodicWork: Sendable, Equatable, Codable {
  /// Seconds, as the app asked for.
  let interval: Double
  /// The time of the last call, of the request, or of leaving the foreground.
  private(set) var since: EngineInstant
  /// The instant since when it is due out of turn; `nil` if it is not.
  private var dueSince: EngineInstant?
  /// Seconds after `since` of the earliest and the latest call.
  private let opens: Double
  private let closes: Double

  /// A keep-alive handler.
  static func keepAlive(_ interval: Double, since: EngineInstant) -> Self {
    Self(interval: interval, since: since, opens: interval / 2, closes: interval - 5)
  }

  /// A fetch.
  static func fetch(_ interval: Double, since: EngineInstant) -> Self {
    let opens = max(interval, shortestFetch)
    return Self(interval: interval, since: since, opens: opens, closes: opens + fetchWindow)
  }

  /// The least interval between two fetches, seconds, whatever an app asks for [ours].
  private static let shortestFetch = 900.0
  /// Seconds for which a fetch waits for company [ours].
  private static let fetchWindow = 900.0

  var isDue: Bool { dueSince != nil }

  /// Notes a call, or that the app was left: the next time counts from now.
  mutating func called(at now: EngineInstant) { (since, dueSince) = (now, nil) }

  /// Marks it as due as soon as possible.
  mutating func comeDue(at now: EngineInstant) { dueSince = dueSince ?? now }

  /// The window that does not wait for its time; `nil` if it is not due out of turn.
  var dueWindow: (opens: EngineInstant, closes: EngineInstant)? { dueSince.map { ($0, $0) } }

  var opensAt: EngineInstant { since.advanced(bySeconds: opens) }
  var closesAt: EngineInstant { since.advanced(bySeconds: closes) }
}

/// The hours in which an app's user opens it.
struct OpeningHours: Sendable, Equatable, Codable {
  private var counts = [Int](repeating: 0, count: 24)

  private static let hour = 3_600.0
  /// Openings after which the habit counts as known.
  private static let enough = 5
  /// The longest wait of a fetch, hours.
  private static let longest = 12

  mutating func opened(at now: EngineInstant) { counts[Self.hour(of: now)] += 1 }

  /// The earliest instant from `at` on in an hour before one in which the app is opened.
  func likely(from at: EngineInstant) -> EngineInstant {
    guard counts.reduce(0, +) >= Self.enough else { return at }
    for ahead in 0...Self.longest {
      let begin = at.seconds / Self.hour + Double(ahead)
      let hour = Self.hour(of: EngineInstant.zero.advanced(bySeconds: begin * Self.hour))
      guard counts[(hour + 1) % 24] > 0 || ahead == 0 && counts[hour] > 0 else { continue }
      guard ahead > 0 else { return at }
      return EngineInstant.zero.advanced(bySeconds: begin.rounded(.down) * Self.hour)
    }
    return at.advanced(bySeconds: Double(Self.longest) * Self.hour)
  }

  private static func hour(of instant: EngineInstant) -> Int {
    let hours = Int64((instant.seconds / hour).rounded(.down))
    return Int(((hours % 24) + 24) % 24)
  }
}

/// The background work that one app has asked for, besides locations.
struct BackgroundWork: Sendable, Equatable, Codable {
  /// Outlives the process: the system remembers it.
  var fetch: PeriodicWork?
  var hours = OpeningHours()
  /// Ends with the process.
  var keepAlive: PeriodicWork?
  /// Ends with the process.
  var watchesSocket = false
  /// Ends with the process.
  var playsAudio = false
  /// Outlive the process.
  var notifications = NotificationSchedule()

  /// Whether the app has asked for calls for that reason; reasons that need no request count as asked.
  func hasAsked(for reason: WakeReason) -> Bool {
    switch reason {
    case .fetch: fetch != nil
    case .keepAlive: keepAlive != nil
    case .socket: watchesSocket
    case .location, .motion, .region, .visit, .push, .locationPush, .newsstand, .accessory,
      .bluetooth, .boot, .crash:
      true
    }
  }

  /// Ends all that ends with the process.
  mutating func processEnded() {
    keepAlive = nil
    watchesSocket = false
    playsAudio = false
  }

  /// The times at which its fetch window opens and closes.
  var fetchWindow: (opens: EngineInstant, closes: EngineInstant)? {
    guard let fetch else { return nil }
    if let due = fetch.dueWindow { return due }
    let opens = hours.likely(from: fetch.opensAt)
    let late = EngineInstant.seconds(from: fetch.opensAt, to: opens)
    return (opens, fetch.closesAt.advanced(bySeconds: late))
  }

  /// The times at which its keep-alive window opens and closes.
  var keepAliveWindow: (opens: EngineInstant, closes: EngineInstant)? {
    keepAlive.map { ($0.opensAt, $0.closesAt) }
  }
}
