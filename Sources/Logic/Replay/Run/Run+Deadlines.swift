// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
package import LocationModel
import RadioPower
import ServiceContract
import ServiceCore

// Time between two samples: a run jumps from deadline to deadline.

extension Run {
  /// The deadlines, in the order in which they come if several are due.
  private enum Deadline: CaseIterable {
    case networkAnswer, upload, radioFree, userAct, issue
    /// The service's and its programs'.
    case service

    /// Made once, since it is needed in every second.
    static let inOrder = allCases
  }

  /// The greatest number of deadlines handled in one gap [ours: a night of sessions every 300 s is less].
  static let gapDeadlines = 256

  @inline(__always)
  private func instant(of deadline: Deadline) -> EngineInstant? {
    switch deadline {
    case .networkAnswer: network.answersAt
    case .upload: maySend ? uplink.due(appRuns: host.service.engine.runsCode) : nil
    case .radioFree: receiver.blockedUntil
    case .userAct: acts.nextDeadline
    case .issue: issues.nextDeadline
    case .service: host.nextDeadline
    }
  }

  /// Handles a deadline; `place` is the true position, if known.
  private mutating func came(_ deadline: Deadline, near place: Coordinate?) {
    switch deadline {
    case .networkAnswer:
      if place != nil { counters.fixesSeen += 1 }
      tellRadioEvent(network.answer(at: place, moving: judges.movement, clock))
    case .upload: upload()
    case .radioFree:
      receiver.block(until: nil)
      meterReceiver()
    case .userAct: if let act = acts.pop(at: clock.now) { perform(happening: act.what) }
    case .issue:
      guard let app = issues.next(at: clock.now) else { break }
      noteEvent(.did("the download of its issue is over"), of: app)
      host.user(.event(app, .newsstand), at: clock.time)
      followService()
    case .service:
      host.pass(to: clock.time)
      followService()
    }
  }

  /// Has the service meter an event of the radios.
  mutating func meter(_ event: Activity.Event, at instant: EngineInstant) {
    host.tellService(.radio(.activity(event)), at: ServiceTime(at: instant, utc: clock.utc))
  }

  /// What a program does past the service, or the service for a sink.
  mutating func follow(deed: ProgramDeed) {
    switch deed.kind {
    case .remark(let text): noteEvent(.did(text), of: deed.app)
    case .issueDownload(let bytes): downloadIssue(bytes, for: deed.app)
    case .transfer where !network.isThere: noteEvent(.did("has no network"), of: deed.app)
    case .transfer(let up, let down):
      meter(options.transfer(up: up, down: down), at: clock.now)
      shareRadio()
    case .sent(let events, let bytes):
      noteEvent(.sent(SinkTransfer(events: events, bytes: bytes)), of: deed.app)
      shareRadio()
    }
  }

  /// Has the system download an issue for its app.
  mutating func downloadIssue(_ bytes: Int, for app: String) {
    let era = options.rules.era
    let modes = cast.first { $0.name == app }?.declaration.modes ?? []
    guard era.hasNewsstand, modes.contains(.newsstandContent) else {
      let why = "its issue is not downloaded: the mode is not declared, or the era lacks it"
      return noteEvent(.did(why), of: app)
    }
    let seconds = network.isThere ? options.transferDuration(of: bytes) : 0
    issues.begin(for: app, until: clock.now.advanced(bySeconds: seconds))
    guard network.isThere else { return }
    meter(options.transfer(up: 0, down: bytes), at: clock.now)
    shareRadio()
  }

  /// Plays the user, or what else happens to the device.
  private mutating func perform(happening what: Happening) {
    if account.isOfScenario { noteEvent(.user(what)) }
    if case .network(let isThere) = what {
      network.isThere = isThere
      if !isThere { issues.fail(at: clock.now) }
      tellSinks(isUp: isThere)
    }
    if what.comesOverNetwork, !network.isThere {
      return noteEvent(.refused("there is no network"))
    }
    if account.isOfScenario, case .device(.memoryNeeded) = what, engine.memoryToTake == 0 {
      noteEvent(.refused("no app is suspended or in the background, so no memory is freed"))
    }
    for message in what.messages(to: stage) {
      host.user(message, at: clock.time)
      followService()
    }
  }

  /// The service of a machine with sinks hears of its network.
  private mutating func tellSinks(isUp: Bool) {
    guard cast.contains(where: { $0.sink != nil }) else { return }
    host.reachesSinks = isUp
    host.tellService(.machine(.network(NetworkReading(isUp: isUp))), at: clock.time)
    followService()
  }

  /// The first of all deadlines.
  var nextDeadline: EngineInstant? {
    var earliest: EngineInstant?
    for deadline in Deadline.inOrder { earliest = .earlier(earliest, instant(of: deadline)) }
    return earliest
  }

  /// All deadlines that lie before or at `instant`, in order of time.
  mutating func passDeadlines(to instant: EngineInstant, near place: Coordinate?) {
    while let earliest = nextDeadline, earliest <= instant {
      clock.shift(to: earliest)
      passFirstDeadline(near: place)
    }
  }

  private mutating func passFirstDeadline(near place: Coordinate?) {
    for deadline in Deadline.inOrder {
      guard let due = instant(of: deadline), due <= clock.now else { continue }
      return came(deadline, near: place)
    }
  }

  /// Lets time pass without a sample, as in a gap.
  package mutating func pass(to instant: EngineInstant) {
    var left = Self.gapDeadlines
    while left > 0, let earliest = nextDeadline, earliest <= instant {
      clock.shift(to: earliest)
      passFirstDeadline(near: nil)
      left -= 1
    }
    // The device sleeps; its user does not.
    while let act = acts.nextDeadline, act <= instant {
      clock.shift(to: act)
      came(.userAct, near: nil)
    }
    clock.shift(to: instant)
    passDeadlines(to: instant, near: nil)
  }

  /// Lets time pass up to an instant of the trace's UTC, and returns its instant on the axis.
  package mutating func pass(toUTC instant: UTCInstant) -> EngineInstant {
    pass(to: clock.now.advanced(bySeconds: UTCInstant.seconds(from: clock.utc, to: instant)))
    return clock.now
  }
}
