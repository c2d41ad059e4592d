// SPDX-License-Identifier: Apache-2.0

// The satellite receiver. Records set its state; TTFF, timeouts and back-off are the world's business, and arrive
// here as states.
//
// A receiver that shares its radio with the modem is `blocked` while the modem is connected, and then resumes.
//
//      off ──▶ acquire_* ──▶ track_good ⇄ track_poor ⇄ track_still ⇄ powersave
//       ▲         │  ▲              │
//       │         ▼  │              │
//       │   search_backoff          │
//       └───── linger ◀──release────┘        off = backup, usb_idle or vbus_off, as the profile says
//
// - After a release the receiver lingers for a while at a low power (6 s on old phones) before it is
//   off. A new session meanwhile cancels the rest. `vbus_off` does not linger: its supply is cut.
// - A phone that lies still tracks with less (`track_still`): its system knows that from the motion coprocessor, and
//   lets the receiver rest in between. A record says that it moves or lies still, and the time of tracking is counted
//   under the one state or the other. Without such a record, or without a row for it, tracking costs the same.
// - Several apps share one receiver; the merged request is one state, so it counts once.
// - An idle receiver's power is above the floor and so part of the total, not of the baseline: for a USB dongle it is
//   the reason why switching it off saves nothing, and a report must show it.

/// The receiver's times by state; lingering counts as rest.
struct ReceiverTimes: Sendable, Equatable {
  typealias State = Activity.GNSSState

  private var state: State = .off
  private var now: Int64 = 0
  /// The longest lingering, by lane, microseconds.
  private let lingerTimes: [Int64]
  /// By lane, of the rests that are over.
  private var lingered: [Int64]
  /// By index of the state in `allCases`.
  private(set) var time: [Int64]
  /// The rest after each release, until it was used again or its supply was cut.
  private var rests = SpanTally()
  private var releasedAt: Int64?
  private var sessions = SessionLedger()
  /// Whether the device is known to lie still.
  private var isStill = false
  private let tracksStill: Bool

  init(_ profile: DeviceProfile) {
    let linger = profile.values["gnss", "linger", "duration"]
    lingerTimes = Lane.allCases.map { microseconds(linger[$0]) }
    lingered = lingerTimes.map { _ in 0 }
    time = Array(repeating: 0, count: State.allCases.count)
    rest = profile.gnssWhenOff.state
    state = rest
    tracksStill = profile.values.has("gnss", State.trackStill.rawValue)
    known = State.allCases.filter {
      !$0.isRest || profile.values.has("gnss", $0.rawValue) || $0 == .vbusOff
    }
  }

  private let rest: State
  private let known: [State]

  /// Lets time pass up to `instant` (meter time).
  mutating func advance(to instant: Int64) {
    let span = instant - now
    guard span > 0 else { return }
    now = instant
    time[counted.index] += span
  }

  /// The state whose power it draws.
  private var counted: State {
    switch state {
    case .trackGood, .trackPoor: isStill && tracksStill ? .trackStill : state
    case .trackStill: tracksStill ? state : .trackGood
    default: state
    }
  }

  /// Notes that the device moves, or lies still.
  mutating func move(_ moves: Bool, at instant: Int64) {
    advance(to: instant)
    isStill = !moves
  }

  /// Puts the receiver into a state. A kind of off that the profile does not know becomes the profile's own.
  mutating func enter(_ asked: State, at instant: Int64) {
    let next = known.contains(asked) ? asked : rest
    guard next != state else { return }
    advance(to: instant)
    sessions.pass(from: state, to: next, time: time)
    let isRelease = next.isRest && !state.isRest && next != .vbusOff
    if isRelease {
      releasedAt = instant
    } else if let releasedAt, !next.isRest || next == .vbusOff {
      rests.add(span: now - releasedAt)
      for lane in lingered.indices { lingered[lane] += min(lingerTimes[lane], now - releasedAt) }
      self.releasedAt = nil
    }
    state = next
  }

  /// Microseconds in which the receiver searched or tracked.
  var onTime: Int64 {
    State.allCases.reduce(0) {
      $1.isRest || $1 == .searchBackoff || $1 == .blocked ? $0 : $0 + time[$1.index]
    }
  }

  /// Notes that a position was delivered to an app.
  mutating func delivered() { sessions.delivered() }

  /// The wasted work, as if all sessions ended now.
  var sessionsUpToNow: SessionLedger { sessions.ended(time: time) }

  /// Seconds of lingering in a lane, and the rests, with the one under way.
  func rests(in lane: Lane) -> (lingering: Double, SpanTally) {
    var (rests, lingered) = (rests, lingered[lane.rawValue])
    if let releasedAt {
      rests.add(span: now - releasedAt)
      lingered += min(lingerTimes[lane.rawValue], now - releasedAt)
    }
    return (Double(lingered) / 1e6, rests)
  }
}

extension DeviceProfile.Rest {
  /// The state under whose name its time is kept.
  var state: Activity.GNSSState {
    switch self {
    case .backup: .backup
    case .usbIdle: .usbIdle
    case .vbusOff: .vbusOff
    }
  }
}

extension Activity.GNSSState {
  /// Whether the receiver is not in use.
  package var isRest: Bool {
    switch self {
    case .off, .backup, .usbIdle, .vbusOff: true
    default: false
    }
  }

  var index: Int {
    switch self {
    case .off: 0
    case .backup: 1
    case .usbIdle: 2
    case .vbusOff: 3
    case .acquireCold: 4
    case .acquireWarm: 5
    case .acquireHot: 6
    case .acquireAssisted: 7
    case .searchBackoff: 8
    case .trackGood: 9
    case .trackPoor: 10
    case .trackStill: 11
    case .powersave: 12
    case .blocked: 13
    }
  }
}
