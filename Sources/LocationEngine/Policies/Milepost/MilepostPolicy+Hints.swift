// SPDX-License-Identifier: Apache-2.0

import LocationModel

// What the motion sensor and the modem lead to, and what is known when a planned sleep is over.

extension MilepostPolicy {
  /// Whether the device stopped so soon after the last fix that it cannot have crossed.
  func isSurelyNear(at now: EngineInstant) -> Bool {
    guard feelsRest, failures == 0, let missing else { return false }
    if cellChanges == 0, motion.isStirOver(at: now), Self.stir * Double(motion.stirs) < missing {
      return true
    }
    guard motion.isQuiet(at: now) else { return false }
    // What stood at the last fix may have been any vehicle since.
    let reach = outlook.isStanding ? Self.quick * motion.moving : 0
    return max(reach, outlook.reach(in: motion.moving)) + Self.unfelt * silence(at: now) < missing
  }

  /// When it will be known whether a single event of the sensor was a stir or a departure: the end of its
  /// next window; `nil` where that is known.
  func stirEnds(at now: EngineInstant) -> EngineInstant? {
    guard feelsRest, failures == 0, motion.run == 1, cellChanges == 0,
      let felt = motion.lastAt,
      let missing, missing > Self.stir
    else { return nil }
    let end = felt.advanced(bySeconds: MotionRecord.window + 2)
    return end > now ? end : nil
  }

  /// Seconds by which a look may be put off where some of a planned sleep was rest or a slower way: `nil`
  /// where that is not worth another sleep.
  func postponement(at now: EngineInstant) -> Double? {
    guard failures == 0, let missing, missing > 0 else { return nil }
    let left: Double
    if isStrolling {
      left = metresLeft(of: missing, at: now) / stroll.pace - lead
    } else if feelsRest, outlook.mean < SpeedOutlook.vehicle,
      let seconds = outlook.seconds(toCover: missing + Self.late, within: 7_200)
    {
      left = seconds - motion.moving - silence(at: now) / 2 - lead
    } else {
      return nil
    }
    // Not beyond the poll in reserve, all such sleeps together.
    let asleep = whereabouts.place.map { EngineInstant.seconds(from: $0.at, to: now) } ?? 0
    let sleep = min(left, max(Self.longestPlan, reserve) - asleep)
    return sleep > again + 10 ? sleep : nil
  }

  /// What is left of the missing metres on foot, by what the sensor felt since the last fix.
  func metresLeft(of missing: Double, at now: EngineInstant) -> Double {
    missing + late - stroll.reach(felt: motion.moving, silent: silence(at: now))
  }

  /// Seconds since the last fix in which the sensor felt nothing.
  private func silence(at now: EngineInstant) -> Double {
    let elapsed = whereabouts.place.map { EngineInstant.seconds(from: $0.at, to: now) } ?? 0
    return max(0, elapsed - motion.moving)
  }

  mutating func moved(mayTellAt: EngineInstant?, at now: EngineInstant) {
    let silence = motion.fired(at: now)
    switch phase {
    case .stopped, .on: return
    case .resting:
      // After vain hints the movement has to last.
      if vain > Self.patience && silence > MotionRecord.pause { return }
      departed(mayTellAt: mayTellAt, patience: waiting(vain - Self.patience), at: now)
    case .planned(let at, let isHinted):
      if isNews(after: silence) {
        departed(mayTellAt: mayTellAt, patience: waiting(vain - Self.patience), at: now)
      } else if isStrolling, failures == 0, let missing {
        // If it walks on from here.
        let left = metresLeft(of: missing, at: now) / stroll.reach(felt: 1, silent: 0) - lead
        let due = mayTellAt.map { $0.advanced(bySeconds: -lead) } ?? now
        let soonest = max(due, now.advanced(bySeconds: max(0, left)))
        if soonest <= now {
          look(at: now, isHinted: isHinted)
        } else if soonest < at {
          phase = .planned(soonest, isHinted: isHinted)
        }
      }
    }
  }

  /// Whether an event of the sensor during a planned sleep may be a change of vehicle: one after a pause, or
  /// movement that goes on after the last fix showed none. Who is felt in parts pauses all the time: there
  /// only movement without a gap is news.
  private func isNews(after silence: Double) -> Bool {
    if stroll.isPatchy, outlook.mean < SpeedOutlook.vehicle { return motion.run == 2 }
    return silence > MotionRecord.pause
      || outlook.speed < SpeedOutlook.standing && motion.isSecondEvent
  }

  mutating func cellChanged(_ cell: CellHint?, mayTellAt: EngineInstant?, at now: EngineInstant) {
    let elapsed = trackedAt.map { EngineInstant.seconds(from: $0, to: now) } ?? 0
    guard cells.isNews(cell, at: whereabouts.place?.frame) else { return }
    cellChanges = min(cellChanges + 1, 100)
    guard feelsRest else {
      if case .planned = phase, !isSurprising(in: elapsed) { return }
      // A named cell that was never heard here is no swing.
      return departed(
        mayTellAt: mayTellAt, patience: waiting(cell == nil ? vain : 0),
        lag: cell == nil ? Self.motionLag : Self.cellLag,
        at: now)
    }
    if motion.isQuiet(at: now), motion.moving == 0 {
      // The sensor says that it rests: the modem swings between cells, or the sensor is wrong.
      guard elapsed >= 4 * waiting(vain) else { return }
      departed(mayTellAt: mayTellAt, patience: waiting(vain), lag: Self.cellLag, at: now)
    } else if isSurprising(in: motion.moving) || cell != nil && outlook.isStanding {
      // Sensor and modem agree: no stir.
      departed(mayTellAt: mayTellAt, patience: waiting(0), at: now)
    }
  }

  /// Whether the changes of cell since the last fix are more than its speed explains.
  private func isSurprising(in seconds: Double) -> Bool {
    failures > 0
      || cellChanges > 1 && outlook.distance(in: seconds) < Self.perCell * Double(cellChanges)
  }

  /// The device may have set off; looks when it can first be at the crossing, and not before the first
  /// app may be told. `patience`: seconds since the last look that it must wait after a vain hint.
  private mutating func departed(
    mayTellAt: EngineInstant?, patience: Double, lag: Double = motionLag, at now: EngineInstant
  ) {
    // Nobody may be told: the next poll looks whether that has changed.
    if missing == nil && whereabouts.place != nil { return }
    var left = now.advanced(bySeconds: -lag)
    if let place = whereabouts.place { left = max(left, place.at) }
    // What was made while the sky was gone, nobody has measured.
    let unseen = failures > 0 ? outlook.reach(in: motion.moving) : 0
    let metres = max(0, (missing ?? 0) - unseen)
    var earliest = left.advanced(bySeconds: metres / Self.quick)
    if let lookedAt, vain > 0 || failures > 0 {
      // Those before were walkers: the next is one too, unless it takes a car this time. What failed
      // may have been indoors, and is tried again as soon as something moves.
      let wait = failures > 0 ? waiting(0) : min(patience, Self.poll)
      let patient = max(earliest, lookedAt.advanced(bySeconds: wait))
      earliest = min(patient, left.advanced(bySeconds: (metres + Self.late) / Self.walking))
    }
    if let mayTellAt { earliest = max(earliest, mayTellAt) }
    earliest = earliest.advanced(bySeconds: -lead)
    if earliest <= now { return look(at: now, isHinted: true) }
    if case .planned(let at, _) = phase, at <= earliest { return }
    phase = .planned(earliest, isHinted: true)
  }
}
