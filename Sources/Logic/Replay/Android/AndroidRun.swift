// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Geodesy
import LocationEngine
import LocationModel
package import RadioPower

// Theory
// ======
//
// The lives of Android apps over a trace, in one world. The machines decide (`AndroidPhone`, and the daemon of geofences);
// this hands them what happens, in order of time, and writes down what they do:
//
//   trace ──► truth, a sample a second ──► motion, receiver ──► AndroidPhone ──► told, woken, or why not ──► account
//                                              ▲     ▲             │  ▲
//             script: what users do ───────────┼─────┼─────────────┘  │
//                     what apps do ◄───────────┴─────┴── events ──────┘
//
// Between two samples the run goes from deadline to deadline. In a gap of the trace time goes on, and the position is not
// known: nobody is told one.

/// Android apps over a trace.
package struct AndroidRun: Sendable {
  let script: AndroidScript
  var phone: AndroidPhone
  var daemon: GeofenceDaemon
  private var activities = ActivityRecognition()
  var radios: AndroidRadios
  var program = AndroidProgram()
  var meter: EnergyMeter
  var clock = RunClock()
  private var acts: ActQueue<AndroidAct>
  private var sensors: DeviceSensors
  private var truth: TruthStream
  private var steps = TruthSteps()
  private var sampler: WorldSampler
  private var read = 0
  private var hasBegun = false
  /// The latest true sample; `nil` in a gap.
  private var latest: TruthSample?
  private var events: [AndroidEvent] = []
  private var isAwake = false
  /// Apps that were run for an event, and have not said that they are done.
  var awake: Set<AppID> = []
  /// When each app was last told, so that only the first of many is written down.
  var toldAt: [AppID: EngineInstant] = [:]
  var lines: [AndroidLine] = []
  /// What became of each app, in the order of the script.
  package internal(set) var totals: [AndroidTotals]

  package init(
    _ script: AndroidScript, options: ReplayOptions, summary: TraceSummary,
    observed: ObservedErrors?
  ) {
    self.script = script
    phone = AndroidPhone(release: script.release)
    daemon = GeofenceDaemon(script.release, options)
    radios = AndroidRadios(options)
    meter = EnergyMeter(device: options.device, network: options.network)
    acts = ActQueue(script.acts)
    sensors = DeviceSensors(options.device)
    truth = TruthStream(summary, isRecorded: observed == nil)
    sampler = WorldSampler(options: options, observed: observed)
    totals = script.apps.map { AndroidTotals(app: $0.name) }
    for (number, app) in script.apps.enumerated() {
      phone.install(AppID(UInt32(number)), app.permission, isApproximate: app.isApproximate)
    }
  }

  /// What has become of all, with the energy that `finishTrace` returned.
  package func result(_ energy: EnergyReport) -> AndroidResult {
    AndroidResult(
      time: clock.utc, apps: totals, energy: energy, receiverOnSeconds: meter.receiverOnSeconds)
  }

  /// Takes the next events of the truth.
  package mutating func feed(_ events: [TraceEvent]) {
    for event in events { truth.takeEvent(event, into: &steps) }
    live()
  }

  /// Ends at the latest sample; returns the energy above what a suspended phone draws.
  package mutating func finishTrace() -> EnergyReport {
    truth.finish(into: &steps)
    live()
    meter.finish(at: clock.now)
    for act in acts.rest { writeLine(.notPlayed(act.what)) }
    return meter.report()
  }

  /// Returns the account since the last call.
  package mutating func drainLines() -> [AndroidLine] {
    defer { lines.removeAll() }
    return lines
  }

  // MARK: The world's side

  private mutating func live() {
    while true {
      if let gap = steps.gaps.first, gap.number <= read {
        steps.removeFirstGap()
        pass(gap)
      } else if read < steps.known {
        live(through: steps[read])
        read += 1
      } else {
        steps.forget(before: read)
        return
      }
    }
  }

  private mutating func live(through truth: TruthSample) {
    if !hasBegun { begin(at: truth) }
    pass(to: truth.at)
    clock.pass(to: truth)
    latest = truth
    acts.see(truth.coordinate, at: clock.now)
    pass(to: clock.now)
    guard truth.isTick else { return }
    let sample = sampler.sample(truth)
    record(.moving(truth.moves))
    if sensors.hear(sample, at: clock.now).isMotion {
      handle(.moved)
      hear(activity: activities.moved(at: clock.now))
      if daemon.listensToMotion { takeAnswer(daemon.handle(.motionBegan, at: clock.now)) }
    }
    if let fix = radios.tick(sample, at: clock.now) { offer(fix) }
    if let state = radios.change() { record(.gnss(state)) }
  }

  private mutating func begin(at truth: TruthSample) {
    hasBegun = true
    clock.begin(at: truth)
    latest = truth
    acts.begin(at: clock.now, utc: clock.utc)
    for number in script.apps.indices { daemon.add(AppID(UInt32(number)), at: clock.now) }
  }

  private mutating func pass(_ gap: TruthSteps.Gap) {
    pass(to: gap.start)
    record(.metering(false))
    latest = nil
    let before = (clock.now, clock.utc)
    pass(to: gap.end)
    clock.shift(to: gap.end)
    clock.set(before.1.advanced(bySeconds: EngineInstant.seconds(from: before.0, to: gap.end)))
    record(.metering(true))
    writeLine(.gap(from: before.1))
  }

  // MARK: Time

  private var nextDeadline: EngineInstant? {
    var next = EngineInstant.earlier(phone.nextDeadline, daemon.nextDeadline)
    next = .earlier(next, .earlier(radios.nextDeadline, program.nextDeadline))
    next = .earlier(next, .earlier(acts.nextDeadline, activities.nextDeadline))
    return next
  }

  private mutating func pass(to end: EngineInstant) {
    while let due = nextDeadline, due <= end {
      clock.shift(to: due)
      if let at = acts.nextDeadline, at <= clock.now, let act = acts.pop(at: clock.now) {
        play(act: act.what)
      }
      handle(.timePassed)
      hear(activity: activities.pass(to: clock.now))
      takeAnswer(daemon.pass(to: clock.now))
      for _ in 0..<radios.pass(to: clock.now) { record(.wifiScan) }
      switch radios.answer(at: latest, clock) {
      case .position(let fix):
        offer(fix)
        takeAnswer(daemon.handle(.networkFix(fix), at: clock.now))
      case .failed: takeAnswer(daemon.handle(.networkPositionFailed, at: clock.now))
      case nil: break
      }
      if let state = radios.change() { record(.gnss(state)) }
      performSteps()
      settleProcessor()
    }
  }

  // MARK: What happens

  mutating func handle(_ input: AndroidInput) {
    events.removeAll(keepingCapacity: true)
    phone.handle(input, at: clock.now, into: &events)
    follow()
  }

  private mutating func offer(_ fix: Fix) {
    events.removeAll(keepingCapacity: true)
    phone.offer(fix, at: clock.now, into: &events)
    follow()
    if fix.source == .gnss { takeAnswer(daemon.handle(.fix(fix), at: clock.now)) }
  }

  /// Takes what the daemon of geofences answers.
  mutating func takeAnswer(_ answer: GeofenceDaemon.Answer) {
    if answer.asks {
      if phone.mode == .deep {
        takeAnswer(daemon.handle(.networkPositionFailed, at: clock.now))
      } else if radios.ask(isScan: true, at: clock.now) {
        record(.wifiScan)
        settleProcessor()
      }
    }
    for crossing in answer.crossings {
      let was = totals[Int(crossing.app.number)].wakes
      handle(.app(crossing.app, .woken(.geofence)))
      guard totals[Int(crossing.app.number)].wakes > was else { continue }
      writeLine(.crossed(crossing.transition, place: crossing.place), crossing.app)
      runHandler(AndroidTrigger(crossing.transition), of: crossing.app)
    }
    performSteps()
  }

  /// Tells the apps that asked for them of a change of activity.
  private mutating func hear(activity isMoving: Bool?) {
    guard let isMoving else { return }
    for number in script.apps.indices {
      let app = AppID(UInt32(number))
      guard phone.life(of: app)?.promises.contains(.activity) == true else { continue }
      let was = totals[number].wakes
      handle(.app(app, .woken(.activity)))
      guard totals[number].wakes > was else { continue }
      writeLine(.activity(isMoving: isMoving), app)
      runHandler(isMoving ? .moving : .still, of: app)
    }
    performSteps()
  }

  /// Writes down what the phone has done, and tells the radios and the meter.
  private mutating func follow() {
    let events = events
    for event in events { note(event: event) }
    settleProcessor()
  }

  private mutating func settleProcessor() {
    let isAwake =
      radios.locates
      || script.apps.indices.contains {
        phone.life(of: AppID(UInt32($0)))?.state.runsCode ?? false
      }
    if isAwake != self.isAwake { record(.soc(isAwake ? .awakeIdle : .suspended)) }
    self.isAwake = isAwake
  }

  mutating func record(_ event: Activity.Event) {
    meter.record(Activity(at: clock.now, event))
  }
}
