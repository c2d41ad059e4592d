// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The engine's record of one app.
struct EngineApp: Sendable, Equatable, Codable {
  let id: AppID
  var declaration: AppDeclaration
  var lifecycle: AppLifecycle
  /// Ends with the app's process.
  var standard: StandardService?
  /// Ends with the app's process.
  var single: SingleRequest?
  /// Ends with the app's process; `nil` if the app asked for none.
  var heading: HeadingService?
  /// Outlives the app's process.
  var significant: SignificantService?
  /// Outlives the app's process; `nil` if the app monitors neither regions nor visits.
  var places: PlaceServices?
  /// Outlives the app's process.
  var monitorsMotion = false
  /// The background work that the app asked for; `nil` if it never did.
  var work: BackgroundWork?
  /// The app's memory, megabytes, 0 if it has no process of its own; 50 if unknown [ours].
  var memory = 50.0
  /// Whether the user swiped the app away and has not started it since.
  var wasForceQuit = false
  /// Deliveries so far.
  var deliveries: UInt64 = 0
  /// The stand-ins delivered in place of positions; `nil` if every position was delivered.
  var told: ToldPlace?

  /// The reason why no location reaches it, as last commanded.
  var unreachable: NotWoken?

  init(_ id: AppID, _ declaration: AppDeclaration, by rules: EngineRules) {
    self.id = id
    self.declaration = declaration
    lifecycle = AppLifecycle()
    follow(rules: rules)
  }

  /// Continues its life by other rules, or by what it declares now.
  mutating func follow(rules: EngineRules) {
    lifecycle.follow(
      timing: rules.lifecycle, era: rules.era,
      exitsOnSuspend: declaration.exitsOnSuspend || !rules.era.supportsMultitasking)
  }

  /// Whether ending the app in that state would free memory. An app that is being terminated frees it anyway.
  func givesMemory(in state: AppState) -> Bool {
    self.state == state && memory > 0 && !isExiting
  }

  /// Whether the app has been told to end and is about to.
  var isExiting: Bool { lifecycle.endsAt != nil }

  // An app and its services are large, and these are asked for every fix: so they are inline, since a call would begin
  // with a copy, and read one field.

  @inline(__always)
  var state: AppState { lifecycle.state }

  /// Whether the app has asked for updates.
  @inline(__always)
  var hasStandard: Bool { if case .some = standard { true } else { false } }
  /// Whether the app has asked for a single location.
  @inline(__always)
  var hasSingle: Bool { if case .some = single { true } else { false } }
  /// Whether the app has asked for anything besides locations.
  @inline(__always)
  var hasWork: Bool { if case .some = work { true } else { false } }
  /// Whether the app plays audio.
  @inline(__always)
  var plays: Bool { work?.playsAudio == true }
  /// Whether the app was told a stand-in for a position.
  @inline(__always)
  var hasTold: Bool { if case .some = told { true } else { false } }
  /// Whether the app monitors significant changes.
  @inline(__always)
  var hasSignificant: Bool { if case .some = significant { true } else { false } }

  /// Whether the app monitors regions or visits.
  @inline(__always)
  var hasPlaces: Bool { if case .some = places { true } else { false } }
  /// Whether the app is a client of the policy.
  @inline(__always)
  var monitors: Bool { hasSignificant || hasPlaces }

  /// Whether the app's standard updates keep it running in the background.
  @inline(__always)
  func isContinuous(in era: Era) -> Bool {
    guard let allowed = standard?.request.allowsBackgroundUpdates else { return false }
    return isContinuous(allowed: allowed, in: era)
  }

  @inline(__always)
  func isContinuous(allowed: Bool, in era: Era) -> Bool {
    declaration.declaresLocationMode && (allowed || !era.backgroundNeedsRequestFlag)
  }

  /// The outcome of a fix.
  struct Judged {
    let service: Service
    let verdict: Verdict
    var pauses = false
    /// Whether the fix is deferred; its verdict comes later.
    var isKept = false
  }

  /// Judges an admitted fix for the app's updates; `nil` if there are none, or they are paused.
  mutating func judge(
    _ fix: Fix, around frame: LocalFrame, at now: EngineInstant, by rules: EngineRules
  ) -> Judged? {
    guard let terms = standard?.terms() else { return nil }
    let service: Service =
      isContinuous(allowed: terms.allowsBackground, in: rules.era) ? .continuous : .standard
    guard mayHear(terms.unseenSince, in: rules.era) else {
      return Judged(service: service, verdict: Verdict(.unauthorized))
    }
    if standard?.deferral != nil, defers(in: rules.era), standard?.phase == .updating {
      standard?.deferral?.keep(fix)
      let pauses = pauses(after: fix, at: now, by: rules)
      return Judged(
        service: service, verdict: Verdict(.delivered), pauses: pauses, isKept: true)
    }
    guard state.runsCode else {
      // The receiver is on for others: for a suspended app alone there is no fix to judge.
      if rules.era.standardWhileSuspended == .queued { standard?.queued = fix }
      return Judged(
        service: service, verdict: Verdict(.suspended, accuracy: fix.horizontalAccuracy))
    }
    guard let verdict = standard?.take(fix: fix, around: frame, at: now) ?? nil else { return nil }
    let pauses = pauses(after: fix, at: now, by: rules)
    return Judged(service: service, verdict: verdict, pauses: pauses)
  }

  /// Whether the app's updates pause after the fix. An app of reduced accuracy receives a square, which does not show
  /// rest: `takeReduced` asks.
  @inline(__always)
  private mutating func pauses(
    after fix: Fix, at now: EngineInstant, by rules: EngineRules
  ) -> Bool {
    declaration.accuracy != .reduced && rests(after: fix, at: now, by: rules)
  }

  /// The same for any position.
  @inline(__always)
  mutating func rests(after fix: Fix, at now: EngineInstant, by rules: EngineRules) -> Bool {
    mayRest(by: rules) && standard?.pauses(after: fix, at: now, by: rules) == true
  }

  /// Whether something can end a pause of the app's updates: a motion sensor, or a place that the app monitors and is told
  /// of while nothing holds it.
  @inline(__always)
  func mayRest(by rules: EngineRules) -> Bool {
    rules.feelsMotion
      || monitors && (declaration.authorization == .always || !rules.era.relaunchNeedsAlways)
  }

  /// Whether continuous updates hold the app in the background now.
  @inline(__always)
  func isHeld(in era: Era) -> Bool {
    standard?.phase == .updating && mayHear(standard?.unseenSince, in: era) && isContinuous(in: era)
      && standard?.deferral == nil
  }

  /// Whether the user allows locations now to a service that was started in the background at `unseenSince` (`nil`: in
  /// the foreground).
  @inline(__always)
  func mayHear(_ unseenSince: EngineInstant?, in era: Era) -> Bool {
    guard declaration.authorization.allowsLocation else { return false }
    return unseenSince == nil || state.isForeground || !era.whenInUseStartsInForeground
      || declaration.authorization != .whenInUse
  }

  /// Whether the app's updates are on and it may have locations now.
  @inline(__always)
  func updates(in era: Era) -> Bool {
    (state.runsCode || defers(in: era)) && standard?.phase == .updating
      && mayHear(standard?.unseenSince, in: era)
  }

  /// Whether the app's single request is pending and it may have a location now.
  @inline(__always)
  func requests(in era: Era) -> Bool {
    state.runsCode && hasSingle && mayHear(single?.unseenSince, in: era)
  }

  /// The app's present request for the receiver; `nil` if there is none.
  @inline(__always)
  func receiverWish(in era: Era) -> ReceiverWish? {
    if single?.needsReceiver == true, requests(in: era) { return .continuous }
    if hearsHeadings(in: era) { return .continuous }
    guard updates(in: era) else { return nil }
    guard let looks = standard?.looks else { return .continuous }
    return looks.isLooking ? .session : nil
  }

  /// The instant at which time alone changes what the app looks for; `nil` while it does not run, or
  /// looks all the time.
  @inline(__always)
  func lookDeadline(in era: Era) -> EngineInstant? {
    // This is asked once a second, mostly of apps that have neither.
    guard hasSingle || standard?.looks != nil, state.runsCode else { return nil }
    guard let looks = standard?.looks, updates(in: era) else { return single?.until }
    return .earlier(single?.until, looks.deadline)
  }

  /// Whether the app awaits an answer of the network.
  @inline(__always)
  func isAsking(at now: EngineInstant) -> Bool {
    if single?.isAsking == true, let until = single?.until, until > now { return true }
    guard standard?.looks?.isAsking == true, let deadline = standard?.looks?.deadline else {
      return false
    }
    return deadline > now
  }

  /// The reason why an event does not wake or launch the app; `nil` if it does.
  @inline(__always)
  func refusal(
    of reason: WakeReason, in era: Era, on device: DeviceConditions
  ) -> NotWoken? {
    WakeTerms(
      modes: declaration.modes, authorization: declaration.authorization, state: state,
      wasForceQuit: wasForceQuit, exitsOnSuspend: lifecycle.exitsOnSuspend
    ).refusal(of: reason, in: era, on: device)
  }

  /// The reason why the app is never called for such an event, whatever happens; `nil` if it may be.
  @inline(__always)
  func lack(of reason: WakeReason, in era: Era) -> NotWoken? {
    WakeTerms.lack(of: reason, declaring: declaration.modes, in: era)
  }

  /// Whether the app monitors anything and may be told: it runs code, or an event of a place may wake or launch it.
  @inline(__always)
  func isReachable(in era: Era, on device: DeviceConditions) -> Bool {
    monitors && declaration.authorization.allowsLocation
      && (state != .background || mayBeToldInBackground(in: era))
      && obstacle(in: era, on: device) == nil
  }

  /// The reason why no event of a place wakes or launches the app; `nil` if one does, or the app runs code or monitors
  /// nothing.
  @inline(__always)
  func obstacle(in era: Era, on device: DeviceConditions) -> NotWoken? {
    guard monitors, !state.runsCode else { return nil }
    guard declaration.authorization.allowsLocation else { return .unauthorized }
    return refusal(of: .location, in: era, on: device)
  }

  /// Whether a monitored change may be told to the app while it runs in the background: with *when in use* it counts
  /// as in use there only while updates hold it.
  @inline(__always)
  func mayBeToldInBackground(in era: Era) -> Bool {
    declaration.authorization == .always || isHeld(in: era)
      || !era.relaunchNeedsAlways && declaration.authorization.allowsLocation
  }

  /// Whether the system watches for the app while it is suspended: its keep-alive handler, or its socket.
  @inline(__always)
  func isWatchedFor(in era: Era) -> Bool {
    guard let work, work.keepAlive != nil || work.watchesSocket else { return false }
    return lack(of: .socket, in: era) == nil
  }

  /// The holds that keep the app running in the background now.
  @inline(__always)
  func holds(in era: Era) -> Holds {
    var holds: Holds = isHeld(in: era) ? .location : .none
    if plays, declaration.modes.contains(.audio) { holds.insert(.audio) }
    return holds
  }

  /// Whether motion decides when the app's updates look.
  @inline(__always)
  func looksByMotion(in era: Era) -> Bool {
    standard?.looks?.heedsMotion == true && updates(in: era)
  }

  /// Whether the app keeps the processor awake: it runs code, and is not only held by updates whose receiver is off in
  /// between.
  @inline(__always)
  func keepsAwake(in era: Era) -> Bool {
    guard state.runsCode else { return false }
    guard state == .background, standard?.looks?.interval != nil, isHeld(in: era) else {
      return true
    }
    return hasSingle || plays || lifecycle.nextDeadline != nil
  }

  /// Whether the app waits for the device to move.
  @inline(__always)
  var awaitsMotion: Bool { monitorsMotion && standard?.phase != .updating }
}

/// One app's request for the receiver.
enum ReceiverWish: Equatable {
  case continuous
  case session
}
