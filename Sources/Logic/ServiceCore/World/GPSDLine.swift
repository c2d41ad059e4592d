// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
//              a fix is needed                 the watch begins
//   notAsked ──────────────────► connected ◄──────────────────► watching
//    ▲   ▲                        ▲     │ lost        ends          │
//    │   └── the plan is off ──┐  │     ▼                           │
//    │                         └─ away ◄────────────────────────────┘
//    └── gpsd is elsewhere now: from each
//
// - While the plan is off nobody tries to reach gpsd: its last state would be stale.
// - A reason is reported once: `trouble` outlives the attempts, and only a connection ends it.
// - Each look connects and opens the receivers anew. That belongs in the journal only if it is news: the first time,
//   and after a loss.

/// The line to gpsd, and its receivers.
struct GPSDLine: Sendable, Equatable {
  /// The words of the line before any fix was needed.
  static let notAsked = "not asked yet"

  private enum State: Sendable, Equatable {
    case notAsked, away, connected, watching
  }

  /// One open receiver.
  struct Device: Sendable, Equatable {
    let path: String
    fileprivate(set) var driver: String?
    /// The time of its last report.
    fileprivate(set) var lastReport: EngineInstant?
  }

  private var state = State.notAsked
  /// Its state in words, and since when.
  private(set) var words = notAsked
  private(set) var since: UTCInstant
  /// The reason why gpsd could not be reached the last time; `nil` while it answers.
  private var trouble: String?
  /// gpsd's release; `nil` before its first message.
  private(set) var release: String?
  private(set) var devices: [Device] = []
  /// The receivers of which the journal says that they are open, and whether it says that there is none.
  private var toldOpen: Set<String> = []
  private var toldNone = false
  /// The families of which the journal has told.
  private var toldFamilies: [String: ReceiverFamily] = [:]
  private static let toldLimit = 64

  init(at utc: UTCInstant) { since = utc }

  var isConnected: Bool { state == .connected || state == .watching }
  var isWatching: Bool { state == .watching }
  /// Whether gpsd is needed but not connected.
  var isUnreachable: Bool { state == .away }
  /// Whether the first answer of gpsd is still to come.
  var isNew: Bool { release == nil && state == .notAsked }

  /// Takes a change of the line; returns the level at which it belongs in the journal.
  mutating func receive(link: GPSDEvent.Link, at utc: UTCInstant) -> LogLevel {
    if words != link.words { since = utc }
    words = link.words
    switch link {
    case .connected(let release, _, _):
      let isNews = trouble != nil || self.release != release
      state = state == .watching ? .watching : .connected
      trouble = nil
      self.release = release
      return isNews ? .notice : .debug
    case .unreachable(let reason, _), .lost(let reason, _):
      let isNews = trouble != reason
      (state, trouble, devices) = (.away, reason, [])
      return isNews ? .warning : .debug
    case .watching(let isOn):
      state = isOn ? .watching : .connected
      return .debug
    }
  }

  /// Each returns the level at which it belongs in the journal.
  mutating func opened(_ path: String, driver: String?) -> LogLevel {
    devices.removeAll { $0.path == path }
    devices.append(Device(path: path, driver: driver))
    toldNone = false
    guard !toldOpen.contains(path) else { return .debug }
    if toldOpen.count < Self.toldLimit { toldOpen.insert(path) }
    return .notice
  }

  mutating func identified(_ path: String, _ identity: ReceiverIdentity) -> LogLevel {
    if let index = devices.firstIndex(where: { $0.path == path }) {
      devices[index].driver = identity.driver ?? devices[index].driver
    }
    guard let family = identity.family, toldFamilies[path] != family,
      toldFamilies.count < Self.toldLimit
    else { return .debug }
    toldFamilies[path] = family
    return .notice
  }

  mutating func closed(_ path: String) -> LogLevel {
    devices.removeAll { $0.path == path }
    toldOpen.remove(path)
    return .notice
  }

  mutating func closedAll() -> LogLevel {
    defer { (devices, toldOpen, toldNone) = ([], [], true) }
    return toldNone ? .debug : .notice
  }

  mutating func reported(_ path: String, at now: EngineInstant) {
    if let index = devices.firstIndex(where: { $0.path == path }) {
      devices[index].lastReport = now
    }
  }

  /// The receiver is not wanted any more.
  mutating func rest() {
    if !isConnected { (state, words) = (.notAsked, Self.notAsked) }
  }

  /// gpsd is elsewhere now.
  mutating func moved(at utc: UTCInstant) { self = GPSDLine(at: utc) }

  mutating func follow(clockStep step: ClockStep) { since = step.corrected(since) }
}
