// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// One belief (`PaceBelief`: how fast the device goes, and how far it has got since the last fix), one decision
// (`LookAhead`: when the next fix is worth its price). The policy updates the belief and has the receiver on when a fix
// is wanted.
//
//   stopped ──began──► looking ──the next fix is wanted later──► waiting(until) ◄──answer, or none── asking(until)
//                       ▲  ▲ ├── soon: stays on; no fix in time: the sky is gone ──► waiting            ▲
//                       │  │ └── what it sees may be a jump ──► confirming(until) ──time──► looking     │
//                       │  └──────────── time, and it still is wanted ────────────────┴─ from the network
//                       └── a hint, after which it is wanted sooner ──────────────────┘
//
// - *Every event is evidence, followed by a new decision.* The sensor fired, the modem heard a cell that is new here, a
//   fix came, time passed in silence: a look whose time has come is postponed if the silence since says so, which it
//   cannot where nothing is heard. There is no other rule for stirs, strolls, departures, polls or back-off.
// - *Lead.* The receiver is switched on before the fix is wanted, by a quantile of the TTFF (`AcquisitionMemory`): the
//   one at which a second of searching costs as much as a second of delay.
// - *On or off.* Switching off and on again costs about an acquisition, `again` seconds of tracking (ski rental): a
//   fix that is wanted sooner is waited for. If the receiver is held for a time h after it was switched off, as behind
//   gpsd, that time is paid for anyhow:
//
//     wanted while it is held      off; a second before it is wanted, the fix is there at once
//     h < wait ≤ h + lead + again  stays on: off and on again would draw as much
//     longer                       off
//
// - *Cells* are armed while a change could bring the look forward, for each change wakes the processor: not while the
//   policy waits for the end of an interval. A cell heard since the device came here is no news: a modem swings between
//   the cells that overlap.
// - *Jumps.* The belief says how much likelier a jump is than the way found; `JumpGate` says for how long others must
//   agree with such a fix. Once three do, the policy looks again when that may confirm them; no hint changes that.
// - *Sky.* A receiver that hears satellites searches on until the device's timeout: up to ten medians of the TTFF, the
//   mean rest of a search is shorter than a new one (of log-normal times). A receiver that hears none is given up after
//   the few seconds in which it would, and after as many more as its gains are worth (ski rental again): the satellites
//   heard for a first fix, or the place that it tracked, are lost with the session, in tracking and in delay. A receiver
//   that does not report satellites gets the time that nearly all hot starts take, and after a search in vain no more
//   than nine in ten do.
// - *Network.* Where the device has network positions, `LookAhead` weighs them against the receiver's, which cost
//   more. The policy takes one that is more accurate than its belief of the way; the belief then begins with that error.
//   After a coarse one, or none, the network is expected to go on like that for as long again. Without
//   sky a coarse one decides too, if it is farther from the anchor by a deviation (`SignificantService.Criteria`).
//
// Odd cases
// - Apps with different anchors and thresholds: the earliest crossing of any counts.
// - No app may be told (authorization withdrawn): nothing is wanted but a look at the horizon.
// - Before the first fix one is wanted at once, and after a failure as the sky allows.
// - The receiver is on for another app: its fixes are used as if they were the policy's own.

/// Our own policy: looks when a crossing is likely.
struct MilepostPolicy: Policy {
  private let given: PolicySettings
  private var memory: AcquisitionMemory
  private var belief: PaceBelief
  /// The instant up to which the belief is computed; `nil` before the first.
  private var at: EngineInstant?
  private var phase = Phase.stopped
  private var jumps = JumpGate()
  private var wants: [LookAhead.Want] = []
  /// The last believed place.
  private var place: BelievedPlace? { jumps.believed }
  /// The time of the receiver's last fix.
  private var trackedAt: EngineInstant?
  /// The source of the last believed place.
  private var source: LookAhead.Source.Name?
  private var blindness: LookAhead.Outage?
  private var network = HeardNetwork()
  /// Whether the receiver reports whether it hears satellites.
  private var tellsSignal = false
  private var cells = HeardCells()
  /// The instant since when a rest is likelier than not.
  private var restsSince: EngineInstant?
  /// `nil` for the usual ones, which are not written.
  private var lateness: LatenessTerms?

  /// The learned TTFF is in `memory`, the rest in the settings.
  init(_ settings: PolicySettings, memory: AcquisitionMemory) {
    // Unused settings are left out, so that its own settings make an equal policy.
    var given = PolicySettings(name: Self.kind.name, senses: settings.senses)
    given.receiverHold = max(0, settings.receiverHold ?? 0)
    given.motion = settings.motion
    given.lookEnergy = settings.lookEnergy
    given.networkEnergy = settings.networkEnergy
    self.given = given
    self.memory = memory
    let sensing = settings.senses.contains(.motion) ? settings.motion ?? .usual : nil
    belief = PaceBelief(sensing: sensing)
  }

  private var hold: Double { given.receiverHold ?? 0 }

  var wantsSession: Bool {
    if case .looking = phase { true } else { false }
  }

  var nextDeadline: EngineInstant? { phase.until }

  var waitsFor: ReceiverPlan.Off {
    switch phase {
    case .stopped, .looking: return .nobodyAsks
    case .confirming(let until): return .awaitsSession(until)
    case .asking(let until): return .awaitsNetwork(until)
    case .waiting(let until):
      let awaitsHint = restsSince != nil && !given.senses.isEmpty
      return awaitsHint ? .awaitsHint(until) : .awaitsSession(until)
    }
  }

  /// The motion sensor always; cells only while a change could matter.
  var triggers: Triggers {
    // A change brings no look before the end of the interval.
    guard case .waiting(let until) = phase, wants.first.map({ until >= $0.due }) ?? true
    else { return given.senses.triggers.subtracting(.cells) }
    return given.senses.triggers
  }

  mutating func take(terms: LatenessTerms, at now: EngineInstant) {
    guard terms != lateness ?? .usual else { return }
    lateness = terms == .usual ? nil : terms
    guard case .waiting = phase else { return }
    decide(at: now)
    // Only an event can ask.
    if isAsking { phase = .waiting(now) }
  }

  func worth(_ rules: EngineRules) -> LookWorth? {
    let late = LookAhead.Want.Delay(.init(rules), again: memory.again).priced(
      by: lateness ?? .usual, look: given.lookEnergy)
    return LookWorth(seconds: late.seconds, terms: lateness ?? .usual)
  }

  mutating func learn(from other: any Policy) {
    guard let other = other as? MilepostPolicy else { return }
    memory = AcquisitionMemory(
      logMedian: other.memory.logMedian, timeout: memory.timeout, isAssisted: memory.isAssisted)
    belief.takeHabits(of: other.belief)
    lateness = other.lateness
  }

  /// An accuracy worse than a tenth of the distance counts; a position coarser than the distance decides nothing, and one
  /// of the network with such an error only where there is no sky.
  func criteria(for fix: Fix, _ rules: EngineRules) -> SignificantService.Criteria {
    var criteria = SignificantService.Criteria(rules)
    criteria.plainAccuracy = criteria.distance * SignificantService.Criteria.plainShare
    // Under open sky the receiver says more.
    let coarsest = blindness == nil ? criteria.plainAccuracy : criteria.distance
    criteria.coarsestAccuracy = min(
      criteria.coarsestAccuracy, fix.source == .network ? coarsest : criteria.distance)
    return criteria
  }

  var movement: MovementBelief? {
    phase == .stopped || place == nil || restsSince != nil ? nil : belief.movement
  }

  var rest: RestBelief? { restsSince.map { RestBelief(chance: belief.rest, since: $0) } }

  // MARK: Evidence

  mutating func handle(event: PolicyEvent, at now: EngineInstant) -> Bool {
    let before = phase
    follow(event: event, at: now)
    return isAsking && phase != before
  }

  /// Whether nothing but the receiver tells it anything: then a wait is no silence, and the look comes as foreseen.
  private var hearsNothing: Bool { given.senses.isEmpty && given.networkEnergy == nil }

  private var isAsking: Bool { if case .asking = phase { true } else { false } }

  private mutating func follow(event: PolicyEvent, at now: EngineInstant) {
    switch (event, phase) {
    case (.ended, _):
      var policy = MilepostPolicy(given, memory: memory)
      policy.learn(from: self)
      self = policy
    case (.began, .stopped):
      at = now
      look(at: now)
    case (.began, _): look(at: now)
    case (_, .stopped): break
    case (.judged, _): decide(at: now)
    case (.moved(let windows), _): moved(windows, at: now)
    case (.tripHint(let hint), _):
      advance(to: now)
      belief.heard(hint)
      if case .waiting = phase { decide(at: now) }
    case (.cellChanged(let cell), .waiting):
      advance(to: now)
      if cells.isNews(cell) {
        belief.heardNewCell()
        decide(at: now)
      }
    case (.signal(let isHeard), .looking(var search)) where search.hears != isHeard || !tellsSignal:
      tellsSignal = true
      search.hear(isHeard, at: now)
      wait(for: search, at: now)
    case (.timePassed, .looking(let search)) where search.until <= now:
      let since = search.deafSince ?? max(trackedAt ?? search.since, search.since)
      // A machine that slept meanwhile knows nothing of the sky since then.
      blindness = LookAhead.Outage(since: blindness?.since ?? since, until: search.until)
      decide(at: now)
    case (.timePassed, .waiting(let until)) where until <= now:
      if hearsNothing { look(at: now) } else { decide(at: now) }
    case (.timePassed, .asking(let until)) where until <= now: goOnUnserved(at: now)
    case (.failed, .asking): goOnUnserved(at: now)
    case (.timePassed, .confirming(let until)) where until <= now: look(at: now)
    case (.timePassed, _), (.cellChanged, _), (.signal, _), (.failed, _): break
    }
  }

  /// The network was of no use.
  private mutating func goOnUnserved(at now: EngineInstant) {
    network.answered(accuracy: nil, plain: plainAccuracy, at: now)
    phase = .waiting(now)
    decide(at: now)
  }

  /// Seconds that the belief has not accounted for yet.
  private func seconds(to now: EngineInstant) -> Double {
    at.map { max(0, EngineInstant.seconds(from: $0, to: now)) } ?? 0
  }

  /// The accuracy up to which a position is as good as any, metres, as for the criteria.
  private var plainAccuracy: Double {
    (wants.first?.late.distance ?? EngineRules().significantDistance)
      * SignificantService.Criteria.plainShare
  }

  private mutating func advance(to now: EngineInstant) {
    let seconds = seconds(to: now)
    if seconds > 0 { belief.pass(seconds, cells: hearsNews) }
    at = now
  }

  private mutating func moved(_ windows: Int, at now: EngineInstant) {
    let more = belief.window * Double(windows - 1)
    belief.felt(after: max(0, seconds(to: now) - more), cells: hearsNews)
    for _ in 1..<windows { belief.felt(after: belief.window, cells: hearsNews) }
    at = now
    if case .waiting = phase { decide(at: now) }
  }

  /// Whether a cell that is new here would be reported as such.
  private var hearsNews: Bool { triggers.contains(.cells) && !cells.isNameless }

  /// Looks at a fix before the apps do; returns its fault.
  mutating func admit(
    _ fix: Fix, refusal: Verdict.Outcome?, at now: EngineInstant
  ) -> Verdict.Outcome? {
    // Jumps are judged here, with the hints; the rest is as the gate found it.
    if let refusal, refusal != .jumpUnconfirmed { return refusal }
    advance(to: now)
    if fix.source == .network { return admitCoarse(fix, at: now) }
    noteFirstFix(at: now)
    let last = place
    let way = last.map { (metres: $0.distance(to: fix), error: $0.error(to: fix)) }
    var doubt = 0.0
    if let way, let last, way.metres > last.noise(to: fix) {
      let seconds = EngineInstant.seconds(from: last.at, to: now)
      doubt = JumpGate.doubt(odds: belief.oddsOfJump(way, speed: fix.speed, after: seconds))
    }
    if case .candidate = jumps.judge(
      fix, at: now, doubt: doubt, firstFixes: JumpGate.confirmingFixes, byCount: false)
    {
      awaitConfirmation(at: now)
      return .jumpUnconfirmed
    }
    learn(fix, way: way, since: last, at: now)
    return nil
  }

  /// Half-way round the earth, metres: a position with such an error may be anywhere.
  private static let anywhere = 2e7

  /// Takes a position of the network, if it says more than the belief; one that may be anywhere says nothing.
  private mutating func admitCoarse(_ fix: Fix, at now: EngineInstant) -> Verdict.Outcome? {
    let accuracy = fix.horizontalAccuracy ?? .infinity
    let error = Fix.deviation(ofAccuracy: accuracy)
    network.answered(
      accuracy: accuracy < Self.anywhere ? accuracy : nil, plain: plainAccuracy, at: now)
    let last = place
    guard error < Self.anywhere, last == nil || error < belief.way else {
      // Time goes on at once, and decides.
      if isAsking { phase = .asking(now) }
      return .inaccurate
    }
    let way = last.map { (metres: $0.distance(to: fix), error: $0.error(to: fix)) }
    let sky = blindness
    jumps.believe(BelievedPlace(fix, at: now))
    learn(fix, way: way, since: last, at: now)
    blindness = sky
    return nil
  }

  /// Believes a fix at this distance from the previously believed place: the next way begins with its error.
  private mutating func learn(
    _ fix: Fix, way: PaceBelief.Way?, since last: BelievedPlace?, at now: EngineInstant
  ) {
    belief.fixed(
      way: way, speed: fix.speed,
      after: last.map { EngineInstant.seconds(from: $0.at, to: now) } ?? 0,
      error: Fix.deviation(ofAccuracy: min(fix.horizontalAccuracy ?? 30, Self.anywhere)))
    blindness = nil
    source = fix.source == .network ? .network : .receiver
    // A fix of another app's receiver may reveal that a candidate was a jump.
    if case .confirming = phase { phase = .waiting(now) }
    wants.removeAll(keepingCapacity: true)
    cells.cameTo(fix)
  }

  /// Takes the remaining need of an app that may be told.
  mutating func weigh(
    remaining: Double, dueAt due: EngineInstant, by criteria: SignificantService.Criteria
  ) {
    wants.insert(
      want: LookAhead.Want(due: due, metres: remaining, late: .init(criteria, again: memory.again)))
  }

  // MARK: Decisions

  private func nextLook(from now: EngineInstant) -> LookAhead.Look {
    if place == nil {
      // The first fix of all is wanted at once, and after a failure as the sky allows.
      let usual = LookAhead.Want.Delay(
        SignificantService.Criteria(EngineRules()), again: memory.again)
      guard blindness != nil else { return .init(seconds: 0, late: usual.seconds) }
      var look = ahead(to: [.init(due: now, metres: -1_000, late: usual)], at: now).look(from: now)
      // The wait is bounded, however long there was none.
      look.seconds = min(look.seconds, Ephemeris.sentFor)
      return look
    }
    var look = ahead(to: wants, at: now).look(from: now)
    if blindness == nil, let place {
      // The wait is bounded, however certain the rest is.
      let age = EngineInstant.seconds(from: place.at, to: now)
      look.seconds = min(look.seconds, max(0, LookAhead.horizon - age))
    }
    return look
  }

  private func ahead(to wants: [LookAhead.Want], at now: EngineInstant) -> LookAhead {
    let look = given.lookEnergy ?? 1
    var sources = [
      LookAhead.Source(
        name: .receiver, price: 1 + hold / memory.again, vain: vain(at: now) / memory.again,
        outage: blindness, age: memory.isAssisted ? nil : age(at: now) ?? .infinity)
    ]
    if let energy = given.networkEnergy {
      sources.append(
        network.source(
          price: look > 0 ? energy / look : 1, plain: plainAccuracy, isBlind: blindness != nil))
    }
    for index in sources.indices where sources[index].name == source {
      sources[index].answered = place.map { EngineInstant.seconds(from: $0.at, to: now) }
    }
    return LookAhead(
      belief: belief, wants: wants,
      hints: cells.isNameless ? given.senses.subtracting(.cells) : given.senses,
      sources: sources, terms: lateness ?? .usual, lookEnergy: given.lookEnergy)
  }

  /// Seconds of a search that finds no sky: without an ephemeris they are minutes.
  private func vain(at now: EngineInstant) -> Double {
    let age = age(at: now)
    return tellsSignal ? memory.silence(age: age) : memory.patience(age: age, isBlind: true)
  }

  /// Seconds since the receiver tracked; `nil` if it never did.
  private func age(at now: EngineInstant) -> Double? {
    trackedAt.map { EngineInstant.seconds(from: $0, to: now) }
  }

  private mutating func decide(at now: EngineInstant) {
    advance(to: now)
    restsSince = belief.rest > 0.5 ? restsSince ?? now : nil
    let next = nextLook(from: now)
    let seconds = next.seconds
    // It is worth as much as the chance that there is sky.
    let sky = blindness?.ends(by: now.advanced(bySeconds: seconds)) ?? 1
    let asks = next.source == .network
    // At the time of that fix.
    let age = age(at: now).map { $0 + seconds }
    let lead = asks ? 0 : sky * memory.lead(orLate: next.late, age: age)
    let wait = seconds - (age.map { $0 <= hold } == true ? 1 : lead)
    switch phase {
    case .stopped, .confirming: break
    case .looking(let search) where asks && search.until <= now:
      phase = .waiting(now)
      decide(at: now)
    case .looking(var search):
      if search.until <= now ? wait <= vain(at: now) : staysOn(for: seconds, lead) {
        if search.until <= now { search.forgetHeard() }
        self.wait(for: search, at: now)
      } else {
        phase = .waiting(now.advanced(bySeconds: max(1, wait)))
      }
    case .waiting, .asking:
      if wait > 1 {
        phase = .waiting(now.advanced(bySeconds: wait))
      } else if asks {
        phase = .asking(now.advanced(bySeconds: LookSchedule.answersWithin))
      } else {
        look(at: now)
      }
    }
  }

  /// Whether a receiver with a fix goes on until the next one is wanted.
  private func staysOn(for seconds: Double, _ lead: Double) -> Bool {
    seconds <= lead + memory.again + hold && (seconds > hold || seconds <= 1)
  }

  private mutating func look(at now: EngineInstant) {
    wait(for: Search(since: now), at: now)
  }

  /// Continues a search for as long as nothing changes.
  private mutating func wait(for search: Search, at now: EngineInstant) {
    var search = search
    search.until = now.advanced(bySeconds: patience(of: search, at: now))
    phase = .looking(search)
  }

  /// The remaining seconds of a search, by the rules for *sky*.
  private func patience(of search: Search, at now: EngineInstant) -> Double {
    let age = search.hasFix ? 0 : age(at: now)
    let heard = search.heard(at: now)
    if search.hears {
      let whole =
        tellsSignal
        ? memory.timeout(age: age) : memory.patience(age: age, isBlind: blindness != nil)
      return max(1, search.hasFix ? whole : whole - heard)
    }
    let saved = search.hasFix ? memory.again : memory.saved(by: heard)
    return memory.silence(age: age) + saved * (1 + memory.again / nextLook(from: now).late)
  }

  private mutating func noteFirstFix(at now: EngineInstant) {
    let age = age(at: now)
    trackedAt = now
    guard case .looking(var search) = phase, !search.hasFix else { return }
    // A receiver that was still on teaches nothing.
    if age.map({ $0 > hold }) ?? true {
      memory.learn(search.heard(at: now), age: age)
    }
    search.hasFix = true
    phase = .looking(search)
  }

  /// Looks at a candidate until enough fixes agree with it, and again when it may be confirmed.
  private mutating func awaitConfirmation(at now: EngineInstant) {
    guard case .looking(var search) = phase, let candidate = jumps.waits else { return }
    let age = EngineInstant.seconds(from: candidate.since, to: now)
    let next = candidate.patience - memory.again
    if candidate.count >= JumpGate.confirmingFixes, next - age > memory.again + hold {
      phase = .confirming(candidate.since.advanced(bySeconds: next))
    } else {
      let until = now.advanced(bySeconds: memory.patience(age: 0))
      let longest = search.since.advanced(bySeconds: memory.timeout + 3 * JumpGate.confirmsAfter)
      search.until = min(until, longest)
      phase = .looking(search)
    }
  }
}

extension MilepostPolicy {
  enum Phase: Sendable, Equatable, Codable {
    /// No app monitors.
    case stopped
    /// The receiver is on.
    case looking(Search)
    /// The receiver is off until then at most.
    case waiting(EngineInstant)
    /// The receiver is off until then, when a jump may be confirmed.
    case confirming(EngineInstant)
    /// The receiver is off, and the network may answer until then.
    case asking(EngineInstant)

    /// The time at which it ends by itself.
    var until: EngineInstant? {
      switch self {
      case .stopped: nil
      case .looking(let search): search.until
      case .waiting(let until), .confirming(let until), .asking(let until): until
      }
    }
  }
}

extension MilepostPolicy {
  var settings: PolicySettings { stated.with(\.hotStart, memory.logMedian) }

  var stated: PolicySettings {
    given.with(\.timeout, memory.timeout).with(\.isAssisted, memory.isAssisted ? true : nil)
  }
}
