// SPDX-License-Identifier: Apache-2.0

import LocationModel

@testable import LocationEngine

/// What the documentation promises of two Android apps, as a judge of what the phone did. It hears the inputs, and keeps
/// only what a rule needs.
struct AndroidWatch: Hashable {
  /// The rules, in their words.
  enum Rule: String, CaseIterable {
    case stopped = "A force-stopped app is not woken and told nothing until its user opens it"
    case denied = "An app without the permission is told no location"
    case inUse =
      "With *while in use*, an app that nobody sees is told no location without a service"
    case beganUnseen =
      "With *while in use*, a service that began unseen is told no location, from 11 on"
    case otherType =
      "A foreground service of another type gives no more location than none, from 10 on"
    case startUnseen = "An app that nobody sees starts a service only by an exemption, from 12 on"
    case startChecked = "A start of type location without access throws, from 14 on"
    case process = "A callback needs a process that is not frozen"
    case throttled =
      "An app that nobody sees is told at most one location in half an hour, from 8 on"
    case frozen = "A process is frozen only where the release freezes, and not before its time"
    case reboot = "After a reboot no app has a process"
    case userStops = "The user ends an app with a foreground service from 13 on"
    case promises = "A geofence wakes only who registered it since the reboot, or the stop"
    case approximate = "An approximate location claims 2 km, and comes at most every 10 min"
    case doze = "In Doze no job runs, and in deep Doze no alarm but one for idle times"
    case whileIdle = "In deep Doze an app has one alarm in 9 min"
    case buckets = "A rare app runs 10 min of jobs a day, and has one alarm an hour, on battery"
    case saver =
      "With the battery saver and the screen off, nobody is told in 10, only who is seen from 12 on"
    case radios = "The radios run only for a request with access, and in deep Doze not Wi-Fi"
  }

  /// What is known of an app by what was said to it.
  private struct Known: Hashable {
    let id: AppID
    var permission: AndroidPermission
    let isApproximate: Bool
    var isStopped = false
    var isSeen = false
    /// A foreground service: of which type, and whether it began in sight.
    var service: Service?
    var exemptUntil: EngineInstant?
    var asIfSeenUntil: EngineInstant?
    var hasGeofence = false
    var isPending = false
    var lastTold: EngineInstant?
    var cachedSince: EngineInstant?
    var isRare = false
    var lastJob: EngineInstant?
    var lastAlarm: EngineInstant?
    var lastIdleAlarm: EngineInstant?
    var alarmIsForIdle = false
    /// What the latest input must lead to.
    var mustRefuse: Rule?
    var mustEnd = false
  }

  private struct Service: Hashable {
    var isLocation: Bool
    var beganSeen: Bool
  }

  private let release: AndroidRelease
  private var apps: [Known] = []
  private var isScreenOff = false
  private var isCharging = false
  private var isSaving = false
  /// The mode that was forced, and until when it lasts for certain.
  private var forced = DozeMode.awake
  private var forcedUntil: EngineInstant?
  private var hasRebooted = false

  init(_ release: AndroidRelease) { self.release = release }

  mutating func install(_ id: AppID, _ permission: AndroidPermission, isApproximate: Bool) {
    apps.append(Known(id: id, permission: permission, isApproximate: isApproximate))
  }

  // MARK: What it hears

  mutating func heard(_ input: AndroidInput, at now: EngineInstant) {
    hasRebooted = false
    for index in apps.indices {
      (apps[index].mustRefuse, apps[index].mustEnd) = (nil, false)
    }
    switch input {
    case .app(let id, let said): change(id) { [release] in Self.heard(said, &$0, release, now) }
    case .requested(let id, let request): change(id) { $0.isPending = request?.isPending ?? false }
    case .scheduled(let id, .alarm(_, _, let whileIdle)):
      change(id) { $0.alarmIsForIdle = whileIdle }
    case .askedOnce, .scheduled, .timePassed: break
    case .bucket(let id, let bucket): change(id) { $0.isRare = bucket == .rare }
    case .screen(let isOn): (isScreenOff, forcedUntil) = (!isOn, nil)
    case .charging(let isCharging): (self.isCharging, forcedUntil) = (isCharging, nil)
    case .saver(let isOn): isSaving = isOn
    case .moved: if forced == .deep { forcedUntil = nil }
    case .dozed(let mode):
      (isScreenOff, isCharging) = (mode != .awake, false)
      forced = mode
      switch mode {
      case .awake: forcedUntil = nil
      case .light:
        forcedUntil = release.lightDozeAfter.map { _ in now.advanced(bySeconds: Doze.lightIdle) }
      case .deep: forcedUntil = now.advanced(bySeconds: Doze.deepIdle)
      }
    case .rebooted:
      hasRebooted = true
      for index in apps.indices { Self.heard(.rebooted, &apps[index], release, now) }
    }
  }

  private mutating func change(_ id: AppID, _ body: (inout Known) -> Void) {
    if let index = apps.firstIndex(where: { $0.id == id }) { body(&apps[index]) }
  }

  private static func heard(
    _ said: AndroidAppInput, _ app: inout Known, _ release: AndroidRelease, _ now: EngineInstant
  ) {
    switch said {
    case .opened: (app.isStopped, app.isSeen) = (false, true)
    case .left:
      if app.isSeen { app.asIfSeenUntil = now.advanced(bySeconds: 5) }
      app.isSeen = false
    case .swipedAway: app.isSeen = false
    case .woken(let wake):
      if wake == .geofence || wake == .boot, !app.isStopped {
        app.exemptUntil = now.advanced(bySeconds: 10)
      }
    case .startedService(let isLocation):
      let asIfSeen = app.isSeen || app.asIfSeenUntil.map { now < $0 } ?? false
      let isExempt =
        asIfSeen || app.exemptUntil.map { now < $0 } ?? false || app.service != nil
      let beganSeen = asIfSeen || app.service?.beganSeen ?? false
      let isAlways =
        app.permission == .always
        || app.permission == .whileInUse && !release.hasBackgroundPermission
      let hasAccess = isAlways || app.permission == .whileInUse && beganSeen
      if !isExempt, release.unseenStartNeedsExemption {
        app.mustRefuse = .startUnseen
      } else if isLocation, !hasAccess, release.startChecksPermission {
        app.mustRefuse = .startChecked
      } else {
        app.service = Service(isLocation: isLocation, beganSeen: beganSeen)
      }
    case .endedService: app.service = nil
    case .stoppedByUser: app.mustEnd = app.service != nil && release.userStopsServices
    case .forceStopped:
      (app.isStopped, app.isSeen, app.service) = (true, false, nil)
      if release.stopCancelsPromises { app.hasGeofence = false }
    case .rebooted: (app.isSeen, app.service, app.hasGeofence) = (false, nil, false)
    case .registered(.geofence): app.hasGeofence = true
    case .cancelled(.geofence): app.hasGeofence = false
    case .permitted(let permission): app.permission = permission
    case .covered, .finished, .startedPlainService, .memoryTaken, .crashed, .registered, .cancelled,
      .timePassed:
      break
    }
  }

  // MARK: What it judges

  /// The rule that the phone broke with its answer to the latest input.
  mutating func judge(_ events: [AndroidEvent], of phone: AndroidPhone, at now: EngineInstant)
    -> Rule?
  {
    for index in apps.indices {
      if let rule = broken(by: events, of: phone, index, at: now) { return rule }
    }
    return brokenByRadios(of: phone, at: now)
  }

  private mutating func broken(
    by events: [AndroidEvent], of phone: AndroidPhone, _ index: Int, at now: EngineInstant
  ) -> Rule? {
    let id = apps[index].id
    guard let life = phone.life(of: id) else { return nil }
    if hasRebooted, life.state.runsCode || life.state == .cached || life.state == .frozen {
      return .reboot
    }
    if let rule = brokenByStart(events, index, life) { return rule }
    if apps[index].mustEnd, life.state != .notRunning { return .userStops }
    // What its machine says of its process is taken over: only rules are judged, not the pace of lives.
    if !life.hasForegroundService { apps[index].service = nil }
    if !life.state.isSeen { apps[index].isSeen = false }
    if life.state.isSeen, apps[index].isStopped { return .stopped }
    if let rule = brokenByFreezing(index, life, at: now) { return rule }
    for event in events {
      switch event {
      case .woken(id, let wake):
        if let rule = brokenByWake(wake, index, phone, at: now) { return rule }
      case .told(id, let fixes):
        if let rule = brokenByTelling(fixes, index, phone, life, at: now) { return rule }
      case .state, .woken, .notWoken, .serviceRefused, .told, .notTold, .need, .dozed: break
      }
    }
    return nil
  }

  private func brokenByStart(
    _ events: [AndroidEvent], _ index: Int, _ life: AndroidApp
  ) -> Rule? {
    let refused = events.contains {
      if case .serviceRefused(apps[index].id, _) = $0 { true } else { false }
    }
    if let rule = apps[index].mustRefuse, !refused { return rule }
    return nil
  }

  private mutating func brokenByFreezing(
    _ index: Int, _ life: AndroidApp, at now: EngineInstant
  ) -> Rule? {
    switch life.state {
    case .cached: if apps[index].cachedSince == nil { apps[index].cachedSince = now }
    case .frozen:
      guard let least = release.freezesAfter else { return .frozen }
      if let since = apps[index].cachedSince, EngineInstant.seconds(from: since, to: now) < least {
        return .frozen
      }
    case .foreground, .visible, .foregroundService, .background, .notRunning, .stopped:
      apps[index].cachedSince = nil
    }
    return nil
  }

  private mutating func brokenByWake(
    _ wake: AndroidWake, _ index: Int, _ phone: AndroidPhone, at now: EngineInstant
  ) -> Rule? {
    let app = apps[index]
    if app.isStopped { return .stopped }
    let mode = mode(of: phone, at: now)
    func isWithin(_ seconds: Double, of last: EngineInstant?) -> Bool {
      last.map { EngineInstant.seconds(from: $0, to: now) < seconds } ?? false
    }
    let isLimited = app.isRare && release.hasBuckets && !isCharging && !app.isSeen
    switch wake {
    case .geofence:
      if !app.hasGeofence { return .promises }
      if app.permission == .denied { return .denied }
      if app.permission == .whileInUse, release.hasBackgroundPermission { return .inUse }
    case .job:
      if mode != .awake { return .doze }
      // Each lasts 10 min here, so one a day.
      if isLimited, app.service == nil || !release.serviceFreesJobs,
        isWithin(86_400, of: app.lastJob)
      {
        return .buckets
      }
      apps[index].lastJob = now
    case .alarm, .exactAlarm:
      if mode == .deep {
        if !app.alarmIsForIdle { return .doze }
        if isWithin(540, of: app.lastIdleAlarm) { return .whileIdle }
        apps[index].lastIdleAlarm = now
      }
      if isLimited, isWithin(3_600, of: app.lastAlarm) { return .buckets }
      apps[index].lastAlarm = now
    case .activity, .location, .boot, .push, .highPriorityPush, .userAction: break
    }
    return nil
  }

  private mutating func brokenByTelling(
    _ fixes: [Fix], _ index: Int, _ phone: AndroidPhone, _ life: AndroidApp, at now: EngineInstant
  ) -> Rule? {
    let app = apps[index]
    if app.isStopped { return .stopped }
    if app.permission == .denied { return .denied }
    let isFrozen = app.cachedSince.map { since in
      release.freezesAfter.map { EngineInstant.seconds(from: since, to: now) > $0 } ?? false
    }
    let hasProcess = life.state != .notRunning && life.state != .frozen && isFrozen != true
    if !app.isPending, !hasProcess { return .process }
    let isInUse = app.permission == .whileInUse && release.hasBackgroundPermission
    let serves = app.service.map { $0.isLocation || !release.serviceNeedsLocationType } ?? false
    let isUnseen = !app.isSeen && !serves
    if isInUse, isUnseen { return app.service == nil ? .inUse : .otherType }
    if isInUse, !app.isSeen, release.whileInUseStartsVisible, app.service?.beganSeen == false {
      return .beganUnseen
    }
    if isSaving, isScreenOff, release.saverLocation == .nothingWithScreenOff { return .saver }
    if isSaving, isScreenOff, release.saverLocation == .seenAppsOnly, !app.isSeen,
      app.service == nil
    {
      return .saver
    }
    if let rule = brokenByPace(isUnseen, index, at: now) { return rule }
    if app.isApproximate, fixes.contains(where: { ($0.horizontalAccuracy ?? 0) < 2_000 }) {
      return .approximate
    }
    return nil
  }

  private mutating func brokenByPace(
    _ isUnseen: Bool, _ index: Int, at now: EngineInstant
  ) -> Rule? {
    let last = apps[index].lastTold.map { EngineInstant.seconds(from: $0, to: now) }
    apps[index].lastTold = now
    if let last {
      if isUnseen, let least = release.unseenInterval, last < least - 30 {
        return apps[index].service == nil ? .throttled : .otherType
      }
      if apps[index].isApproximate, last < 600 - 30 { return .approximate }
    }
    return nil
  }

  /// The mode that was forced, while it lasts for certain; else what the phone says.
  private func mode(of phone: AndroidPhone, at now: EngineInstant) -> DozeMode {
    forcedUntil.map { now < $0 } ?? false ? forced : phone.mode
  }

  private func brokenByRadios(of phone: AndroidPhone, at now: EngineInstant) -> Rule? {
    let need = phone.currentNeed
    if mode(of: phone, at: now) == .deep, need.network != nil || need.cells != nil {
      return .radios
    }
    if isSaving, isScreenOff, release.saverLocation == .receiverOffWithScreen,
      need.receiver != nil
    {
      return .saver
    }
    let isAsked = apps.contains { app in
      guard let life = phone.life(of: app.id), !app.isStopped, app.permission != .denied else {
        return false
      }
      return app.isPending || life.state.runsCode || life.state == .cached
    }
    return isAsked || need == FusedNeed() ? nil : .radios
  }

  /// The same, with all instants counted from one.
  func relative(to now: EngineInstant) -> Self {
    func past(_ instant: EngineInstant?) -> EngineInstant? {
      instant.map { EngineInstant(microseconds: $0.microseconds - now.microseconds) }
    }
    func future(_ instant: EngineInstant?) -> EngineInstant? {
      instant.flatMap { $0 <= now ? nil : past($0) }
    }
    var copy = self
    copy.hasRebooted = false
    copy.forcedUntil = future(forcedUntil)
    if copy.forcedUntil == nil { copy.forced = .awake }
    for index in apps.indices {
      let app = apps[index]
      (copy.apps[index].mustRefuse, copy.apps[index].mustEnd) = (nil, false)
      copy.apps[index].exemptUntil = future(app.exemptUntil)
      copy.apps[index].asIfSeenUntil = future(app.asIfSeenUntil)
      copy.apps[index].lastTold = past(app.lastTold)
      copy.apps[index].cachedSince = past(app.cachedSince)
      copy.apps[index].lastJob = past(app.lastJob)
      copy.apps[index].lastAlarm = past(app.lastAlarm)
      copy.apps[index].lastIdleAlarm = past(app.lastIdleAlarm)
    }
    return copy
  }
}
