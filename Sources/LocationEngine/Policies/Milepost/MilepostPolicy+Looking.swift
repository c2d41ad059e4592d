// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// What a fix and a failure lead to.

extension MilepostPolicy {
  /// Looks at a fix before the apps do; answers what is wrong with it.
  mutating func admit(
    _ fix: Fix, refusal: Verdict.Outcome?, at now: EngineInstant
  ) -> Verdict.Outcome? {
    (aim, missing, dueAt) = (nil, nil, nil)
    // Jumps are judged here, with what the hints say; the rest is as the gate found it.
    if let refusal, refusal != .jumpUnconfirmed { return refusal }
    noteFirstFix(at: now)
    let last = whereabouts.place
    let fastest = max(fix.speed ?? 0, last?.speed ?? 0)
    // A stir is no movement: whoever is 1 km off after one has jumped.
    let hasFelt = motion.moving > 0 || !motion.isQuiet(at: now)
    let hasMoved = fastest >= 1.5 || hasFelt && !motion.hasOnlyStirred
    guard
      whereabouts.believes(
        fix, at: now, hasMoved: hasMoved, mayCreep: senses.contains(.motion))
    else {
      waitForConfirmation(at: now)
      return .jumpUnconfirmed
    }
    learn(fix, from: last, at: now)
    return nil
  }

  /// Hears how an app that may be told stands.
  mutating func weigh(remaining: Double, dueAt due: EngineInstant, at now: EngineInstant) {
    dueAt = .earlier(dueAt, due)
    missing = missing.map { min($0, remaining) } ?? remaining
    if let way = legWay {
      progress.learn(remaining: remaining, anchor: due, way: way)
      legWay = nil
    }
    let metres = remaining <= 0 ? 0 : remaining + late
    let covered =
      isStrolling
      ? stroll.seconds(toCover: metres, from: outlook.speed)
      : outlook.seconds(toCover: metres, within: 7_200)
    guard let straight = covered else { return }
    let seconds = min(straight / progress.share, straight + tolerated)
    let crossing = max(due, now.advanced(bySeconds: seconds))
    aim = .earlier(aim, crossing)
  }

  /// Metres beyond the 500 for which a predicted crossing is waited.
  var late: Double { isStrolling ? min(Self.late, stroll.tolerance) : Self.late }

  /// Seconds by which a crossing on a straight way may be found late.
  private var tolerated: Double {
    min(Self.tolerated.seconds, Self.tolerated.metres / max(0.1, outlook.speed, outlook.mean))
  }

  private mutating func noteFirstFix(at now: EngineInstant) {
    let age = trackedAt.map { EngineInstant.seconds(from: $0, to: now) }
    trackedAt = now
    failures = 0
    guard case .on(let since, let until, nil, let isHinted) = phase else { return }
    // A receiver that was still on teaches nothing.
    if age.map({ $0 > receiverHold }) ?? true {
      memory.learn(EngineInstant.seconds(from: since, to: now), age: age)
    }
    phase = .on(since: since, until: until, firstFix: now, isHinted: isHinted)
  }

  /// Keeps the receiver on until a candidate is confirmed or gone, within bounds.
  private mutating func waitForConfirmation(at now: EngineInstant) {
    guard case .on(let since, let until, let firstFix, let isHinted) = phase,
      let candidateSince = whereabouts.candidateSince
    else { return }
    // Looked at between, so that what jumps to and fro is found out.
    let middle = candidateSince.advanced(bySeconds: Self.recheck)
    let next = now < middle ? Self.recheck : JumpGate.confirmsAfter
    let confirmation = candidateSince.advanced(bySeconds: next - lead)
    if whereabouts.place != nil, whereabouts.isCandidateSteady,
      EngineInstant.seconds(from: now, to: confirmation) > again + receiverHold
    {
      phase = .planned(confirmation, isHinted: true)
      return
    }
    let enough = candidateSince.advanced(bySeconds: JumpGate.confirmsAfter + 15)
    let longest = since.advanced(bySeconds: memory.timeout + 3 * JumpGate.confirmsAfter)
    phase = .on(
      since: since, until: max(until, min(enough, longest)), firstFix: firstFix, isHinted: isHinted)
  }

  private mutating func learn(_ fix: Fix, from last: BelievedPlace?, at now: EngineInstant) {
    var isDeparture = last == nil
    if let last {
      let seconds = EngineInstant.seconds(from: last.at, to: now)
      let moved = last.distance(to: fix)
      let errors = last.accuracy + (fix.horizontalAccuracy ?? 30)
      let net = max(0, moved - errors / 1.51)
      let fastest = outlook.fastest(on: moved + errors, in: seconds)
      let speed = fix.speed.map { min($0, fastest) }
      isDeparture = outlook.isStanding || isHintedLook
      // What a walker's mean is, the felt time has a part in; a ride's it has not.
      let ride = outlook.mean < SpeedOutlook.vehicle ? 0 : outlook.mean
      let quickest = max(outlook.speed, speed ?? 0, ride)
      let hasSensor = senses.contains(.motion)
      let moving =
        hasSensor ? motion.movement(over: net, in: seconds, fastest: quickest) : seconds
      let average = (outlook.speed + (speed ?? outlook.speed)) / 2
      if hasSensor, seconds >= SpeedOutlook.sleep, quickest < SpeedOutlook.gait {
        learnWalk(net, in: seconds, average: average, slower: min(outlook.speed, speed ?? 0))
      }
      legWay = max(net, average * moving)
      outlook.learn(
        speed: speed, distance: net, seconds: seconds, moving: moving,
        isDeparture: isDeparture)
    } else {
      outlook.learn(
        speed: fix.speed, distance: 0, seconds: 0, moving: 0, isDeparture: isDeparture)
    }
    cellChanges = 0
    let frame = LocalFrame(origin: fix.coordinate)
    cells.learn(at: frame, last: last?.frame)
    let allowed = Self.coarse + 2 * (fix.horizontalAccuracy ?? 30)
    if let stay, stay.frame.distance(to: fix.coordinate) <= allowed { return }
    (stay, vain) = (Stay(frame: frame, since: now), 0)
  }

  /// A leg on foot of `net` metres, between fixes with these speeds, teaches the odometer.
  private mutating func learnWalk(
    _ net: Double, in seconds: Double, average: Double, slower: Double
  ) {
    let felt = min(seconds, motion.moving)
    // The slower end speaks for the silence, and a speed that noise makes for none of it.
    let creep = slower < Self.noise ? 0 : slower
    let way = average * felt + creep * (seconds - felt)
    let walked = max(net, (net + way) / 2)
    // What nobody could have walked was a jump or a ride.
    guard walked < WalkOdometer.fastest * seconds else { return }
    stroll.learn(walked, felt: felt, silent: seconds - felt)
  }

  private var isHintedLook: Bool {
    if case .on(_, _, _, let isHinted) = phase { isHinted } else { false }
  }

  // MARK: After a fix

  mutating func plan(after judged: JudgedFix, at now: EngineInstant) {
    noteVainHint(at: now)
    if judged.hasDelivered { vain = 0 }
    let isAtRest = isAtRest(at: now)
    motion.forget()
    if isAwaitingBetter(judged, at: now) { return }
    guard let aim, !isAtRest || (missing ?? 1) <= 0 else { return rest(at: now) }
    let ahead = EngineInstant.seconds(from: now, to: aim)
    if ahead <= lead + again + receiverHold, ahead > receiverHold || ahead <= Self.instant {
      return stayOn(at: now)
    }
    let longest = max(pollInterval(at: now), senses.isEmpty ? 0 : Self.longestPlan)
    let lead = ahead <= receiverHold ? Self.instant : lead
    phase = .planned(
      now.advanced(bySeconds: min(ahead - lead, longest)), isHinted: false)
  }

  var lead: Double { memory.lead }

  /// Seconds that a receiver which is still on needs for a fix.
  static let instant = 1.0

  /// Seconds of tracking that cost as much as switching off and on again.
  var again: Double { memory.median * 1.1 }

  /// Whether the device stands, by all that is known.
  private func isAtRest(at now: EngineInstant) -> Bool {
    guard outlook.speed < SpeedOutlook.standing else { return false }
    return feelsRest ? motion.isQuiet(at: now) : outlook.isStanding
  }

  /// A hint was in vain where it found no vehicle and no crossing that is near.
  private mutating func noteVainHint(at now: EngineInstant) {
    guard case .on(let since, let until, let firstFix, true) = phase else { return }
    let isNear = aim.map { EngineInstant.seconds(from: now, to: $0) < 2 * lead } ?? false
    let isFast = max(outlook.speed, outlook.mean) >= SpeedOutlook.vehicle
    vain = isFast ? 0 : isNear ? vain : min(vain + 1, 12)
    phase = .on(since: since, until: until, firstFix: firstFix, isHinted: false)
  }

  private func isAwaitingBetter(
    _ judged: JudgedFix, at now: EngineInstant
  ) -> Bool {
    guard !judged.hasDelivered, judged.accuracy.map({ $0 > Self.coarse }) ?? false,
      case .on(_, _, let firstFix?, _) = phase
    else { return false }
    return EngineInstant.seconds(from: firstFix, to: now) < Self.improves
  }

  /// Whether there is a motion sensor whose silence means rest.
  var feelsRest: Bool {
    senses.contains(.motion) && !stroll.isPatchy
  }

  /// Whether the motion sensor is an odometer now.
  var isStrolling: Bool {
    senses.contains(.motion) && !stroll.isSteady
      && max(outlook.speed, outlook.mean) < WalkOdometer.fastest
  }

  private mutating func stayOn(at now: EngineInstant) {
    let until = now.advanced(bySeconds: memory.patience(age: 0))
    if case .on(let since, _, let firstFix, _) = phase {
      phase = .on(since: since, until: until, firstFix: firstFix, isHinted: false)
    } else {
      lookedAt = now
      phase = .on(since: now, until: until, firstFix: now, isHinted: false)
    }
  }

  mutating func look(at now: EngineInstant, isHinted: Bool) {
    let age = trackedAt.map { EngineInstant.seconds(from: $0, to: now) }
    lookedAt = now
    phase = .on(
      since: now, until: now.advanced(bySeconds: memory.patience(age: age)), firstFix: nil,
      isHinted: isHinted)
  }

  mutating func rest(at now: EngineInstant) {
    phase = .resting(now.advanced(bySeconds: pollInterval(at: now)))
  }

  /// Seconds without a look at most, beside a motion sensor.
  var reserve: Double {
    senses.contains(.cells) ? Self.reserve.withCells : Self.reserve.alone
  }

  /// Seconds until the next look when nothing else asks for one.
  private func pollInterval(at now: EngineInstant) -> Double {
    let age = stay.map { EngineInstant.seconds(from: $0.since, to: now) } ?? 0
    if isStrolling, failures == 0 {
      let crept = metresLeft(of: missing ?? 500, at: now) / stroll.reach(felt: 0, silent: 1) - lead
      // The stay ended where the sensor has felt something since.
      let stayed = motion.moving > 0 ? 0 : age
      return min(reserve, max(min(max(Self.creep.poll, crept), Self.reserve.first), stayed))
    }
    if feelsRest {
      let first = max(Self.poll, (missing ?? 500) / Self.silent)
      return min(reserve, max(min(first, Self.reserve.first), age))
    }
    // Under a roof nobody creeps far, and where looks fail they are not repeated every minute.
    if failures == 0, outlook.mean > Self.creep.speed, outlook.mean < MotionRecord.pace {
      let covered = ((missing ?? 500) + Self.late) / max(Self.silent, outlook.mean)
      return min(Self.poll, max(Self.creep.poll, covered))
    }
    let longest = senses.contains(.cells) ? Self.longestPoll.cells : Self.longestPoll.blind
    let dearer = ((again + receiverHold) / again).squareRoot()
    return min(longest, Self.poll * dearer * max(1, (age / Self.poll).squareRoot()))
  }

  mutating func giveUp(at now: EngineInstant) {
    failures = min(failures + 1, 16)
    if case .on(let since, _, _, _) = phase, hasStood(since: since, at: now) {
      let patient = Self.poll * Double(1 << (failures - 1))
      return phase = .resting(now.advanced(bySeconds: min(patient, pollInterval(at: now))))
    }
    var seconds = Self.retry.first
    for _ in 1..<failures { seconds *= Self.retry.factor }
    phase = .planned(
      now.advanced(bySeconds: min(seconds, Self.retry.longest)), isHinted: true)
  }

  /// Whether the sensor felt nothing since a session began, which lasted for one of its windows.
  private func hasStood(since: EngineInstant, at now: EngineInstant) -> Bool {
    senses.contains(.motion) && whereabouts.place != nil
      && EngineInstant.seconds(from: since, to: now) > MotionRecord.window
      && motion.lastAt.map { $0 < since } ?? true
  }

  /// Seconds that a hint must wait after so many vain ones.
  func waiting(_ times: Int) -> Double {
    min(Self.backoff.longest, Self.backoff.first * Double(1 << max(0, min(times, 8))))
  }
}
