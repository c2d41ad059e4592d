// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

// The rules for every app's life, seen from outside: only from the engine's commands, and by an independent count.
//
// 1. Callbacks come in order, each only after an allowed predecessor.
// 2. An app that runs no code gets no message, and one that is being terminated gets no call.
// 3. A suspended app runs, or a not running one is launched, only by its user or for a current reason: the app asked
//    for it, or need not ask, and the reason belongs to this very input, or for due events to the time.
// 4. One input launches an app at most once, and only one that does not run.
// 5. In the background, with nothing that holds it, an app runs no longer than its grace, its last wake, its handler or
//    its tasks allow, whichever is longest.
// 6. An app hears that its tasks end before they are overrun; its tasks end with its process, and a suspended app has
//    none. An app that hears that it came too late has none either.
// 7. An app that was purged, killed, or taken by the device's restart never hears `willTerminate`.
// 8. An app in the foreground is never suspended, purged or overrun.
// 9. Two apps never fetch at once in the background; the fetch of an app that is being terminated is over.
// 16. A notification is given once, when it is due: to the app if it is active, else to its user, if he allows it; an
//     app that scheduled none gets none.
// 17. An app that opted out of multitasking is never suspended, nor in the background.
// 18. A keep-alive handler is called before each interval is over, for as long as its app is in the background or
//     suspended.
// 19. Audio keeps no app running during a call, nor in the background while the app in the foreground plays.

/// Watches the lives of some apps.
struct LifeWatch: Hashable {
  private var apps: [Watched]
  private var brought = Brought.nothing
  private var isInCall = false

  private struct Watched: Hashable {
    let declaration: Declared
    /// The events for which it asked to be woken.
    var asks: Asks = []
    /// The latest time of its next call; `nil` while no interval runs.
    var keepAliveUntil: EngineInstant?
    var hasNotification = false
    var plays = false
    var state = AppState.notRunning
    var isEnding = false
    /// The end of its permitted time in the background, with tasks and without; `nil` in the foreground, and if it does
    /// not run.
    var mayRunUntil: EngineInstant?
    var tasksUntil: EngineInstant?
    var wasTold = false
    var hasTask = false
    var isFetching = false
    var wasHeld = false
    /// Whether the task that it begins now came too late.
    var isTooLate = false

    func isUncalled(at now: EngineInstant) -> Bool {
      !isEnding && keepAliveUntil.map { $0 < now } ?? false
    }

    /// Notes that a process is gone or suspended: its work under way is over.
    mutating func stops(in state: AppState) {
      var next = Watched(declaration: declaration)
      (next.state, next.asks, next.hasNotification) = (state, asks, hasNotification)
      if state == .suspended {
        (next.keepAliveUntil, next.plays) = (keepAliveUntil, plays)
      } else {
        next.asks.subtract(.ofProcess)
      }
      self = next
    }
  }

  /// The relevant parts of a declaration.
  private struct Declared: Hashable {
    let exitsOnSuspend: Bool
    let mayNotify: Bool
    let keepsAlive: Bool
    let mayPlay: Bool
  }

  private struct Asks: OptionSet, Hashable {
    let rawValue: UInt8
    static let motion = Asks(rawValue: 1)
    static let fetch = Asks(rawValue: 2)
    static let keepAlive = Asks(rawValue: 4)
    static let socket = Asks(rawValue: 8)
    /// Significant changes, or deferred updates.
    static let location = Asks(rawValue: 16)
    static let regions = Asks(rawValue: 32)
    static let visits = Asks(rawValue: 64)
    static let ofProcess: Asks = [.keepAlive, .socket]
  }

  /// The reasons for which the last input may wake or launch an app.
  private enum Brought: Hashable {
    case nothing
    case time
    case event(UInt32, WakeReason)
    case motion
    case position
    case network
    case memory
    case boot
  }

  init(_ declarations: [AppDeclaration], in era: Era) {
    apps = declarations.map {
      Watched(
        declaration: Declared(
          exitsOnSuspend: $0.exitsOnSuspend,
          mayNotify: $0.mayNotify || !era.asksForNotifications,
          keepsAlive: $0.modes.contains(.voip) && era.hasVoIP, mayPlay: $0.modes.contains(.audio)))
    }
  }

  /// Notes an input; earlier due events are reported first.
  mutating func heard(_ input: EngineInput, at now: EngineInstant) {
    brought = .nothing
    switch input {
    case .timePassed: brought = .time
    case .motionBegan: brought = .motion
    case .fix, .networkFix: brought = .position
    case .device(.networkChanged): brought = .network
    case .device(.memoryNeeded), .app(_, .life(.purged)): brought = .memory
    case .device(.rebooted): (brought, isInCall) = (.boot, false)
    case .device(.call(let isOn)): isInCall = isOn
    case .app(let id, .event(let reason)): brought = .event(id.number, reason)
    case .app(let id, let wish): note(wish, Int(id.number) - 1, at: now)
    default: break
    }
  }

  private mutating func note(_ wish: AppInput, _ place: Int, at now: EngineInstant) {
    func ask(_ what: Asks, _ isOn: Bool) {
      if isOn { apps[place].asks.insert(what) } else { apps[place].asks.remove(what) }
    }
    let hasProcess = apps[place].state != .notRunning
    switch wish {
    case .life(.returned(.fetch)): apps[place].isFetching = false
    case .startMonitoringMotion: ask(.motion, true)
    case .setFetchInterval(let interval): ask(.fetch, interval != nil)
    case .watchSocket(let isOn) where hasProcess: ask(.socket, isOn)
    case .setKeepAlive(let interval) where hasProcess:
      let isNew = interval != nil && !apps[place].asks.contains(.keepAlive)
      ask(.keepAlive, interval != nil)
      if isNew { countKeepAlive(place, at: now) }
      if interval == nil { apps[place].keepAliveUntil = nil }
    case .startMonitoringSignificantChanges: ask(.location, true)
    case .deferUpdates(let deferral): if deferral != nil { ask(.location, true) }
    case .place(.startMonitoring): ask(.regions, true)
    case .place(.stopMonitoring): ask(.regions, false)
    case .place(.startMonitoringVisits): ask(.visits, true)
    case .place(.stopMonitoringVisits): ask(.visits, false)
    case .schedule: apps[place].hasNotification = true
    case .cancelNotification: apps[place].hasNotification = false
    case .playAudio(let isOn): apps[place].plays = isOn && apps[place].state.runsCode
    default: break
    }
  }

  /// Starts the interval now.
  private mutating func countKeepAlive(_ place: Int, at now: EngineInstant) {
    let app = apps[place]
    guard app.declaration.keepsAlive, app.asks.contains(.keepAlive), !app.state.isForeground else {
      return
    }
    apps[place].keepAliveUntil = now.advanced(bySeconds: KeepAlive.shortest)
  }

  /// The same as if `now` were the origin of the axis.
  func relative(to now: EngineInstant) -> Self {
    var watch = self
    watch.brought = .nothing
    for index in apps.indices {
      func relative(_ instant: EngineInstant?) -> EngineInstant? {
        instant.map {
          EngineInstant(microseconds: max(-1, $0.microseconds - now.microseconds))
        }
      }
      watch.apps[index].mayRunUntil = relative(apps[index].mayRunUntil)
      watch.apps[index].tasksUntil = relative(apps[index].tasksUntil)
      watch.apps[index].keepAliveUntil = relative(apps[index].keepAliveUntil)
    }
    return watch
  }

  /// Takes the commands of one input; returns the rule that it broke.
  mutating func take(
    _ commands: [EngineCommand], of input: EngineInput, engine: LocationEngine, era: Era,
    at now: EngineInstant
  ) -> String? {
    var launches: [AppID] = []
    for command in commands {
      guard let id = command.app else { continue }
      let place = Int(id.number) - 1
      switch command {
      case .transition(_, let transition):
        if apps[place].isUncalled(at: now) { return Self.isUncalled }
        if let rule = follow(transition, place, era, engine.rules.lifecycle, at: now) {
          return rule
        }
      case .launch:
        if launches.contains(id) { return "4: launched twice for one input" }
        launches.append(id)
      case .work(_, let reason, let seconds):
        guard apps[place].state.runsCode, !apps[place].isEnding else {
          return "2: called while \(apps[place].isEnding ? "ending" : "\(apps[place].state)")"
        }
        if reason == .fetch, seconds.isFinite {
          apps[place].isFetching = true
          if apps.count(where: \.isFetching) > 1 { return "9: two apps fetch at once" }
        }
        if reason == .keepAlive { countKeepAlive(place, at: now) }
        if seconds.isFinite { extend(place, to: now.advanced(bySeconds: seconds), reason) }
      case .notify(_, _, let fate):
        if let rule = follow(fate, place) { return rule }
      case .tasksExpire(_, _, seconds: 0):
        guard !apps[place].hasTask else { return "6: too late, with another task under way" }
        apps[place].isTooLate = true
      case .tasksExpire:
        guard apps[place].hasTask else { return "6: told of the end of tasks that it has not" }
        apps[place].wasTold = true
      case .deliver where apps[place].isEnding, .place(_, .event) where apps[place].isEnding:
        return "2: told of a place while ending"
      case .motion, .deliver, .paused, .requestFailed, .audioStopped, .place(_, .event):
        guard apps[place].state.runsCode else { return "2: told while \(apps[place].state)" }
        if case .audioStopped = command { apps[place].plays = false }
        if case .motion = command {
          extend(
            place, to: now.advanced(bySeconds: engine.rules.lifecycle.wakeBudget), .motion)
        }
      case .deferralEnded(_, .finished), .deferralEnded(_, .cancelled):
        extend(
          place, to: now.advanced(bySeconds: engine.rules.lifecycle.wakeBudget), .location)
      default: break
      }
    }
    if case .app(let id, let input) = input { noteTask(input, Int(id.number) - 1) }
    if case .utc = input, apps.contains(where: \.hasNotification) {
      return "16: due, and not given"
    }
    return check(engine, at: now)
  }

  private mutating func follow(_ fate: NotificationFate, _ place: Int) -> String? {
    let app = apps[place]
    guard app.hasNotification else { return "16: given, and not scheduled" }
    apps[place].hasNotification = false
    let expected: NotificationFate =
      app.state == .active && !app.isEnding
      ? .handedOver : app.declaration.mayNotify ? .alerted : .notAllowed
    return fate == expected ? nil : "16: \(fate) while \(app.state)"
  }

  private mutating func noteTask(_ input: AppInput, _ place: Int) {
    guard apps[place].state.runsCode, !apps[place].isEnding else { return }
    if input == .life(.beganTask(1)) {
      if !apps[place].isTooLate { apps[place].hasTask = true }
      apps[place].isTooLate = false
    }
    if input == .life(.endedTask(1)) {
      (apps[place].hasTask, apps[place].wasTold) = (false, false)
    }
  }

  private mutating func extend(_ place: Int, to until: EngineInstant, _ reason: WakeReason) {
    guard apps[place].state == .background else { return }
    apps[place].mayRunUntil = apps[place].mayRunUntil.map { max($0, until) } ?? until
  }

  private mutating func follow(
    _ transition: LifecycleTransition, _ place: Int, _ era: Era, _ timing: LifecycleTiming,
    at now: EngineInstant
  ) -> String? {
    let before = apps[place]
    guard before.state == transition.from else {
      return "1: a transition from \(transition.from) while \(before.state)"
    }
    let callbacks = AppCallback.callbacks(for: transition, in: era)
    apps[place].state = transition.to
    apps[place].isEnding =
      transition.to.runsCode
      && (transition.reason == .terminated || transition.reason == .exitsOnSuspend)
    if apps[place].isEnding { apps[place].isFetching = false }
    for callback in callbacks {
      guard Self.allows(callback, after: before.state) else {
        return "1: \(callback.text) after \(before.state)"
      }
    }
    let isSilent: Bool
    switch transition.reason {
    case .purged, .overran, .rebooted, .forceQuit, .exited: isSilent = true
    default: isSilent = false
    }
    if isSilent, callbacks.contains(.willTerminate) { return "7: a killed app is told" }
    if before.state == .suspended, transition.to.runsCode {
      switch transition.reason {
      case .enteredForeground, .woken: break
      default: return "3: runs again, since \(transition.reason.text)"
      }
    }
    switch transition.reason {
    case .woken(let reason) where before.state == .suspended && !mayWake(reason, place),
      .relaunched(let reason) where !mayWake(reason, place):
      return "3: \(transition.reason.text), which nobody brought"
    default: break
    }
    if before.declaration.exitsOnSuspend {
      let isSeen = transition.to.isForeground || transition.to == .notRunning
      guard isSeen else { return "17: \(transition.to), and it has opted out" }
    }
    if before.state == .active || before.state == .inactive {
      switch transition.reason {
      case .purged, .overran, .budgetUsedUp, .nothingHolds:
        return "8: \(transition.reason.text), in front"
      default: break
      }
    }
    if transition.reason == .overran(.task), !before.wasTold { return "6: overrun without a word" }
    switch transition.to {
    case .notRunning, .suspended: apps[place].stops(in: transition.to)
    case .inactive, .active:
      apps[place].keepAliveUntil = nil
      (apps[place].mayRunUntil, apps[place].tasksUntil) = (nil, nil)
      (apps[place].wasTold, apps[place].isFetching) = (false, false)
    case .background where before.state != .background:
      let grace = transition.reason == .leftForeground ? timing.suspendsAfter : timing.exitsAfter
      apps[place].mayRunUntil = now.advanced(bySeconds: grace)
      apps[place].tasksUntil = now.advanced(bySeconds: era.taskBudget)
      if before.state != .suspended { countKeepAlive(place, at: now) }
      switch transition.reason {
      case .relaunched(let reason), .woken(let reason):
        apps[place].mayRunUntil = now.advanced(bySeconds: timing.budget(of: reason))
      default: break
      }
    case .background: break
    }
    return nil
  }

  /// Whether the last input, or a due event before it, is a reason of this kind.
  private func mayWake(_ reason: WakeReason, _ place: Int) -> Bool {
    let asks = apps[place].asks
    let isEvent = brought == .event(UInt32(place + 1), reason)
    return switch reason {
    // Their windows are checked at each input.
    case .fetch: asks.contains(.fetch)
    case .keepAlive: asks.contains(.keepAlive)
    // Deferred updates come at the end of their time.
    case .location: asks.contains(.location) && (brought == .position || brought == .time)
    case .region: asks.contains(.regions) && brought == .position
    // A position, or an assumed rest, can show that a stay is long enough.
    case .visit: asks.contains(.visits) && brought != .nothing
    case .motion: asks.contains(.motion) && brought == .motion
    case .socket: asks.contains(.socket) && (isEvent || brought == .network)
    case .boot: brought == .boot
    case .crash: isEvent || brought == .memory
    case .push, .locationPush, .newsstand, .accessory, .bluetooth: isEvent
    }
  }

  private static func allows(_ callback: AppCallback, after state: AppState) -> Bool {
    switch callback {
    case .didFinishLaunching: state == .notRunning
    case .didBecomeActive: state == .inactive
    case .willResignActive: state == .active
    case .didEnterBackground: state == .inactive || state == .active || state == .notRunning
    case .willEnterForeground: state == .background || state == .suspended
    case .willTerminate: state.runsCode
    }
  }

  private static let isUncalled = "18: not called to keep alive in time"

  /// Checks the rules that hold between two inputs.
  private mutating func check(_ engine: LocationEngine, at now: EngineInstant) -> String? {
    for place in apps.indices {
      let id = AppID(UInt32(place + 1))
      guard let life = engine.life(of: id) else { continue }
      let app = apps[place]
      if life.state != app.state { return "1: \(life.state), and its transitions say \(app.state)" }
      if !life.state.runsCode, life.hasTasks { return "6: \(life.state) with a task" }
      if app.isUncalled(at: now) { return Self.isUncalled }
      guard app.state == .background, !app.isEnding else { continue }
      let isHeard =
        app.plays && app.declaration.mayPlay && !isInCall
        && !apps.contains { $0.state.isForeground && $0.plays }
      if app.plays, app.declaration.mayPlay, life.isHeld != isHeard {
        return "19: \(isHeard ? "not held" : "held") by its audio"
      }
      apps[place].wasHeld = life.isHeld
      if life.isHeld || app.wasHeld {
        // The grace begins anew with its last loss.
        let grace = now.advanced(bySeconds: engine.rules.lifecycle.suspendsAfter)
        apps[place].mayRunUntil = max(app.mayRunUntil ?? grace, grace)
        apps[place].tasksUntil = now.advanced(bySeconds: engine.rules.era.taskBudget)
        apps[place].wasTold = false
        continue
      }
      let limit = app.hasTask ? max(app.tasksUntil ?? now, app.mayRunUntil ?? now) : app.mayRunUntil
      if let limit, limit < now { return "5: still runs \(now.seconds - limit.seconds) s too long" }
    }
    return nil
  }
}
