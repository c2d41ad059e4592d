// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore

// Theory
// ======
//
//   faults │  2,700 s: nobody does anything  │ 120 s: the user sets right   │ 900 s
//          │  the device moves all the time  │ what only he can, and opens  │ all apps are sent to
//          │                                 │ each app                     │ the background
//          └► handlers have worked off all   └► the apps have acknowledged  └► engine, processes and
//             that waits (longest pause 600 s)  all that waited                receiver agree

extension Simulation {
  /// Microseconds of the quiet time.
  static let quietTime: Int64 = 3_800_000_000

  mutating func quiet(_ stage: Int) {
    say("quiet \(stage)")
    switch stage {
    case 0: calm()
    case 1: workedOff()
    case 2: acknowledged()
    default: settled()
    }
  }

  private mutating func calm() {
    faults.isOver = true
    storeTrouble = nil
    sleepsUntil = 0
    gpsdIsThere(true)
    gpsd.isSilent = false
    if !gpsd.isPluggedIn { receiverIsPluggedIn(true) }
    modem.isThere = true
    settings.retriesFor = 7 * 86_400
    settings.outboxLimit = 10_000
    ledger.limit = 10_000
    if isUp {
      give(.settings(.read(settings, changes: []), for: nil, id: nil))
      settle()
    }
    // A hanging process is ended by hand.
    for pid in processes.keys.sorted() where processes[pid]?.isHung == true {
      add(.process(pid, .graceOver), in: chance.between(1, 60))
    }
    for client in connections.keys.sorted(by: { $0.number < $1.number }) { writable(client) }
    add(.quiet(1), in: 2_700)
  }

  private mutating func workedOff() {
    guard isUp else { return fail(.late, "no service runs") }
    service.inspect { app in
      guard app.isHandler || app.isSink, app.authorization.allowsLocation, app.pending > 0 else {
        return
      }
      // A delivery that is not urgent is gathered for a quarter of an hour, and its batch may have left this very
      // moment.
      if app.isSink, app.stage != .idle, !isOld(app, after: 1000) { return }
      // The last event may have come a moment ago.
      if let first = app.first, let last = app.last, last - first > 2 || isOld(app) {
        fail(.late, "\(app.name) still has \(app.pending) waiting, from \(first)")
      }
    }
    for script in scripts {
      let name = script.manifest.name
      command(.control(name, .release), about: name)
      command(.authorize(name, .always), about: name)
    }
    for (number, script) in scripts.enumerated() where !script.isStranger {
      add(.over(.user, 100 + number), in: 20)
      // One may end in between: it performs its orders when it is thawed.
      add(.over(.user, 100 + number), in: 60)
    }
    add(.quiet(2), in: 120)
  }

  /// Whether its oldest event waits for longer than a run takes.
  private func isOld(_ app: AppInspection, after seconds: Double = 400) -> Bool {
    guard let oldest = store.pending(of: app.id).first else { return true }
    return UTCInstant.seconds(from: oldest.received, to: utc) > seconds
  }

  /// The user opens an app.
  mutating func open(_ number: Int) {
    let name = scripts[number].manifest.name
    guard isUp, let id = service.appID(of: name), let state = service.engine.state(of: id) else {
      return
    }
    if state == .notRunning { command(.control(name, .launch), about: name) }
    if state == .suspended || state == .background {
      command(.control(name, .foreground), about: name)
    }
  }

  private mutating func acknowledged() {
    service.inspect { app in
      let state = service.engine.state(of: app.id) ?? .notRunning
      guard !app.isHandler, !app.isSink, app.pending > 0, app.canStart else { return }
      guard state.runsCode, let client = app.client, let sent = connections[client]?.sent else {
        return fail(.late, "\(app.name) was opened, and is \(state.rawValue), \(app.stage)")
      }
      // Every second one may come, and take a fifth of a second.
      let isYoung = app.pending <= 3 && sent + 3 >= app.last ?? 0
      if !isYoung { fail(.late, "\(app.name) runs, and \(app.pending) wait") }
    }
    for script in scripts {
      command(.control(script.manifest.name, .background), about: script.manifest.name)
    }
    add(.quiet(3), in: 900)
  }

  private mutating func settled() {
    guard isUp else { return fail(.late, "no service runs") }
    for name in kept.keys.sorted() {
      guard let pid = kept[name], let process = processes[pid], process.run == nil else { continue }
      guard let id = service.appID(of: name) else {
        return fail(.leaked, "process \(pid) of \(name), which is not registered")
      }
      let state = service.engine.state(of: id)
      if state == .notRunning { fail(.leaked, "process \(pid) of \(name)") }
    }
    if hasFailed || service.sizes.carriedDeliveries > 0 {
      fail(.late, "what could not be written still waits for the store")
    }
  }
}
