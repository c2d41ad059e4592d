// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationEngine
import LocationModel

// What must hold of every app's life, seen from outside: from the engine's commands alone, and by a count of
// its own.
//
// 1. Callbacks come in order, each only where the one before allows it.
// 2. Nothing is told to an app that runs no code, and no call to one that is being terminated.
// 3. A suspended app runs only by its user, by an event that came in, or by work that was due.
// 4. One input launches an app once at most, and only one that does not run.
// 5. In the background, with nothing that holds it, an app runs no longer than its grace, its last wake, its
//    handler or its tasks allow, whichever is longest.
// 6. It is told that its tasks end before they are overrun; with its process all tasks are over, and a
//    suspended app has none. One that is told that it came too late has none either.
// 7. A purged app, one that is killed, and one that the device's restart took never hear `willTerminate`.
// 8. One that is in front is never suspended, purged or overrun.
// 9. Two apps never fetch at once in the background; the fetch of one that is being terminated is over.

/// Watches the lives of some apps.
struct LifeWatch: Hashable {
  private var apps: [Watched]

  private struct Watched: Hashable {
    var state = AppState.notRunning
    var isEnding = false
    /// Until when it may run in the background, with tasks and without; `nil` in front, and where it does
    /// not run.
    var mayRunUntil: EngineInstant?
    var tasksUntil: EngineInstant?
    var wasTold = false
    var hasTask = false
    var isFetching = false
    var wasHeld = false
    /// Whether the task that it begins now came too late.
    var isTooLate = false
  }

  private var lastInput: EngineInputKind = .other

  private enum EngineInputKind: Hashable {
    case time, event(UInt32), user(UInt32), other
  }

  init(apps count: Int) { apps = Array(repeating: Watched(), count: count) }

  /// An input comes; what was due before it is told first.
  mutating func heard(_ input: EngineInput) {
    if case .app(let id, .life(.returned(.fetch))) = input {
      apps[Int(id.number) - 1].isFetching = false
    }
    switch input {
    case .timePassed: lastInput = .time
    case .app(let id, .event), .app(let id, .life(.woken)): lastInput = .event(id.number)
    case .app(let id, _): lastInput = .user(id.number)
    default: lastInput = .other
    }
  }

  /// The same as if `now` were the beginning of the axis.
  func relative(to now: EngineInstant) -> Self {
    var watch = self
    watch.lastInput = .other
    for index in apps.indices {
      func relative(_ instant: EngineInstant?) -> EngineInstant? {
        instant.map {
          EngineInstant(microseconds: max(-1, $0.microseconds - now.microseconds))
        }
      }
      watch.apps[index].mayRunUntil = relative(apps[index].mayRunUntil)
      watch.apps[index].tasksUntil = relative(apps[index].tasksUntil)
    }
    return watch
  }

  /// Takes what one input led to; answers the rule that it broke.
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
        if seconds.isFinite { extend(place, to: now.advanced(bySeconds: seconds), reason) }
      case .tasksExpire(_, _, seconds: 0):
        guard !apps[place].hasTask else { return "6: too late, with another task under way" }
        apps[place].isTooLate = true
      case .tasksExpire:
        guard apps[place].hasTask else { return "6: told of the end of tasks that it has not" }
        apps[place].wasTold = true
      case .motion, .deliver, .paused, .requestFailed, .audioStopped:
        guard apps[place].state.runsCode else { return "2: told while \(apps[place].state)" }
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
    return check(engine, at: now)
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
      transition.to == .background
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
      if case .woken(let reason) = transition.reason, !mayWake(reason, place) {
        return "3: woken by \(reason.rawValue), which nobody brought"
      }
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
    case .notRunning, .suspended: apps[place] = Watched(state: transition.to)
    case .inactive, .active:
      (apps[place].mayRunUntil, apps[place].tasksUntil) = (nil, nil)
      (apps[place].wasTold, apps[place].isFetching) = (false, false)
    case .background where before.state != .background:
      let grace = transition.reason == .leftForeground ? timing.suspendsAfter : timing.exitsAfter
      apps[place].mayRunUntil = now.advanced(bySeconds: grace)
      apps[place].tasksUntil = now.advanced(bySeconds: era.taskBudget)
      if case .relaunched(let reason) = transition.reason {
        apps[place].mayRunUntil = now.advanced(bySeconds: timing.budget(of: reason))
      }
      if case .woken(let reason) = transition.reason {
        apps[place].mayRunUntil = now.advanced(bySeconds: timing.budget(of: reason))
      }
    case .background: break
    }
    return nil
  }

  private func mayWake(_ reason: WakeReason, _ place: Int) -> Bool {
    switch lastInput {
    // Updates that are kept back come when their time is over.
    case .time: reason == .fetch || reason == .keepAlive || reason == .location
    case .event(let number): Int(number) - 1 == place
    case .user: reason == .fetch || reason == .keepAlive
    case .other: true
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

  /// What must hold between two inputs.
  private mutating func check(_ engine: LocationEngine, at now: EngineInstant) -> String? {
    for place in apps.indices {
      let id = AppID(UInt32(place + 1))
      guard let life = engine.life(of: id) else { continue }
      let app = apps[place]
      if life.state != app.state { return "1: \(life.state), and its transitions say \(app.state)" }
      if !life.state.runsCode, life.hasTasks { return "6: \(life.state) with a task" }
      guard app.state == .background, !app.isEnding else { continue }
      apps[place].wasHeld = life.isHeld
      if life.isHeld || app.wasHeld {
        // What it loses last counts anew.
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
