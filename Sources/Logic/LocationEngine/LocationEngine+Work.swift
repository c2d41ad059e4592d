// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Background work of apps besides locations: fetches, keep-alives, sockets, audio, and events that arrive for them.
// `PeriodicWork` decides when a fetch or a keep-alive is due, `WakeTerms` what may wake an app.
//
// A request may arrive just after its app was suspended or ended: work that outlives the process (fetches,
// notifications) counts in any state, work that ends with it (keep-alive, socket) only while there is a process. Only
// audio cannot begin without running code.
//
// A request for calls whose mode the app does not declare, or that the era lacks, has no effect whatever, neither on the
// app nor on the windows and wakes of others: it is remembered, since the declaration may change, and refused at once.

extension LocationEngine {
  /// Handles an event that arrives for an app, such as a push.
  mutating func event(
    _ reason: WakeReason, for index: Int, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    let id = apps[index].id
    if let why = apps[index].refusal(of: reason, in: rules.era, on: device) {
      return commands.append(.notWoken(id, reason, why))
    }
    guard (apps[index].work ?? BackgroundWork()).hasAsked(for: reason) else {
      return commands.append(.notWoken(id, reason, .notAsked))
    }
    if reason == .fetch, mustWaitToFetch(index) {
      apps[index].work?.fetch?.comeDue(at: now)
      return
    }
    guard call(index, for: reason, at: now, into: &commands), reason == .fetch else { return }
    apps[index].work?.fetch?.called(at: now)
  }

  /// Whether another app fetches. An app in the foreground does its own work and waits for no other.
  private func mustWaitToFetch(_ index: Int) -> Bool {
    canBeCalled(index, for: .fetch)
      && apps.contains { $0.id != apps[index].id && $0.lifecycle.isHandling(.fetch) }
  }

  mutating func setFetch(
    _ index: Int, every interval: Double?, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    changeWork(of: index) { work in
      guard work.fetch == nil || work.fetch?.interval != interval else { return }
      work.fetch = interval.map { .fetch($0, since: now) }
    }
    if interval != nil { refuseUnlessOffered(.fetch, index, into: &commands) }
  }

  /// Says why the app will never be called for that reason, if so.
  private func refuseUnlessOffered(
    _ reason: WakeReason, _ index: Int, into commands: inout [EngineCommand]
  ) {
    guard let why = apps[index].lack(of: reason, in: rules.era) else { return }
    commands.append(.notWoken(apps[index].id, reason, why))
  }

  mutating func setKeepAlive(
    _ index: Int, every interval: Double?, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    guard apps[index].state != .notRunning else {
      return commands.append(.ignored(apps[index].id, .setKeepAlive(interval)))
    }
    changeWork(of: index) { work in
      guard work.keepAlive == nil || work.keepAlive?.interval != interval else { return }
      work.keepAlive = interval.map { .keepAlive($0, since: now) }
    }
    if interval != nil { refuseUnlessOffered(.keepAlive, index, into: &commands) }
  }

  mutating func watchSocket(_ index: Int, _ isOn: Bool, into commands: inout [EngineCommand]) {
    guard apps[index].state != .notRunning else {
      return commands.append(.ignored(apps[index].id, .watchSocket(isOn)))
    }
    changeWork(of: index) { $0.watchesSocket = isOn }
    if isOn { refuseUnlessOffered(.socket, index, into: &commands) }
  }

  mutating func playAudio(_ index: Int, _ isOn: Bool, into commands: inout [EngineCommand]) {
    guard apps[index].state.runsCode || !isOn else {
      return commands.append(.ignored(apps[index].id, .playAudio(isOn)))
    }
    changeWork(of: index) { $0.playsAudio = isOn }
  }

  /// Applies a change of state to background work.
  mutating func followWork(
    _ index: Int, _ transition: LifecycleTransition, at now: EngineInstant
  ) {
    guard apps[index].work != nil else { return }
    switch transition.to {
    case .notRunning: apps[index].work?.processEnded()
    case .active where transition.reason == .launched || transition.reason == .enteredForeground:
      apps[index].work?.hours.opened(at: now)
    case .background where transition.from != .suspended:
      apps[index].work?.keepAlive?.called(at: now)
    case .inactive, .active, .background, .suspended: break
    }
  }

  /// Ends audio that must stop: a call has priority over all audio, the foreground over the background, and without the
  /// declared mode there is none in the background.
  mutating func endAudio(into commands: inout [EngineCommand]) {
    let frontPlays = apps.contains { $0.plays && $0.state.isForeground }
    for index in apps.indices where apps[index].plays {
      let why: AudioEnd
      if device.isInCall {
        why = .call
      } else if apps[index].state.isForeground {
        continue
      } else if !apps[index].declaration.modes.contains(.audio) {
        why = .notDeclared
      } else if frontPlays {
        why = .frontPlays
      } else {
        continue
      }
      apps[index].work?.playsAudio = false
      commands.append(.audioStopped(apps[index].id, why))
    }
  }

  private mutating func changeWork(of index: Int, _ body: (inout BackgroundWork) -> Void) {
    var work = apps[index].work ?? BackgroundWork()
    body(&work)
    apps[index].work = work
  }

  // MARK: Notifications

  mutating func schedule(
    _ notification: LocalNotification, for index: Int, at utc: UTCInstant,
    into commands: inout [EngineCommand]
  ) {
    var hasRoom = true
    changeWork(of: index) { hasRoom = $0.notifications.add(notification: notification, at: utc) }
    if !hasRoom { commands.append(.notify(apps[index].id, notification, .noRoom)) }
    notify(at: utc, into: &commands)
  }

  /// Gives the notifications that are due. This runs no code of the app.
  mutating func notify(at utc: UTCInstant, into commands: inout [EngineCommand]) {
    for index in apps.indices {
      for notification in apps[index].work?.notifications.takeDue(at: utc) ?? [] {
        let isAllowed = apps[index].declaration.mayNotify || !rules.era.asksForNotifications
        let fate: NotificationFate =
          apps[index].state == .active && !apps[index].isExiting
          ? .handedOver : isAllowed ? .alerted : .notAllowed
        commands.append(.notify(apps[index].id, notification, fate))
      }
    }
  }

  // MARK: Periodic work

  /// The next check of fetches and keep-alives: if the processor runs anyway, when a window opens; else
  /// when one closes.
  func workDeadline(of index: Int, runsCode: Bool) -> EngineInstant? {
    guard let work = apps[index].work else { return nil }
    var first: EngineInstant?
    if canBeCalled(index, for: .fetch), !isFetching, let window = work.fetchWindow {
      first = runsCode ? window.opens : window.closes
    }
    if canBeCalled(index, for: .keepAlive), let window = work.keepAliveWindow {
      first = .earlier(first, runsCode ? window.opens : window.closes)
    }
    return first
  }

  /// Whether the app may have such calls, and its state leaves the work to the system: in the foreground an app does its
  /// own.
  private func canBeCalled(_ index: Int, for reason: WakeReason) -> Bool {
    guard !apps[index].isExiting, apps[index].lack(of: reason, in: rules.era) == nil else {
      return false
    }
    return switch apps[index].state {
    case .inactive, .active: false
    case .notRunning: reason == .fetch
    case .background, .suspended: !apps[index].lifecycle.isHandling(reason)
    }
  }

  private var isFetching: Bool { apps.contains { $0.lifecycle.isHandling(.fetch) } }

  /// Calls everything whose window is open, if one has closed or the processor runs.
  mutating func doWork(at now: EngineInstant, into commands: inout [EngineCommand]) {
    let isDue = apps.indices.contains { index in
      workDeadline(of: index, runsCode: runsCode).map { $0 <= now } ?? false
    }
    guard isDue else { return }
    var called = 0
    for index in apps.indices {
      guard let window = apps[index].work?.keepAliveWindow, window.opens <= now,
        canBeCalled(index, for: .keepAlive)
      else { continue }
      apps[index].work?.keepAlive?.called(at: now)
      if call(index, for: .keepAlive, at: now, into: &commands) { called += 1 }
    }
    if let index = nextFetch(at: now) {
      apps[index].work?.fetch?.called(at: now)
      if call(index, for: .fetch, at: now, into: &commands) { called += 1 }
    }
    guard called > 0 else { return }
    periodic.calls += called
    if !runsCode { periodic.wakes += 1 }
  }

  /// The app whose fetch has been possible for longest; `nil` while one is under way.
  private func nextFetch(at now: EngineInstant) -> Int? {
    guard !isFetching else { return nil }
    return apps.indices.filter { index in
      canBeCalled(index, for: .fetch)
        && apps[index].work?.fetchWindow.map { $0.opens <= now } ?? false
    }.min { a, b in
      guard let a = apps[a].work?.fetchWindow, let b = apps[b].work?.fetchWindow else {
        return false
      }
      return a.opens < b.opens
    }
  }

  /// Wakes or launches an app for work that is not a location, and reports it; returns whether it did.
  private mutating func call(
    _ index: Int, for reason: WakeReason, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    guard wake(index, for: reason, at: now, into: &commands) else { return false }
    let seconds = apps[index].state == .background ? rules.lifecycle.budget(of: reason) : .infinity
    commands.append(.work(apps[index].id, reason, seconds: seconds))
    return true
  }

  // MARK: The device

  /// Ends all processes with the device; work that fell due meanwhile comes after that.
  mutating func endAll(
    isLocked: Bool, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    (device.isLocked, device.isInCall) = (isLocked, false)
    rebootedAt = now
    for index in apps.indices { advance(index, .rebooted, at: now, into: &commands) }
  }

  /// Applies an event of the device; its start has ended all processes (`endAll`).
  mutating func happened(
    _ event: DeviceEvent, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    switch event {
    case .lowPower(let isOn): device.isLowPower = isOn
    case .backgroundRefresh(let isOn): device.refreshIsOff = !isOn
    case .unlocked: device.isLocked = false
    case .call(let isOn):
      device.isInCall = isOn
      for index in apps.indices {
        advance(index, isOn ? .resignedActive : .becameActive, at: now, into: &commands)
      }
    case .networkChanged:
      for index in apps.indices
      where apps[index].isWatchedFor(in: rules.era) && apps[index].work?.watchesSocket == true
        && apps[index].state == .suspended
      {
        _ = call(index, for: .socket, at: now, into: &commands)
      }
    case .memoryNeeded(let megabytes):
      let purged = free(megabytes, at: now, into: &commands)
      for index in purged { relaunchForCalls(index, at: now, into: &commands) }
    case .rebooted:
      for index in apps.indices where apps[index].declaration.modes.contains(.voip) {
        _ = call(index, for: .boot, at: now, into: &commands)
      }
    }
  }

  /// Megabytes that a need of memory could take now.
  package var memoryToTake: Double {
    apps.lazy.filter { $0.givesMemory(in: .suspended) || $0.givesMemory(in: .background) }
      .reduce(0) { $0 + $1.memory }
  }

  /// Launches an app for calls again whose memory was taken: it did not end by itself.
  mutating func relaunchForCalls(
    _ index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard apps[index].lack(of: .crash, in: rules.era) == nil else { return }
    _ = call(index, for: .crash, at: now, into: &commands)
  }

  /// Suspended apps go first, the largest first, and of equals the one suspended for longest; then those in the
  /// background, which are told. The foreground is left alone, and an app without a process has no memory to free.
  /// Returns the purged apps.
  private mutating func free(
    _ megabytes: Double, at now: EngineInstant, into commands: inout [EngineCommand]
  ) -> [Int] {
    var purged: [Int] = []
    // Those that are ending free theirs anyway.
    var missing =
      megabytes - apps.lazy.filter(\.isExiting).reduce(0) { $0 + $1.memory }
    for state in [AppState.suspended, .background] {
      let victims = apps.indices.filter { apps[$0].givesMemory(in: state) }.sorted { a, b in
        let (a, b) = (apps[a], apps[b])
        if a.memory != b.memory { return a.memory > b.memory }
        return a.lifecycle.suspendedSince ?? .zero < b.lifecycle.suspendedSince ?? .zero
      }
      for (place, index) in victims.enumerated() where missing > 0 {
        let left = victims[place...]
        let turn = MemoryTurn(
          megabytes: apps[index].memory, state: state, candidates: left.count,
          equals: left.count { apps[$0].memory == apps[index].memory })
        commands.append(.memoryTaken(apps[index].id, turn))
        missing -= apps[index].memory
        advance(index, state == .suspended ? .purged : .terminated, at: now, into: &commands)
        if state == .suspended { purged.append(index) }
      }
    }
    return purged
  }
}

/// The number of periodic calls, and of processor wakes for them.
package struct PeriodicCount: Sendable, Equatable, Codable {
  /// Fetches and keep-alives begun.
  package var calls = 0
  /// Wakes of a sleeping processor; all other calls shared one, or ran while it was awake.
  package var wakes = 0

  /// Wakes saved by sharing.
  package var saved: Int { calls - wakes }
}
