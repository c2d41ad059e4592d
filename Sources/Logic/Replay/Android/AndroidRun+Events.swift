// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower

extension AndroidRun {
  /// Writes a line of the account.
  mutating func writeLine(_ what: AndroidHappening, _ app: AppID? = nil) {
    lines.append(
      AndroidLine(time: clock.utc, app: app.map { script.apps[Int($0.number)].name }, what: what))
  }

  private func id(of name: String) -> AppID? {
    script.apps.firstIndex { $0.name == name }.map { AppID(UInt32($0)) }
  }

  // MARK: What the phone does

  mutating func note(event: AndroidEvent) {
    switch event {
    case .state(let app, let from, let to): changed(app, from, to)
    case .woken(let app, let wake):
      totals[Int(app.number)].wakes += 1
      awake.insert(app)
      writeLine(.woken(wake), app)
      if let trigger = AndroidTrigger(wake) { runHandler(trigger, of: app) }
    case .notWoken(let app, let wake, let obstacle):
      totals[Int(app.number)].note(notWoken: obstacle.sentence)
      writeLine(.notWoken(wake, obstacle), app)
    case .serviceRefused(let app, let obstacle):
      totals[Int(app.number)].refusedStarts += 1
      writeLine(.startRefused(obstacle), app)
    case .told(let app, let fixes): told(app, fixes)
    case .notTold: break
    case .need(let need):
      radios.follow(need, at: clock.now)
      writeLine(.need(need))
    case .dozed(let mode): writeLine(.dozed(mode))
    }
  }

  /// Positions that follow each other within a minute are one line.
  private mutating func told(_ app: AppID, _ fixes: [Fix]) {
    record(.delivery)
    totals[Int(app.number)].told += fixes.count
    let before = toldAt[app]
    toldAt[app] = clock.now
    let isNews = before.map { EngineInstant.seconds(from: $0, to: clock.now) > 60 } ?? true
    writeLine(
      .told(count: fixes.count, accuracy: fixes.last?.horizontalAccuracy, isNews: isNews), app)
    runHandler(.location, of: app)
  }

  private mutating func changed(_ app: AppID, _ from: AndroidAppState, _ to: AndroidAppState) {
    writeLine(.state(from: from, to: to), app)
    switch (from, to.runsCode) {
    case (.notRunning, true), (.stopped, true): record(.launch)
    case (.cached, true), (.frozen, true): record(.wake)
    case (_, false): if program.drop(app) { writeLine(.workLost, app) }
    case (_, true): break
    }
    if from.isSeen, !to.isSeen, to.runsCode { runHandler(.left, of: app) }
    if phone.life(of: app)?.promises.contains(.geofence) != true {
      daemon.stopAll(for: app, at: clock.now)
    }
  }

  // MARK: What apps do

  mutating func runHandler(_ trigger: AndroidTrigger, of app: AppID) {
    guard let steps = script.apps[Int(app.number)].handlers[trigger] else {
      // Its code has nothing to do there.
      return program.begin([], of: app, at: clock.now)
    }
    program.begin(steps, of: app, at: clock.now)
  }

  /// Does the steps that are due.
  mutating func performSteps() {
    while let (app, step) = program.next(at: clock.now) {
      if let step {
        perform(step: step, of: app)
      } else if !program.isBusy(app), awake.remove(app) != nil {
        handle(.app(app, .finished))
      }
    }
  }

  private mutating func perform(step: AndroidStep, of app: AppID) {
    switch step {
    case .monitor(let place, let dwell):
      handle(.app(app, .registered(.geofence)))
      takeAnswer(daemon.monitor(place, dwell: dwell, for: app, at: clock.now))
    case .stopMonitoring(let place): daemon.stop(place, for: app, at: clock.now)
    case .request(let request): handle(.requested(app, request))
    case .requestOnce(let priority): handle(.askedOnce(app, priority))
    case .watchActivities(let isOn):
      handle(.app(app, isOn ? .registered(.activity) : .cancelled(.activity)))
    case .schedule(let work): handle(.scheduled(app, work))
    case .startService(let isLocation): handle(.app(app, .startedService(isLocation: isLocation)))
    case .startPlainService: handle(.app(app, .startedPlainService))
    case .endService: handle(.app(app, .endedService))
    case .work, .nothing: break
    }
  }

  // MARK: What users do

  mutating func play(act: AndroidAct) {
    if act != .nothing { writeLine(.act(act)) }
    switch act {
    case .open(let name):
      guard let app = id(of: name) else { return }
      leaveFront(except: app)
      handle(.screen(isOn: true))
      handle(.app(app, .opened))
      runHandler(.open, of: app)
    case .home: leaveFront()
    case .screen(let isOn):
      if !isOn { leaveFront() }
      handle(.screen(isOn: isOn))
    case .swipeAway(let name): tellApp(name, .swipedAway)
    case .forceStop(let name), .vendorStops(let name): tellApp(name, .forceStopped)
    case .userStops(let name): tellApp(name, .stoppedByUser)
    case .takeMemory(let name): tellApp(name, .memoryTaken)
    case .permit(let name, let permission): tellApp(name, .permitted(permission))
    case .wake(let name, let wake): tellApp(name, .woken(wake))
    case .bucket(let name, let bucket): if let app = id(of: name) { handle(.bucket(app, bucket)) }
    case .charging(let isCharging): handle(.charging(isCharging))
    case .saver(let isOn): handle(.saver(isOn: isOn))
    case .doze(let mode): handle(.dozed(mode))
    case .reboot:
      handle(.rebooted)
      for number in script.apps.indices {
        let app = AppID(UInt32(number))
        daemon.stopAll(for: app, at: clock.now)
        if script.apps[number].handlers[.boot] != nil { handle(.app(app, .woken(.boot))) }
      }
    case .nothing: break
    }
  }

  private mutating func tellApp(_ name: String, _ input: AndroidAppInput) {
    if let app = id(of: name) { handle(.app(app, input)) }
  }

  private mutating func leaveFront(except opened: AppID? = nil) {
    for number in script.apps.indices {
      let app = AppID(UInt32(number))
      guard app != opened, phone.life(of: app)?.state.isSeen == true else { continue }
      handle(.app(app, .left))
    }
  }
}
