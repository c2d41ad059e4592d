// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower
package import ServiceContract

// Theory
// ======
//
// The energy that the profiled device would have used for the actual events. A simulated receiver reports its states
// itself (`told`); those of a live one are inferred from the plan and the fixes:
//
//          plan on                 first fix                plan off        hold over
//   off ───────────► acquiring ───────────────► tracking ───────────► held ───────────► off
//                        ▲                          │ ▲                 │
//                        └──── 10 s without a fix ──┘ └──── plan on ────┘
//
// - What an acquisition knows depends on the time since the last tracking, as in a replay (`ReceiverStarts`); where an
//   ephemeris of that age may fit or not, it is the likelier.
// - gpsd holds a device for about 60 s after its last watcher has left; the receiver draws as while it
//   tracks. The end of the hold needs no timer: it is entered with its own instant before the next
//   record, and before a reading.
// - A gpsd that closes its device on request ends the hold at once; a receiver that is wanted again already has
//   to acquire anew.
// - A receiver that gpsd has closed is not off by that: on its supply it goes on, as a dongle on USB does
//   (`runsOnWhenClosed`). Only one that was sent to sleep takes what a backup supply takes, and until its own timer ends
//   that: held ──asleep──► asleep ──plan on──► acquiring, or ──its timer──► off.
// - While the receiver is wanted and there is no connection to gpsd, or gpsd has no receiver, its state is unknown: the
//   meter stands still. So it does after 120 s in which a tracking receiver reported nothing at all, not even the lack
//   of a fix (the line is cut): this is a trace's gap.
// - The processor is awake while an app's code runs, and in a session; if the receiver can wake it
//   (`DeviceProfile.Acquisition`), it sleeps in a session for as long as there is no fix.
// - A position of the network keeps it awake for as long as the profile says (`soc,locate`): the scan, the question and
//   what its system does with the answer. The end of that needs no timer either.
// - A plan that ends in an unknown state ends the doubt: an unreachable receiver is not held. It is off at once, and
//   the meter goes on.

/// Feeds an energy meter with the activity of the receiver, the sensors, the processor and the apps.
package struct ServiceMeter: Sendable, Equatable {
  private enum ReceiverState: Sendable, Equatable {
    /// It reports its states itself.
    case told
    case off
    case acquiring
    case tracking(lastFix: EngineInstant)
    /// The plan is off, the device is not yet.
    case held(until: EngineInstant, tracks: Bool)
    /// Sent to sleep; its own timer wakes it then, if it has one.
    case asleep(since: EngineInstant, until: EngineInstant?)
  }

  /// Seconds without a fix after which a tracking receiver counts as searching.
  static let silence = 10.0
  /// Seconds without any report after which the state of a tracking receiver is unknown.
  static let patience = 120.0

  /// Seconds for which the receiver runs on after the last watcher left.
  let hold: Double
  package private(set) var meter: EnergyMeter
  private var receiver: ReceiverState
  private var lastTracked: EngineInstant?
  /// The sleeps that are over.
  private var slept = SleepTally()
  /// Whether the processor is awake.
  package private(set) var isAwake = false
  /// What keeps it awake: an app's code, a session.
  private var runsCode = false
  private var isInSession = false
  private var locatesUntil: EngineInstant?
  private var isAcquiring = false
  private var isMotionArmed = false
  private let isPhone: Bool
  /// All activity since `takeLog`; kept only if requested.
  private var log: [Activity] = []
  /// Whether `log` is kept.
  package var keepsLog = false
  /// Whether the meter runs.
  package private(set) var isKnown = true
  /// The last report of any receiver, with or without a position.
  private var heardAt: EngineInstant?

  package init(_ settings: ServiceSettings) {
    hold = settings.receiverHold
    isPhone = settings.rules.platform != .machine
    receiver = settings.hearsReceiver ? .told : .off
    meter = EnergyMeter(device: settings.device, network: settings.network)
  }

  /// Returns the activity since the last time, and forgets it.
  package mutating func takeLog() -> [Activity] {
    defer { log.removeAll(keepingCapacity: true) }
    return log
  }

  /// Joules of the device's full battery; `nil` if it has none.
  package var battery: Double? {
    let energy = meter.device.battery.nominal
    return energy > 0 ? energy : nil
  }

  package var networkName: String? { meter.network?.name }

  /// In words for a status: `off`, `acquiring`, `tracking`, `held`.
  package var receiverText: String {
    switch receiver {
    case .told: "simulated"
    case .off: "off"
    case .acquiring: "acquiring"
    case .tracking: "tracking"
    case .held: "held"
    case .asleep: "asleep"
    }
  }

  package mutating func follow(plan: ReceiverPlan, at now: EngineInstant) {
    guard receiver != .told else { return }
    catchUp(to: now)
    if !plan.isOn, !isKnown {
      record(activity: .gnss(closed), at: now)
      receiver = .off
      knows(true, at: now)
    }
    switch receiver {
    case .off where plan.isOn: acquire(at: now)
    case .asleep(let since, _) where plan.isOn:
      slept.add(from: since, to: now)
      acquire(at: now)
    case .held(_, let tracks) where plan.isOn:
      receiver = tracks ? .tracking(lastFix: now) : .acquiring
    case .acquiring where !plan.isOn: letGo(tracks: false, at: now)
    case .tracking where !plan.isOn:
      lastTracked = now
      letGo(tracks: true, at: now)
    case .told, .off, .held, .acquiring, .tracking, .asleep: break
    }
  }

  package mutating func sawFix(at now: EngineInstant) {
    hear(at: now)
    switch receiver {
    case .acquiring:
      record(activity: .gnss(.trackGood), at: now)
      receiver = .tracking(lastFix: now)
    case .tracking: receiver = .tracking(lastFix: now)
    case .told, .off, .held, .asleep: break
    }
  }

  /// What came of a device that gpsd closed at once.
  package enum Closed: Sendable, Equatable {
    case awake
    /// Its receiver was sent to sleep before; its own timer wakes it then, if it has one.
    case asleep(until: EngineInstant?)
  }

  /// Notes that gpsd closed the device at once.
  package mutating func released(_ closed: Closed = .awake, at now: EngineInstant) {
    catchUp(to: now)
    switch receiver {
    case .held(_, let tracks):
      if tracks { lastTracked = now }
      rest(closed, at: now)
    // Without a hold it counts as off already.
    case .off where closed != .awake: rest(closed, at: now)
    case .tracking:
      lastTracked = now
      acquire(at: now)
    case .told, .off, .acquiring, .asleep: break
    }
  }

  private mutating func rest(_ how: Closed, at now: EngineInstant) {
    switch how {
    case .awake:
      record(activity: .gnss(closed), at: now)
      receiver = .off
    case .asleep(let until):
      record(activity: .gnss(.backup), at: now)
      receiver = .asleep(since: now, until: until)
    }
  }

  /// The receiver's state once gpsd has closed its device, and nobody sent it to sleep.
  private var closed: Activity.GNSSState { meter.device.runsOnWhenClosed ? .usbIdle : .off }

  /// The receiver's sleeps up to `now`, which no input reached since.
  package func sleeps(at now: EngineInstant) -> SleepTally {
    guard case .asleep(let since, let until) = receiver else { return slept }
    var sleeps = slept
    sleeps.add(from: since, to: until.map { min($0, now) } ?? now)
    return sleeps
  }

  /// Joules that the receiver's sleeps have saved: it would have gone on. `nil` where the profile does not know both.
  package func savedBySleep(at now: EngineInstant) -> EnergyRange? {
    meter.device.sleepSaving(seconds: sleeps(at: now).seconds)
  }

  /// Takes an epoch without a position.
  package mutating func sawNoFix(at now: EngineInstant) {
    hear(at: now)
    guard case .tracking(let lastFix) = receiver,
      EngineInstant.seconds(from: lastFix, to: now) > Self.silence
    else { return }
    lastTracked = lastFix
    acquire(at: now)
  }

  /// Takes whether there is a connection to gpsd and a receiver on it, when one is wanted.
  package mutating func knows(_ isKnown: Bool, at now: EngineInstant) {
    catchUp(to: now)
    // A silence that begins with the connection is counted from there.
    if isKnown { heardAt = now }
    guard isKnown != self.isKnown else { return }
    self.isKnown = isKnown
    record(activity: .metering(isKnown), at: now)
  }

  /// Sets the reasons that keep the processor awake: an app's code, a session of the receiver.
  package mutating func keepAwake(byCode: Bool, bySession: Bool, at now: EngineInstant) {
    guard (runsCode, isInSession) != (byCode, bySession) else { return }
    catchUp(to: now)
    runsCode = byCode
    isInSession = bySession
    settleProcessor(at: now)
  }

  /// Notes that the network is asked for a position.
  package mutating func locate(at now: EngineInstant) {
    record(.wifiScan, at: now)
    guard meter.device.locateTime > 0 else { return }
    locatesUntil = now.advanced(bySeconds: meter.device.locateTime)
    settleProcessor(at: now)
  }

  private mutating func settleProcessor(at now: EngineInstant) {
    let sleeps = isAcquiring && meter.device.acquisition == .asleep
    let isAwake = runsCode || isInSession && !sleeps || locatesUntil != nil
    guard isAwake != self.isAwake else { return }
    self.isAwake = isAwake
    record(activity: .soc(isAwake ? .awakeIdle : .suspended), at: now)
  }

  /// Meters anything else: an app's launch, wake or delivery, a scan, a transfer.
  package mutating func record(_ event: Activity.Event, at now: EngineInstant) {
    catchUp(to: now)
    record(activity: event, at: now)
  }

  /// Meters a transfer by the service over the device's network; returns its additional joules, nominal: with it and
  /// without it, until the link is idle again. `nil` without a network profile.
  mutating func transfer(up: Int, down: Int, at now: EngineInstant) -> Double? {
    guard let network = meter.network else { return nil }
    catchUp(to: now)
    let end = now.advanced(bySeconds: meter.cellBusySeconds + 60 + 2 * network.tailDuration)
    let before = meter.joules(at: end)
    record(activity: .cellTransfer(uploadBytes: up, downloadBytes: down, rateMbps: nil), at: now)
    return max(0, meter.joules(at: end) - before)
  }

  /// Records deliveries of the same instant besides one already recorded.
  package mutating func record(deliveries count: Int, at now: EngineInstant) {
    guard keepsLog else {
      catchUp(to: now)
      return meter.record(deliveries: count, at: now)
    }
    for _ in 0..<count { record(.delivery, at: now) }
  }

  /// Sets the armed triggers of the sensors. A phone's motion coprocessor runs all the time, for steps and the way of
  /// moving, whoever asks: it is part of the phone's floor.
  package mutating func arm(_ triggers: Triggers, at now: EngineInstant) {
    guard !isPhone, triggers.contains(.motion) != isMotionArmed else { return }
    isMotionArmed = triggers.contains(.motion)
    record(.motionSensor(isMotionArmed), at: now)
  }

  /// Ends the metering.
  package mutating func finish(at now: EngineInstant) {
    catchUp(to: now)
    if keepsLog { log.append(Activity(at: now, .end)) }
    meter.finish(at: now)
  }

  /// The energy used up to `now`.
  package mutating func report(at now: EngineInstant) -> EnergyReport {
    catchUp(to: now)
    meter.finish(at: now)
    return meter.report()
  }

  /// The energy above the baseline of a receiver that always tracks and a processor that never sleeps over `seconds`,
  /// without the work of apps.
  package func continuous(seconds: Double) -> EnergyRange {
    var busy = EnergyMeter(device: meter.device, network: nil)
    busy.record(Activity(at: .zero, .soc(.awakeIdle)))
    busy.record(Activity(at: .zero, .gnss(.trackGood)))
    busy.finish(at: EngineInstant.zero.advanced(bySeconds: seconds))
    return busy.report().total
  }

  private mutating func acquire(at now: EngineInstant) {
    let start = meter.device.starts.start(
      age: lastTracked.map { EngineInstant.seconds(from: $0, to: now) })
    record(activity: .gnss(start.state), at: now)
    receiver = .acquiring
  }

  private mutating func letGo(tracks: Bool, at now: EngineInstant) {
    guard hold > 0 else {
      record(activity: .gnss(closed), at: now)
      receiver = .off
      return
    }
    receiver = .held(until: now.advanced(bySeconds: hold), tracks: tracks)
  }

  /// Takes a report as evidence of a receiver.
  private mutating func hear(at now: EngineInstant) {
    catchUp(to: now)
    heardAt = now
    knows(true, at: now)
  }

  /// Enters the end of a hold, of patience, or of the work on a position of the network, that has passed: before `meter`
  /// is asked for its energy at `now`.
  package mutating func catchUp(to now: EngineInstant) {
    if let until = locatesUntil, until <= now {
      locatesUntil = nil
      settleProcessor(at: until)
    }
    switch receiver {
    case .held(let until, let tracks) where until <= now:
      if tracks { lastTracked = until }
      record(activity: .gnss(closed), at: until)
      receiver = .off
    case .asleep(let since, let until?) where until <= now:
      slept.add(from: since, to: until)
      record(activity: .gnss(closed), at: until)
      receiver = .off
    case .tracking(let lastFix) where isKnown:
      let silent = max(heardAt ?? lastFix, lastFix).advanced(bySeconds: Self.patience)
      guard silent <= now else { return }
      isKnown = false
      record(activity: .metering(false), at: silent)
    case .told, .off, .acquiring, .held, .tracking, .asleep: break
    }
  }

  private mutating func record(activity event: Activity.Event, at now: EngineInstant) {
    let activity = Activity(at: now, event)
    meter.record(activity)
    if keepsLog { log.append(activity) }
    guard case .gnss(let state) = event else { return }
    // A search whose radio the modem took resumes afterwards.
    if state != .blocked { isAcquiring = state.isAcquiring }
    settleProcessor(at: now)
  }
}
