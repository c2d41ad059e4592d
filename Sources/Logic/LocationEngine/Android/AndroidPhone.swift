// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// A phone with Android: the lives of its apps (`AndroidApp`), its sleep (`Doze`), the work that they scheduled
// (`WorkTurn`) and what they ask of the fused provider (`FusedClient`). Each is decided by its own value; here they meet:
//
//   what apps do ──► AndroidApp ──► access ──┐
//   screen, charger, motion ──► Doze ────────┼──► need ──► receiver, Wi-Fi, cells
//   battery saver ───────────────────────────┘
//   a position ──► each FusedClient ──► told (a `PendingIntent` wakes its app)
//   time ──► WorkTurn ──► woken, or why not
//
// - In deep Doze nothing is asked of Wi-Fi and cells; the receiver runs for who has full access (doc: a phone that rests
//   needs none, and moves out of Doze when it moves).
// - With the battery saver on and the screen off, by release, the receiver is off, or nobody has a location, or only
//   apps that are seen or have a foreground service.
// - A callback's request ends with its process; that of a `PendingIntent` is a promise.
// - `getCurrentLocation` asks at once, beside the request, and is over with the first location or after `patience`. The
//   background's limit counts for it (AOSP 11, `LocationManagerService.getCurrentLocation`: none where the latest is
//   younger than the throttle).

/// An input of the phone.
package enum AndroidInput: Sendable, Hashable {
  case app(AppID, AndroidAppInput)
  case bucket(AppID, StandbyBucket)
  /// `nil` takes the request back.
  case requested(AppID, FusedRequest?)
  /// `getCurrentLocation`: one location, for a callback, or none.
  case askedOnce(AppID, FusedPriority)
  case scheduled(AppID, ScheduledWork)
  case screen(isOn: Bool)
  case charging(Bool)
  case saver(isOn: Bool)
  case moved
  case dozed(DozeMode)
  case rebooted
  case timePassed
}

/// What the phone does.
package enum AndroidEvent: Sendable, Equatable {
  case state(AppID, from: AndroidAppState, to: AndroidAppState)
  case woken(AppID, AndroidWake)
  case notWoken(AppID, AndroidWake, AndroidObstacle)
  case serviceRefused(AppID, AndroidObstacle)
  case told(AppID, [Fix])
  case notTold(AppID, FusedVerdict)
  case need(FusedNeed)
  case dozed(DozeMode)
}

/// A phone with Android.
package struct AndroidPhone: Sendable, Equatable {
  package let release: AndroidRelease
  private var apps: [AppRecord] = []
  private var doze: Doze
  private var isSaving = false
  private var need = FusedNeed()

  /// An app, and all that is kept for it.
  private struct AppRecord: Sendable, Equatable {
    let id: AppID
    var life: AndroidApp
    let isApproximate: Bool
    var bucket = StandbyBucket.active
    var client: FusedClient? {
      didSet { toldAt = client?.toldAt ?? toldAt }
    }
    /// Its open `getCurrentLocation`, and when that is given up.
    var once: Once?
    /// When it was last told a location, or got one that is kept for it.
    var toldAt: EngineInstant?
    var turns: [WorkTurn] = []
    var jobs = QuotaLedger()
    var alarms = QuotaLedger()
  }

  private struct Once: Sendable, Equatable {
    var client: FusedClient
    let until: EngineInstant
  }

  package init(release: AndroidRelease) {
    self.release = release
    doze = Doze(release: release)
  }

  /// Adds an app that does not run.
  package mutating func install(
    _ id: AppID, _ permission: AndroidPermission, isApproximate: Bool = false
  ) {
    let life = AndroidApp(release: release, permission: permission)
    apps.append(AppRecord(id: id, life: life, isApproximate: isApproximate))
  }

  // MARK: What can be asked

  package func life(of id: AppID) -> AndroidApp? { apps.first { $0.id == id }?.life }
  package func request(of id: AppID) -> FusedRequest? {
    apps.first { $0.id == id }?.client?.request
  }
  package var mode: DozeMode { doze.mode }
  package var isScreenOff: Bool { doze.isScreenOff }
  package var currentNeed: FusedNeed { need }

  /// The location that an app has for its request, or for a callback.
  package func access(of id: AppID) -> AndroidAccess? {
    apps.first { $0.id == id }.map { access(of: $0) }
  }

  private func access(of app: AppRecord) -> AndroidAccess {
    access(of: app, isPending: app.client?.request.isPending ?? false)
  }

  private func access(of app: AppRecord, isPending: Bool) -> AndroidAccess {
    let access = app.life.access(isPending: isPending)
    guard isSaving, doze.isScreenOff else { return access }
    if case .none = access { return access }
    switch release.saverLocation {
    case .receiverOffWithScreen: return access
    case .nothingWithScreenOff: return .none(.batterySaver)
    case .seenAppsOnly:
      let isSeen = app.life.state.isSeen || app.life.hasForegroundService
      return isSeen ? access : .none(.batterySaver)
    }
  }

  /// The instant at which time alone will change something.
  package var nextDeadline: EngineInstant? {
    apps.reduce(doze.nextDeadline) { soonest, app in
      var soonest = EngineInstant.earlier(soonest, app.life.nextDeadline)
      soonest = .earlier(soonest, .earlier(app.client?.nextDeadline, app.once?.until))
      for turn in app.turns { soonest = .earlier(soonest, runsAt(turn, of: app)) }
      return soonest
    }
  }

  /// When the work runs, or is found to wait, if nothing else changes; `nil` if it waits for something else than time.
  private func runsAt(_ turn: WorkTurn, of app: AppRecord) -> EngineInstant? {
    if turn.isUntold { return turn.due }
    if app.life.obstacle(to: turn.work.wake) != nil { return nil }
    let at = max(turn.due, allowed(turn.work, of: app, at: turn.due))
    if turn.obstacle(doze.mode, bucket: app.bucket, allowedAt: at, at: at) == nil { return at }
    return turn.freeInDoze(doze.mode).map { max($0, at) }
  }

  // MARK: What it hears

  package mutating func handle(
    _ input: AndroidInput, at now: EngineInstant, into events: inout [AndroidEvent]
  ) {
    let (mode, states) = (doze.mode, apps.map(\.life.state))
    switch input {
    case .app(let id, let said): if let place = place(of: id) { heard(said, place, now, &events) }
    case .bucket(let id, let bucket): if let place = place(of: id) { apps[place].bucket = bucket }
    case .requested(let id, let request):
      if let place = place(of: id) { asked(request, place, at: now) }
    case .askedOnce(let id, let priority):
      if let place = place(of: id) { askOnce(priority, place, at: now) }
    case .scheduled(let id, let work):
      if let place = place(of: id) { schedule(work, place, at: now) }
    case .screen(let isOn): doze.screen(isOn: isOn, at: now)
    case .charging(let isCharging): doze.charging(isCharging, at: now)
    case .saver(let isOn): isSaving = isOn
    case .moved: doze.moved(at: now)
    case .dozed(let mode): doze.force(mode, at: now)
    case .rebooted: for place in apps.indices { heard(.rebooted, place, now, &events) }
    case .timePassed: break
    }
    doze.pass(to: now)
    for place in apps.indices { pass(place, to: now, &events) }
    if doze.mode != mode { events.append(.dozed(doze.mode)) }
    noteChanges(since: states, &events)
  }

  private mutating func noteChanges(
    since states: [AndroidAppState], _ events: inout [AndroidEvent]
  ) {
    for (place, before) in states.enumerated() where apps[place].life.state != before {
      events.append(.state(apps[place].id, from: before, to: apps[place].life.state))
    }
    let needed = merged()
    if needed != need {
      need = needed
      events.append(.need(need))
    }
  }

  /// Offers a position of any source to all requests.
  package mutating func offer(_ fix: Fix, at now: EngineInstant, into events: inout [AndroidEvent])
  {
    let states = apps.map(\.life.state)
    for place in apps.indices {
      offerOnce(fix, place, now, &events)
      guard var client = apps[place].client else { continue }
      var told: [Fix] = []
      let verdict = client.offer(
        fix, access(of: apps[place]), isApproximate: apps[place].isApproximate, at: now,
        told: &told)
      apps[place].client = client
      if client.toldAt == now { apps[place].once?.client.appWasTold(at: now) }
      if told.isEmpty {
        events.append(.notTold(apps[place].id, verdict))
      } else {
        tell(told, place, now, &events)
      }
    }
    noteChanges(since: states, &events)
  }

  /// Offers it to an open `getCurrentLocation`, which is over with it.
  private mutating func offerOnce(
    _ fix: Fix, _ place: Int, _ now: EngineInstant, _ events: inout [AndroidEvent]
  ) {
    guard var once = apps[place].once else { return }
    var told: [Fix] = []
    let access = access(of: apps[place], isPending: false)
    _ = once.client.offer(
      fix, access, isApproximate: apps[place].isApproximate, at: now, told: &told)
    guard !told.isEmpty else { return }
    apps[place].toldAt = once.client.toldAt
    apps[place].once = nil
    apps[place].client?.appWasTold(at: now)
    events.append(.told(apps[place].id, told))
  }

  private func place(of id: AppID) -> Int? { apps.firstIndex { $0.id == id } }

  private mutating func heard(
    _ said: AndroidAppInput, _ place: Int, _ now: EngineInstant, _ events: inout [AndroidEvent]
  ) {
    let before = apps[place].life.state
    let refusal = apps[place].life.handle(said, at: now)
    let id = apps[place].id
    switch said {
    case .woken(let wake):
      events.append(refusal.map { .notWoken(id, wake, $0) } ?? .woken(id, wake))
    case .startedService: if let refusal { events.append(.serviceRefused(id, refusal)) }
    case .opened, .covered, .left, .swipedAway, .finished, .startedPlainService, .endedService,
      .stoppedByUser, .forceStopped, .memoryTaken, .crashed, .rebooted, .registered, .cancelled,
      .permitted, .timePassed:
      break
    }
    forget(place, hadProcess: before != .notRunning && before != .stopped)
  }

  /// Drops what ended with a process, or with a promise.
  private mutating func forget(_ place: Int, hadProcess: Bool) {
    let life = apps[place].life
    let hasProcess = life.state != .notRunning && life.state != .stopped
    if !hasProcess { apps[place].once = nil }
    if let request = apps[place].client?.request {
      let isLost = request.isPending ? !life.promises.contains(.location) : !hasProcess
      if isLost { apps[place].client = nil }
    }
    apps[place].turns.removeAll { turn in
      turn.work.wake.promise.map { !life.promises.contains($0) } ?? false
    }
  }

  private mutating func asked(_ request: FusedRequest?, _ place: Int, at now: EngineInstant) {
    guard apps[place].life.state.runsCode else { return }
    let before = apps[place].toldAt
    apps[place].client = request.map { FusedClient($0, before: before) }
    let isPending = request?.isPending ?? false
    apps[place].life.handle(
      isPending ? .registered(.location) : .cancelled(.location), at: now)
  }

  /// Seconds for which `getCurrentLocation` waits (AOSP `LocationManagerService`, GET_CURRENT_LOCATION_MAX_TIMEOUT_MS).
  package static let patience = 30.0

  private mutating func askOnce(_ priority: FusedPriority, _ place: Int, at now: EngineInstant) {
    guard apps[place].life.state.runsCode else { return }
    apps[place].once = Once(
      client: FusedClient(FusedRequest(priority, every: 1), before: apps[place].toldAt),
      until: now.advanced(bySeconds: Self.patience))
  }

  private mutating func schedule(_ work: ScheduledWork, _ place: Int, at now: EngineInstant) {
    guard apps[place].life.state.runsCode, let promise = work.wake.promise else { return }
    apps[place].life.handle(.registered(promise), at: now)
    apps[place].turns.removeAll { $0.work.wake.promise == promise }
    apps[place].turns.append(WorkTurn(work, at: now))
  }

  // MARK: Time

  private mutating func pass(_ place: Int, to now: EngineInstant, _ events: inout [AndroidEvent]) {
    apps[place].life.handle(.timePassed, at: now)
    if let once = apps[place].once, once.until <= now { apps[place].once = nil }
    for index in apps[place].turns.indices { run(index, of: place, at: now, &events) }
    let access = access(of: apps[place])
    if let told = apps[place].client?.due(access, at: now), !told.isEmpty {
      tell(told, place, now, &events)
    }
  }

  private mutating func run(
    _ index: Int, of place: Int, at now: EngineInstant, _ events: inout [AndroidEvent]
  ) {
    let (app, turn) = (apps[place], apps[place].turns[index])
    guard turn.due <= now else { return }
    let obstacle =
      app.life.obstacle(to: turn.work.wake)
      ?? turn.obstacle(
        doze.mode, bucket: app.bucket, allowedAt: allowed(turn.work, of: app, at: now), at: now)
    if let obstacle {
      if apps[place].turns[index].isHeldBack(by: obstacle) {
        events.append(.notWoken(app.id, turn.work.wake, obstacle))
      }
      return
    }
    apps[place].turns[index].ran(doze.mode, at: now)
    switch turn.work {
    case .job(_, let lasts): apps[place].jobs.used(min(lasts, turn.work.wake.lasts), at: now)
    case .alarm: apps[place].alarms.used(1, at: now)
    }
    apps[place].life.handle(.woken(turn.work.wake), at: now)
    events.append(.woken(app.id, turn.work.wake))
  }

  /// When the quota of the app's bucket allows the work; now, while the phone is charged or the app is seen.
  private func allowed(
    _ work: ScheduledWork, of app: AppRecord, at now: EngineInstant
  ) -> EngineInstant {
    guard doze.isOnBattery, !app.life.state.isSeen else { return now }
    switch work {
    case .job:
      if app.life.hasForegroundService, release.serviceFreesJobs { return now }
      return app.jobs.allows(app.bucket.jobs(in: release), at: now)
    case .alarm: return app.alarms.allows(app.bucket.alarms(in: release), at: now)
    }
  }

  private mutating func tell(
    _ fixes: [Fix], _ place: Int, _ now: EngineInstant, _ events: inout [AndroidEvent]
  ) {
    let id = apps[place].id
    if apps[place].client?.request.isPending == true {
      if let obstacle = apps[place].life.handle(.woken(.location), at: now) {
        events.append(.notWoken(id, .location, obstacle))
        return
      }
      events.append(.woken(id, .location))
    }
    events.append(.told(id, fixes))
  }

  private func merged() -> FusedNeed {
    var need = FusedNeed()
    for app in apps {
      for (request, isPending) in [
        app.client.map { ($0.request, $0.request.isPending) },
        app.once.map { ($0.client.request, false) },
      ].compactMap(\.self) {
        let limited = request.limited(
          by: access(of: app, isPending: isPending), isApproximate: app.isApproximate)
        if let limited { need.merge(limited) }
      }
    }
    let receiverIsOff =
      isSaving && doze.isScreenOff && release.saverLocation == .receiverOffWithScreen
    if receiverIsOff { need.receiver = nil }
    if doze.mode == .deep { (need.network, need.cells) = (nil, nil) }
    return need
  }

  /// Seconds after which no limit counts from the latest location.
  private static let longAgo = 1_800.0

  /// All that decides what can happen next, with instants counted from `now`: two phones that differ in their past alone
  /// are in one situation.
  package func situation(at now: EngineInstant) -> AndroidSituation {
    AndroidSituation(
      doze: doze.relative(to: now), isSaving: isSaving,
      apps: apps.map { app in
        let waiting = app.client?.waiting(at: now)
        return AndroidSituation.App(
          life: app.life.relative(to: now), bucket: app.bucket, request: app.client?.request,
          sinceTold: app.toldAt.map { min(Self.longAgo, EngineInstant.seconds(from: $0, to: now)) },
          kept: waiting?.count ?? 0, until: waiting?.seconds,
          once: app.once.map {
            .init(
              priority: $0.client.request.priority,
              seconds: EngineInstant.seconds(from: now, to: $0.until))
          },
          turns: app.turns.map { $0.relative(to: now) }, jobs: app.jobs.relative(to: now),
          alarms: app.alarms.relative(to: now))
      })
  }
}
