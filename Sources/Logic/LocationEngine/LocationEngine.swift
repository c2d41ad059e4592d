// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// Theory of operation
// ===================
//
// One value decides everything: which app gets which fix, why not, and what the receiver and the apps must do next.
// Inputs come with their instant; commands go into the caller's buffer; `nextDeadline` is the instant at which time
// alone will decide something. There is no clock, no task and no reference inside, so a copy is a snapshot and equal
// inputs give equal commands.
//
// One input is taken in four steps, always in this order:
//
//   1. deadlines that have come are fired (life cycles first, then periodic work, then what apps look for,
//      then the policy);
//   2. the input changes apps, services or the policy;
//   3. holds are settled: continuous updates and audio keep their app in the background;
//   4. the wishes of all apps are merged; a changed receiver plan or set of triggers is commanded.
//
// A fix passes the gate once (invalid, duplicate, late, jump) and is then judged by each app's
// services; each judgement is a command, so nothing is dropped silently.
//
// Odd cases
// - A start of the device ends all processes before overdue work, which launches them anew.
// - Instants never run backwards: an earlier one counts as the latest seen.
// - Standard updates end with the process; monitoring of significant changes does not, and is armed
//   again by the engine itself after a relaunch.
// - An app whose process exits by itself is not running, as after a purge: it was not force-quit, so the next
//   significant change relaunches it.
// - A removed app leaves nothing behind: its process is terminated without the 5 s, and if it was the last that
//   monitored, the policy rests.
// - Starting to monitor twice does nothing; stop and start sends a fresh first event.
// - A cached delivery never anchors; the first fresh one does.

/// Decides which app gets which fix, why not, and what receiver and apps must do next.
package struct LocationEngine: Sendable, Equatable {
  package internal(set) var rules: EngineRules
  var apps: [EngineApp] = []
  var gate = FixGate()
  package internal(set) var policy: SignificantPolicy
  /// The plan of the receiver.
  package private(set) var plan = ReceiverPlan.off(.nobodyAsks)
  /// Whether the receiver is on for a session.
  package var isInSession: Bool { if case .session = plan { true } else { false } }
  /// Whether the policy looks: some app monitors and may be told.
  private(set) var isLooking = false
  /// The armed triggers.
  package private(set) var triggers: Triggers = []
  /// The newest admitted position, delivered as cached when a service starts.
  package internal(set) var lastKnown: Fix?
  /// The time at which that came.
  package internal(set) var lastKnownAt: EngineInstant?
  /// The time at which the device was last started again: how long it had been off before is not sure.
  package internal(set) var rebootedAt: EngineInstant?
  /// The conditions of the device that decide whether apps are woken.
  package internal(set) var device = DeviceConditions()
  /// The number of periodic calls, and of processor wakes for them.
  package internal(set) var periodic = PeriodicCount()
  var latest = EngineInstant.zero
  /// The name of the privacy zone that hides the device; `nil` if none does, or the position is unknown.
  package internal(set) var hiddenIn: String?
  /// The gate for fixes within a zone, for apps that see inside; never part of a snapshot.
  var gateInside = FixGate()
  /// The phone's daemon, while it looks for regions and visits; `nil` on a machine.
  var daemon: PhoneDaemon?
  /// The time of the policy's open question to the network; `nil` once answered. Apps ask for themselves.
  var policyAskedAt: EngineInstant?
  /// Degrees by which magnetic north lies east of true north here; `nil` if unknown.
  var declination: Double?
  /// The time of the last compass report.
  var compassAt: EngineInstant?
  /// The earliest instant at which time alone will decide something; `nil` if nothing will. Stored, for it is read often.
  package private(set) var nextDeadline: EngineInstant?
  /// Whether any app runs code now.
  package private(set) var runsCode = false
  /// Whether any of these keeps the processor awake.
  package private(set) var keepsAwake = false
  /// The mode that takes most, of those that apps request and may have now; `nil` if there is none.
  package private(set) var leadingService: Service?
  /// The time of the next notification; `nil` if there is none.
  package private(set) var nextNotification: UTCInstant?
  /// Whether any app has asked for anything besides locations.
  private var hasWork = false
  /// Whether each believed fix is delivered to the updates of the sole app, and concerns nothing else
  /// (`LocationEngine+SoleListener`).
  private(set) var hasSoleListener = false
  /// Whether any app receives headings now.
  private(set) var hearsHeadings = false

  package init(rules: EngineRules, policy: SignificantPolicy) {
    self.rules = rules
    self.policy = policy
    self.policy.strategy.take(terms: rules.lateness, at: .zero)
    lookAhead()
  }

  /// Everything that must survive a restart of the service: the engine is plain values, so it is the engine itself.
  ///
  /// Written by the compiler's `Codable` of the stored properties; an encoder must keep infinities, for a script or a
  /// setting may hold one.
  ///
  /// Behind a reference, so that a variable for one is not as large as an engine.
  package struct Snapshot: Sendable, Equatable, Codable {
    private indirect enum Place: Sendable, Equatable {
      case engine(LocationEngine)
    }

    private enum CodingKeys: CodingKey {
      case engine
    }

    private let place: Place

    fileprivate init(_ engine: LocationEngine) { place = .engine(engine) }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var engine = try container.decode(LocationEngine.self, forKey: .engine)
      engine.lookAhead()
      place = .engine(engine)
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(engine, forKey: .engine)
    }

    fileprivate var engine: LocationEngine {
      switch place {
      case .engine(let engine): engine
      }
    }
  }

  package var snapshot: Snapshot { Snapshot(self) }

  package init(restoring snapshot: Snapshot) { self = snapshot.engine }

  /// Computes the values that are asked most often; called at the end of every change of state.
  private mutating func lookAhead() {
    (runsCode, keepsAwake, hearsHeadings) = (false, false, false)
    var earliest = EngineInstant.earlier(policy.strategy.nextDeadline, daemon?.nextDeadline)
    for index in apps.indices {
      if apps[index].state.runsCode { runsCode = true }
      if !keepsAwake { keepsAwake = apps[index].keepsAwake(in: rules.era) }
      if apps[index].hearsHeadings(in: rules.era) { hearsHeadings = true }
      earliest = .earlier(earliest, apps[index].lifecycle.nextDeadline)
      earliest = .earlier(earliest, apps[index].lookDeadline(in: rules.era))
      earliest = .earlier(earliest, apps[index].standard?.deferral?.until)
      if apps[index].hasPlaces {
        earliest = .earlier(
          earliest,
          apps[index].places?.deadline(after: latest, runsCode: apps[index].state.runsCode))
      }
      if rules.era.idleWake != nil { earliest = .earlier(earliest, idleDeadline(of: index)) }
    }
    hasWork = apps.indices.contains { apps[$0].hasWork }
    nextNotification = nil
    if hasWork {
      for index in apps.indices {
        earliest = .earlier(earliest, workDeadline(of: index, runsCode: runsCode))
        guard let next = apps[index].work?.notifications.next else { continue }
        nextNotification = nextNotification.map { min($0, next) } ?? next
      }
    }
    nextDeadline = earliest
    leadingService = mostDemandingService
    hasSoleListener = plan == .continuous && apps.count == 1 && isFirstSoleListener
  }

  /// Takes one input at its instant; appends what must be done, in order.
  package mutating func handle(
    _ input: EngineInput, at instant: EngineInstant, into commands: inout [EngineCommand]
  ) {
    if case .fix(let fix) = input {
      let frame = LocalFrame(origin: fix.coordinate)
      return take(fix: fix, around: frame, at: instant, into: &commands)
    }
    let now = max(instant, latest)
    latest = now
    let isDue = nextDeadline.map { $0 <= now } ?? false
    if case .device(.rebooted(let isLocked)) = input {
      endAll(isLocked: isLocked, at: now, into: &commands)
    }
    if isDue { fireDeadlines(at: now, into: &commands) }
    switch input {
    case .app(let id, let input): app(id, input, at: now, into: &commands)
    case .heading(let heading): pointed(heading, at: now, into: &commands)
    case .declination(let degrees): declination = degrees
    case .networkFix(let fix): receivedFromNetwork(fix, at: now, into: &commands)
    case .networkPositionFailed: networkFailed(at: now, into: &commands)
    case .cellChanged(let cell):
      guard triggers.contains(.cells) else { break }
      if rules.platform == .machine || isLooking {
        tellPolicy(.cellChanged(cell), at: now, into: &commands)
      }
      if !rules.feelsMotion { feltByDaemon(at: now) }
    case .motionFelt(let windows): moved(windows, at: now, into: &commands)
    case .tripHint(let hint): heard(hint, at: now, into: &commands)
    case .signal(let isHeard):
      if isLooking { tellPolicy(.signal(isHeard: isHeard), at: now, into: &commands) }
    case .utc(let utc): notify(at: utc, into: &commands)
    case .device(let event): happened(event, at: now, into: &commands)
    case .fix, .timePassed: break
    }
    conclude(at: now, into: &commands)
  }

  /// Takes a fix of the receiver: the most frequent input, with its own method since a fix is large. `frame` is the one
  /// around the fix: engines that take the same fix share it.
  package mutating func take(
    fix: Fix, around frame: LocalFrame, at instant: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    let now = max(instant, latest)
    latest = now
    let isDue = nextDeadline.map { $0 <= now } ?? false
    if isDue { fireDeadlines(at: now, into: &commands) }
    // A fix that only updates take leaves nothing to settle.
    guard received(fix, around: frame, at: now, into: &commands) || isDue else { return }
    conclude(at: now, into: &commands)
  }

  private mutating func conclude(at now: EngineInstant, into commands: inout [EngineCommand]) {
    // While the processor still runs: a fetch that waited for another one to return.
    if runsCode, hasWork { doWork(at: now, into: &commands) }
    settle(at: now, into: &commands)
  }

  /// The state of an app; `nil` for an unknown one.
  package func state(of id: AppID) -> AppState? {
    guard let index = index(of: id) else { return nil }
    return apps[index].lifecycle.state
  }

  /// Whether an app's request for a single location is still open.
  package func awaitsLocation(_ id: AppID) -> Bool {
    index(of: id).map { apps[$0].hasSingle } ?? false
  }

  /// Continues an app's delivery numbers after a restart: the next one is above `after`, even if the snapshot is older
  /// than the last delivery, or lost. Never lowers a number; an unknown app is left alone.
  package mutating func continueSequence(of id: AppID, after: UInt64) {
    guard let index = index(of: id) else { return }
    apps[index].deliveries = max(apps[index].deliveries, after)
  }

  /// The app's index in the list. Apps are numbered from 1 in order of arrival, so the guess is right for all but those
  /// behind a removed one.
  func index(of id: AppID) -> Int? {
    let guess = Int(id.number) - 1
    if apps.indices.contains(guess), apps[guess].id == id { return guess }
    return apps.firstIndex { $0.id == id }
  }

  private mutating func fireDeadlines(at now: EngineInstant, into commands: inout [EngineCommand]) {
    for index in apps.indices {
      while let due = apps[index].lifecycle.nextDeadline, due <= now {
        advance(index, .timePassed, at: now, into: &commands)
      }
    }
    doWork(at: now, into: &commands)
    wakeIdle(at: now, into: &commands)
    lookOn(at: now, into: &commands)
    endDeferrals(at: now, into: &commands)
    answerQuestions(at: now, into: &commands)
    if let due = policy.strategy.nextDeadline, due <= now {
      tellPolicy(.timePassed, at: now, into: &commands)
    }
    if let due = daemon?.nextDeadline, due <= now { passDaemon(to: now, into: &commands) }
  }

  mutating func tellPolicy(
    _ event: PolicyEvent, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard policy.strategy.handle(event: event, at: now) else { return }
    let isAsked = daemon?.isAsking == true
    policyAskedAt = now
    if !isAsked { commands.append(.requestNetworkPosition) }
  }

  /// Steps 3 and 4: holds, then the merged plan. Ends every change.
  mutating func settle(at now: EngineInstant, into commands: inout [EngineCommand]) {
    confirmStays(at: now, into: &commands)
    followMonitors(at: now, into: &commands)
    endAudio(into: &commands)
    var wish: ReceiverWish?
    var (awaitsMotion, heedsMotion) = (false, false)
    for index in apps.indices {
      advance(index, .held(apps[index].holds(in: rules.era)), at: now, into: &commands)
      if apps[index].hasWork {
        advance(
          index, .watchedFor(apps[index].isWatchedFor(in: rules.era)), at: now, into: &commands)
      }
      if wish != .continuous { wish = apps[index].receiverWish(in: rules.era) ?? wish }
      awaitsMotion = awaitsMotion || apps[index].awaitsMotion
      heedsMotion = heedsMotion || apps[index].looksByMotion(in: rules.era)
    }
    var wanted: Triggers = isLooking ? policy.strategy.triggers : .none
    if awaitsMotion || heedsMotion, rules.feelsMotion { wanted.insert(.motion) }
    if let daemon { wanted.formUnion(daemon.triggers) }
    if wanted != triggers {
      triggers = wanted
      commands.append(.listen(wanted))
    }
    let merged: ReceiverPlan =
      wish == .continuous
      ? .continuous
      : wish == .session || isLooking && policy.strategy.wantsSession
        ? .session : .off(reasonForOff(awaitsMotion: awaitsMotion))
    if merged != plan {
      plan = merged
      commands.append(.receiver(merged))
    }
    lookAhead()
  }

  /// The policy begins with the first app that monitors and may be told, and rests with the last: events without a
  /// recipient cost nothing.
  private mutating func followMonitors(at now: EngineInstant, into commands: inout [EngineCommand])
  {
    var (isWanted, isDaemonWanted) = (false, false)
    for index in apps.indices {
      let obstacle = apps[index].obstacle(in: rules.era, on: device)
      if obstacle != apps[index].unreachable {
        apps[index].unreachable = obstacle
        commands.append(.unreachable(apps[index].id, obstacle))
      }
      guard obstacle == nil, apps[index].isReachable(in: rules.era, on: device) else { continue }
      if !isWanted { isWanted = isServedByPolicy(index) }
      if apps[index].hasPlaces { isDaemonWanted = true }
    }
    followDaemon(isWanted: isDaemonWanted, at: now)
    guard isWanted != isLooking else { return }
    isLooking = isWanted
    tellPolicy(isWanted ? .began : .ended, at: now, into: &commands)
  }

  private func reasonForOff(awaitsMotion: Bool) -> ReceiverPlan.Off {
    if let rest = restOfUpdates { return rest }
    if isLooking { return policy.strategy.waitsFor }
    if daemon != nil { return .awaitsPlace }
    if awaitsMotion, rules.feelsMotion { return .awaitsMotion }
    if apps.contains(where: { $0.standard?.phase == .paused }) { return .paused }
    let hasAsked = apps.contains {
      $0.monitors || $0.hasStandard || $0.hasSingle || $0.heading != nil || $0.deliveries > 0
    }
    return hasAsked ? .nobodyRuns : .nobodyAsks
  }

  /// The reason why updates of running apps need no receiver now, of several the one that ends first; `nil` if there
  /// are no such updates.
  private var restOfUpdates: ReceiverPlan.Off? {
    var rest: ReceiverPlan.Off?
    // By index: an app is large, and a loop over elements copies each.
    for index in apps.indices {
      var own: ReceiverPlan.Off?
      if let looks = apps[index].standard?.looks, apps[index].updates(in: rules.era) {
        own = looks.reason
      } else if let single = apps[index].single, apps[index].requests(in: rules.era) {
        own = .networkServes(accuracy: single.accuracy)
      }
      guard let own else { continue }
      func ends(_ off: ReceiverPlan.Off?) -> Int64 { off?.until?.microseconds ?? .max }
      if rest == nil || ends(own) < ends(rest) { rest = own }
    }
    return rest
  }
}

extension LocationEngine: Codable {
  /// Derived values are not part of a snapshot.
  private enum CodingKeys: CodingKey {
    case rules, apps, gate, policy, plan, isLooking, triggers, lastKnown, device, periodic, latest
    case policyAskedAt, hiddenIn, declination, lastKnownAt, rebootedAt, daemon
  }
}
