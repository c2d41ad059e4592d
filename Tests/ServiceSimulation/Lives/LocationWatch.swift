// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel

// The rules for updates, headings and deferral, seen from outside: only from inputs and commands.
//
// 10. Positions and headings reach only an app that runs code, has requested them since its process began, and may have
//     them. A heading differs from the last reported one by the filter. An app of reduced accuracy gets no course, and
//     no exact position.
// 11. Each app that requested them, runs and may have them gets each fix, and each heading that passes the filter, at
//     once.
// 12. Deferred updates are delivered in order, each fix once, when the deferral ends; nothing comes in between, and it
//     ends in time. A refused or ended deferral is reported once.
// 13. Updates pause only after the device has rested for the full time, and then nothing comes until they are started
//     anew.
// 14. The receiver is on exactly while an app that may have it needs it.
// 15. Location holds an app in the background exactly while its updates are on, allowed, and not deferred.

/// Watches the location events of apps.
struct LocationWatch: Hashable {
  enum Updates: Hashable { case off, on, paused }

  private struct Watched: Hashable {
    var state = AppState.notRunning
    var authorization: Authorization
    var isReduced = false
    let declaresMode: Bool
    var updates = Updates.off
    /// Whether they were started in the background, and the app has not been in the foreground since.
    var isUnseen = false
    var hears = false
    /// The same of its headings.
    var hearsUnseen = false
    /// Whether it was told to end: it hears nothing more.
    var isEnding = false
    var told: Double?
    var keepsUntil: EngineInstant?
    var kept = 0
    /// Whether some positions since then may be of a square that it knew already, and are not reported.
    var mayMiss = false
  }

  /// The deliveries of one input to an app.
  private struct Told {
    var fixes: [UTCInstant?] = []
    var headings = 0
    var hasEnded = false
    /// Whether the input is a deferred fix.
    var keepsInput = false
  }

  private var apps: [Watched]
  /// The time since when all fixes were of the same place; `nil` before the first.
  private var stillSince: EngineInstant?
  private var place: Coordinate?

  static let filter = 30.0
  static let deferral = Deferral(distance: 150, timeout: 30)
  /// An accuracy, metres, that no exact position has here.
  private static let coarse = 1_000.0

  init(_ apps: [AppDeclaration]) {
    self.apps = apps.map {
      Watched(authorization: $0.authorization, declaresMode: $0.declaresLocationMode)
    }
  }

  /// The same as if `now` were the origin of the axis.
  func relative(to now: EngineInstant, pausesAfter: Double) -> Self {
    var watch = self
    let longest = -Int64(pausesAfter * 1e6)
    watch.stillSince = stillSince.map {
      EngineInstant(microseconds: max(longest, $0.microseconds - now.microseconds))
    }
    for index in apps.indices {
      watch.apps[index].keepsUntil = apps[index].keepsUntil.map {
        EngineInstant(microseconds: $0.microseconds - now.microseconds)
      }
    }
    return watch
  }

  /// Takes the commands of one input; returns the rule that it broke.
  mutating func take(
    _ commands: [EngineCommand], of input: EngineInput, engine: LocationEngine,
    at now: EngineInstant
  ) -> String? {
    let before = apps
    var told = Array(repeating: Told(), count: apps.count)
    if case .fix(let fix) = input {
      note(fix, at: now)
      for index in apps.indices where keeps(apps[index], engine.rules.era) {
        told[index].keepsInput = true
        if apps[index].isReduced { apps[index].mayMiss = true }
      }
    }
    for command in commands {
      guard let id = command.app else { continue }
      let index = Int(id.number) - 1
      if let rule = follow(command, of: index, &told[index], engine.rules, at: now) {
        return rule
      }
    }
    if case .app(let id, let wish) = input,
      apps[Int(id.number) - 1].state.runsCode && !apps[Int(id.number) - 1].isEnding
        || isUsers(wish)
    {
      note(wish, Int(id.number) - 1, engine.rules.era, at: now)
    }
    for index in apps.indices {
      if let rule = missing(input, index, before[index], told[index], engine.rules.era) {
        return rule
      }
    }
    return check(engine, at: now)
  }

  /// The device's last position.
  var lastPlace: Coordinate? { place }

  // MARK: What the world and the apps do

  private mutating func note(_ fix: Fix, at now: EngineInstant) {
    if place != fix.coordinate { (place, stillSince) = (fix.coordinate, now) }
  }

  /// Whether it is the user's act, independent of the app's state.
  private func isUsers(_ input: AppInput) -> Bool {
    switch input {
    case .authorized, .declared: true
    default: false
    }
  }

  private mutating func note(
    _ input: AppInput, _ index: Int, _ era: Era, at now: EngineInstant
  ) {
    switch input {
    case .authorized(let authorization): apps[index].authorization = authorization
    case .declared(let declaration): apps[index].isReduced = declaration.accuracy == .reduced
    case .startUpdating:
      if apps[index].updates != .on {
        apps[index].isUnseen = apps[index].state == .background
        apps[index].keepsUntil = nil
      }
      apps[index].updates = .on
    case .stopUpdating: (apps[index].updates, apps[index].keepsUntil) = (.off, nil)
    case .deferUpdates(let deferral):
      (apps[index].keepsUntil, apps[index].kept, apps[index].mayMiss) = (nil, 0, false)
      if deferral != nil, era.defersUpdates, apps[index].updates == .on {
        apps[index].keepsUntil = now.advanced(bySeconds: Self.deferral.timeout ?? 0)
      }
    case .heading(.updates):
      if !apps[index].hears { apps[index].hearsUnseen = apps[index].state == .background }
      apps[index].hears = true
    case .heading(.none): (apps[index].hears, apps[index].told) = (false, nil)
    default: break
    }
  }

  // MARK: What apps are told

  private mutating func follow(
    _ command: EngineCommand, of index: Int, _ told: inout Told, _ rules: EngineRules,
    at now: EngineInstant
  ) -> String? {
    switch command {
    case .transition(_, let transition):
      if transition.reason == .woken(.location), apps[index].keepsUntil == nil {
        return "12: woken for updates that are not kept back"
      }
      apps[index].state = transition.to
      let isEnding = transition.reason == .terminated || transition.reason == .exitsOnSuspend
      if transition.to == .notRunning || isEnding {
        let app = apps[index]
        apps[index] = Watched(authorization: app.authorization, declaresMode: app.declaresMode)
        apps[index].isReduced = app.isReduced
        (apps[index].state, apps[index].isEnding) = (transition.to, transition.to != .notRunning)
        return nil
      }
      switch transition.to {
      case .notRunning: break
      case .inactive, .active: (apps[index].isUnseen, apps[index].hearsUnseen) = (false, false)
      case .background, .suspended: break
      }
    case .deliver(_, let delivery): return take(delivery, index, &told, rules.era)
    case .heading(_, let heading): return take(heading, index, &told, rules.era)
    case .deferralEnded(_, let end): return take(end, index, &told, rules.era)
    case .paused:
      guard apps[index].updates == .on, apps[index].state.runsCode else {
        return "13: paused, and nothing was on"
      }
      guard let stillSince,
        EngineInstant.seconds(from: stillSince, to: now) >= rules.pausesAfter
      else { return "13: paused after a move" }
      (apps[index].updates, apps[index].keepsUntil) = (.paused, nil)
    default: break
    }
    return nil
  }

  private mutating func take(
    _ delivery: Delivery, _ index: Int, _ told: inout Told, _ era: Era
  ) -> String? {
    let app = apps[index]
    guard app.state.runsCode else { return "10: a position while \(app.state)" }
    // A start reports the last position, and is noted after its deliveries.
    guard delivery.isCached || app.updates == .on else {
      return "10: a position while \(app.updates)"
    }
    guard app.authorization.allowsLocation else { return "10: a position, and it is not allowed" }
    if app.isReduced, (delivery.fix.horizontalAccuracy ?? 0) < Self.coarse {
      return "10: an exact position for an app of reduced accuracy"
    }
    if !delivery.isCached { told.fixes.append(delivery.fix.time) }
    return nil
  }

  private mutating func take(
    _ heading: Heading, _ index: Int, _ told: inout Told, _ era: Era
  ) -> String? {
    let app = apps[index]
    guard app.state.runsCode else { return "10: a heading while \(app.state)" }
    guard app.hears else { return "10: a heading that nobody asked for" }
    guard mayHear(app, era, isUnseen: app.hearsUnseen) else {
      return "10: a heading, and it is not allowed"
    }
    if app.isReduced, heading.source == .course {
      return "10: a course for an app of reduced accuracy"
    }
    guard let direction = heading.trueNorth else { return "10: a heading without a direction" }
    if let last = app.told, Heading.between(direction, last) < Self.filter {
      return "10: a heading within its filter"
    }
    apps[index].told = direction
    told.headings += 1
    return nil
  }

  /// The deferred fixes precede it.
  private mutating func take(
    _ end: Deferral.End, _ index: Int, _ told: inout Told, _ era: Era
  ) -> String? {
    let isAllowed = apps[index].authorization.allowsLocation
    // An app whose permission was revoked hears of the end when it runs.
    guard apps[index].state.runsCode || !isAllowed else {
      return "12: told of the end while it runs no code"
    }
    if told.hasEnded, end == .finished { return "12: ended twice" }
    switch end {
    case .finished, .cancelled:
      guard apps[index].keepsUntil != nil else { return "12: an end of what was not kept back" }
      // If this very fix ended the deferral, it was the last deferred one.
      var kept = apps[index].kept
      if told.keepsInput { kept += 1 }
      if !isAllowed { kept = 0 }
      if apps[index].mayMiss ? told.fixes.count > kept : told.fixes.count != kept {
        return "12: \(kept) were kept back, \(told.fixes.count) told"
      }
      let times = told.fixes.compactMap(\.self)
      if zip(times, times.dropFirst()).contains(where: { $0 >= $1 }) { return "12: out of order" }
      (apps[index].keepsUntil, apps[index].kept) = (nil, 0)
    case .unsupported:
      if era.defersUpdates { return "12: refused in an era that keeps updates back" }
    case .notUpdating, .accuracyTooLow, .distanceFiltered:
      if apps[index].updates == .on { return "12: refused, and updates are on" }
    }
    told.hasEnded = true
    return nil
  }

  // MARK: What must have been told

  private func mayHear(_ app: Watched, _ era: Era) -> Bool {
    mayHear(app, era, isUnseen: app.isUnseen)
  }

  private func mayHear(_ app: Watched, _ era: Era, isUnseen: Bool) -> Bool {
    guard app.authorization.allowsLocation else { return false }
    return !isUnseen || app.state != .background || !era.whenInUseStartsInForeground
      || app.authorization != .whenInUse
  }

  /// Whether a fix that comes now is deferred.
  private func keeps(_ app: Watched, _ era: Era) -> Bool {
    app.keepsUntil != nil && (app.state == .background || app.state == .suspended)
      && app.declaresMode && app.updates == .on && mayHear(app, era)
  }

  private mutating func missing(
    _ input: EngineInput, _ index: Int, _ before: Watched, _ told: Told, _ era: Era
  ) -> String? {
    switch input {
    case .fix(let fix):
      if told.keepsInput {
        guard apps[index].keepsUntil != nil else { return nil }
        apps[index].kept += 1
        return told.fixes.isEmpty ? nil : "12: a fix came while all are kept back"
      }
      guard before.state.runsCode, before.updates == .on, mayHear(before, era), !before.isReduced
      else { break }
      if told.fixes.filter({ $0 == fix.time }).count != 1 { return "11: a fix was not told" }
      if before.hears, mayHear(before, era, isUnseen: before.hearsUnseen), let heading = fix.course,
        (fix.speed ?? 0) > 0
      {
        return isMissed(heading, before, told)
      }
    case .heading(let heading):
      guard before.state.runsCode, before.hears, mayHear(before, era, isUnseen: before.hearsUnseen),
        let direction = heading.trueNorth
      else { break }
      return isMissed(direction, before, told)
    default: break
    }
    return nil
  }

  private func isMissed(_ direction: Double, _ before: Watched, _ told: Told) -> String? {
    let passes = before.told.map { Heading.between(direction, $0) >= Self.filter } ?? true
    return passes && told.headings != 1 ? "11: a heading was not told" : nil
  }

  /// Checks the rules that hold between two inputs.
  private func check(_ engine: LocationEngine, at now: EngineInstant) -> String? {
    if apps.contains(where: { $0.keepsUntil.map { $0 <= now } ?? false }) {
      return "12: kept back for too long"
    }
    let era = engine.rules.era
    var isNeeded = false
    for (index, app) in apps.enumerated() {
      guard let life = engine.life(of: AppID(UInt32(index + 1))) else { continue }
      let updates = app.updates == .on && mayHear(app, era)
      if updates, app.state.runsCode || keeps(app, era) { isNeeded = true }
      if app.hears, app.state.runsCode, mayHear(app, era, isUnseen: app.hearsUnseen) {
        isNeeded = true
      }
      let holds = updates && app.declaresMode && app.keepsUntil == nil
      if app.state == .background, life.isHeld != holds {
        return "15: \(holds ? "not held" : "held") in the background"
      }
    }
    if engine.plan.isOn != isNeeded {
      return
        "14: the receiver is \(engine.plan.isOn ? "on for nobody" : "off, and somebody needs it")"
    }
    return nil
  }
}
