// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Acts of apps, their users and the system.

extension LocationEngine {
  mutating func app(
    _ id: AppID, _ input: AppInput, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    if case .registered(let declaration) = input {
      return register(id, declaration, into: &commands)
    }
    guard let index = index(of: id) else {
      return commands.append(.ignored(id, input))
    }
    switch input {
    case .life(let step):
      reaching(index, at: now, into: &commands) { engine, commands in
        if step == .launched { engine.apps[index].wasForceQuit = false }
        if step == .forceQuit { engine.apps[index].wasForceQuit = true }
        let before = engine.apps[index].state
        engine.advance(index, step, at: now, into: &commands)
        if step == .purged, before == .suspended {
          engine.relaunchForCalls(index, at: now, into: &commands)
        }
      }
    case .authorized(let authorization):
      reaching(index, at: now, into: &commands) { engine, _ in
        engine.apps[index].declaration.authorization = authorization
        if !authorization.allowsLocation { engine.apps[index].standard?.queued = nil }
      }
    case .startUpdating(let request): startUpdating(index, request, at: now, into: &commands)
    case .requestLocation(let accuracy):
      requestLocation(index, accuracy, at: now, into: &commands)
    case .stopUpdating:
      endDeferral(of: index, .cancelled, at: now, into: &commands)
      (apps[index].standard, apps[index].single) = (nil, nil)
    case .deferUpdates(let deferral): deferUpdates(index, deferral, at: now, into: &commands)
    case .startMonitoringSignificantChanges: startMonitoring(index, at: now, into: &commands)
    case .stopMonitoringSignificantChanges: apps[index].significant = nil
    case .setFetchInterval(let interval):
      setFetch(index, every: interval, at: now, into: &commands)
    case .setKeepAlive(let interval):
      setKeepAlive(index, every: interval, at: now, into: &commands)
    case .watchSocket(let isOn): watchSocket(index, isOn, into: &commands)
    case .playAudio(let isOn): playAudio(index, isOn, into: &commands)
    case .schedule(let notification, let utc):
      schedule(notification, for: index, at: utc, into: &commands)
    case .cancelNotification(let identifier): apps[index].work?.notifications.cancel(identifier)
    case .usesMemory(let megabytes): apps[index].memory = megabytes
    case .event(let reason): event(reason, for: index, at: now, into: &commands)
    case .heading(let wish): setHeading(index, wish, at: now, into: &commands)
    case .startMonitoringMotion: apps[index].monitorsMotion = true
    case .stopMonitoringMotion: apps[index].monitorsMotion = false
    case .place(let input): place(index, input, at: now, into: &commands)
    case .removed: remove(index, at: now, into: &commands)
    case .declared(let declaration):
      let former = apps[index].declaration
      apps[index].declaration = declaration
      apps[index].declaration.authorization = former.authorization
      if former.accuracy != .reduced { reduceVisits(of: index, at: now) }
      apps[index].follow(rules: rules)
    case .registered: break
    }
  }

  /// Looks at once if a change lets events reach an app that they did not reach before: it may have missed some.
  private mutating func reaching(
    _ index: Int, at now: EngineInstant, into commands: inout [EngineCommand],
    _ change: (inout Self, inout [EngineCommand]) -> Void
  ) {
    let wasReachable = apps[index].isReachable(in: rules.era, on: device)
    change(&self, &commands)
    guard !wasReachable, apps[index].isReachable(in: rules.era, on: device) else { return }
    if isLooking { tellPolicy(.began, at: now, into: &commands) }
    if apps[index].hasPlaces { lookSoon(at: now) }
  }

  private mutating func register(
    _ id: AppID, _ declaration: AppDeclaration, into commands: inout [EngineCommand]
  ) {
    guard apps.count < EngineRules.appLimit, !apps.contains(where: { $0.id == id }) else {
      return commands.append(.ignored(id, .registered(declaration)))
    }
    apps.append(EngineApp(id, declaration, by: rules))
  }

  /// Forgets an app. Everything that the app left behind is undone: its process, its share in the policy, and (when the
  /// input is settled) in the receiver's plan and the triggers.
  private mutating func remove(
    _ index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    let app = apps.remove(at: index)
    if app.state != .notRunning {
      commands.append(
        .transition(app.id, .init(from: app.state, to: .notRunning, reason: .terminated)))
    }
  }

  private mutating func startUpdating(
    _ index: Int, _ request: StandardRequest, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    guard apps[index].state.runsCode, !apps[index].isExiting else {
      return commands.append(.ignored(apps[index].id, .startUpdating(request)))
    }
    askUser(index, into: &commands)
    let wasAsked = isAskedByApps(at: now)
    if apps[index].standard?.phase == .updating {
      apps[index].standard?.change(to: request, at: now, by: rules)
      endDeferralIfObstructed(index, at: now, into: &commands)
      return askNetwork(unless: wasAsked, at: now, into: &commands)
    }
    let service = StandardService(
      request, at: now, isSeen: apps[index].state != .background, by: rules)
    apps[index].standard = service
    askNetwork(unless: wasAsked, at: now, into: &commands)
    if let lastKnown, apps[index].mayHear(service.unseenSince, in: rules.era) {
      deliver(
        lastKnown, to: index, self.service(of: index), isCached: true,
        into: &commands)
    }
  }

  /// A newer request replaces a pending one, and its time begins anew.
  private mutating func requestLocation(
    _ index: Int, _ accuracy: Double, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard apps[index].state.runsCode, !apps[index].isExiting else {
      return commands.append(.ignored(apps[index].id, .requestLocation(accuracy: accuracy)))
    }
    askUser(index, into: &commands)
    let wasAsked = isAskedByApps(at: now)
    apps[index].single = SingleRequest(
      accuracy, until: now.advanced(bySeconds: rules.requestTimeout),
      unseenSince: apps[index].state == .background ? now : nil)
    askNetwork(unless: wasAsked, at: now, into: &commands)
  }

  /// A service starts: in eras that ask then, the user is asked if nothing has been decided.
  func askUser(_ index: Int, into commands: inout [EngineCommand]) {
    guard rules.era.asksAtStart, apps[index].declaration.authorization == .notDetermined else {
      return
    }
    commands.append(.asksUser(apps[index].id))
  }

  /// Starts monitoring, in any state since it outlives the process; only an app that runs code gets a cached position.
  private mutating func startMonitoring(
    _ index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard apps[index].significant == nil else { return }
    askUser(index, into: &commands)
    apps[index].significant = SignificantService(since: now)
    if let lastKnown, apps[index].state.runsCode, mayBeTold(index) == .delivered {
      deliver(lastKnown, to: index, .significant, isCached: true, into: &commands)
    }
    if isLooking { tellPolicy(.began, at: now, into: &commands) }
  }

  /// Gives a life cycle one input and passes its transitions on.
  mutating func advance(
    _ index: Int, _ input: LifecycleInput, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    var transitions: [LifecycleTransition] = []
    let expiring = apps[index].lifecycle.handle(input, at: now, into: &transitions)
    if !expiring.isEmpty {
      // Tasks that time ended have the rest of it; a task that came too late has none.
      let seconds = input == .timePassed ? apps[index].lifecycle.timeForTasks(at: now) : 0
      commands.append(.tasksExpire(apps[index].id, expiring, seconds: seconds))
    }
    for transition in transitions {
      commands.append(.transition(apps[index].id, transition))
      followWork(index, transition, at: now)
      // An app that is told to end hears of no place any more.
      if transition.to == .notRunning || transition.announcesEnd {
        (apps[index].standard, apps[index].single, apps[index].heading) = (nil, nil, nil)
        dropQuestions(of: index)
      }
      switch transition.to {
      case .notRunning: break
      case .inactive, .active:
        apps[index].standard?.unseenSince = nil
        apps[index].single?.unseenSince = nil
        apps[index].heading?.unseenSince = nil
      case .background, .suspended: break
      }
      if transition.from == .suspended {
        deliverQueued(index, at: now, into: &commands)
        if transition.to != .notRunning { answerQuestions(of: index, at: now, into: &commands) }
      }
    }
  }

  /// Makes an app run code if the rules allow it; returns whether it now does. An app that is being terminated cannot
  /// be woken: events for it count as events for an app that does not run, and cannot launch it yet.
  mutating func wake(
    _ index: Int, for reason: WakeReason, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    if let why = apps[index].refusal(of: reason, in: rules.era, on: device) {
      commands.append(.notWoken(apps[index].id, reason, why))
      return false
    }
    if apps[index].isExiting {
      commands.append(.notWoken(apps[index].id, reason, .isEnding))
      return false
    }
    switch apps[index].state {
    case .inactive, .active: return true
    case .background, .suspended:
      advance(index, .woken(reason), at: now, into: &commands)
      return true
    case .notRunning:
      advance(index, .relaunched(reason), at: now, into: &commands)
      commands.append(.launch(apps[index].id, LaunchOptions(reason: reason)))
      return true
    }
  }

  private mutating func deliverQueued(
    _ index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard let queued = apps[index].standard?.queued else { return }
    apps[index].standard?.queued = nil
    guard apps[index].mayHear(apps[index].standard?.unseenSince, in: rules.era),
      let verdict = apps[index].standard?.take(
        fix: queued, around: LocalFrame(origin: queued.coordinate), at: now) ?? nil
    else { return }
    report(verdict, on: queued, index, service(of: index), into: &commands)
    guard verdict.outcome == .delivered else { return }
    deliver(
      queued, to: index, service(of: index), isCached: false, moved: verdict.moved,
      since: verdict.since, into: &commands)
  }
}
