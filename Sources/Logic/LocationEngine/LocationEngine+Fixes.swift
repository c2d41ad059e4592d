// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Reports of the receiver and the network.

extension LocationEngine {
  /// Takes a fix of the receiver, for every standard service and for a policy that uses the receiver. Returns whether
  /// it changed anything on which the plan, the triggers or a deadline depend.
  mutating func received(
    _ fix: Fix, around frame: LocalFrame, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    if rules.hidesPlaces, let zone = hide(fix) {
      return received(fix, hiddenBy: zone, at: now, into: &commands)
    }
    let refusal = gate.judge(fix, around: frame, at: now)
    var changes = false
    if refusal == nil {
      (lastKnown, lastKnownAt) = (fix, now)
      changes = isSeenAgain(by: fix, at: now, into: &commands)
      if sawMotion(fix, at: now, into: &commands) { changes = true }
      if hearsHeadings { moved(fix, at: now, into: &commands) }
    }
    for index in apps.indices where apps[index].hasStandard || apps[index].hasSingle {
      if let refusal {
        let verdict = Verdict(refusal, accuracy: fix.horizontalAccuracy)
        report(verdict, on: fix, index, service(of: index), into: &commands)
      } else {
        let updates = apps[index].hasStandard
        changes =
          take(fix: fix, around: frame, for: index, updates: updates, at: now, into: &commands)
          || changes
        guard apps[index].standard?.looksAtTimes() == true else { continue }
        changes = true
        if apps[index].updates(in: rules.era) { apps[index].standard?.looks?.found(fix, at: now) }
      }
    }
    if daemon != nil {
      daemonSaw(fix, refusal: refusal, at: now, into: &commands)
      changes = true
    }
    guard isMonitored, policy.strategy.usesReceiver else { return changes }
    judgeSignificant(fix, refusal: refusal, at: now, into: &commands)
    return true
  }

  /// Whether all listeners of the receiver take every fix, so that one more a second only repeats the delivery: updates
  /// of running apps, without a distance filter, rests or reduced accuracy, and no single request. A phone's daemon, which
  /// looks for stays, learns nothing from further points of one straight way.
  package var takesEveryFix: Bool {
    guard plan == .continuous, !hearsHeadings,
      !(isMonitored && policy.strategy.usesReceiver)
    else {
      return false
    }
    return apps.allSatisfy { app in
      guard !app.hasSingle else { return false }
      guard app.hasStandard else { return true }
      return app.standard?.looks == nil && app.standard?.deferral == nil
        && app.standard?.request.distanceFilter == nil
        && app.declaration.accuracy != .reduced
    }
  }

  /// Takes a network position, for the policy that asked for it and for apps whose accuracy it satisfies.
  mutating func receivedFromNetwork(
    _ fix: Fix, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    let zone = rules.hidesPlaces ? hide(fix) : nil
    if zone == nil, lastKnown == nil || lastKnown?.source == .network {
      (lastKnown, lastKnownAt) = (fix, now)
    }
    _ = sawMotion(fix, hiddenBy: zone, at: now, into: &commands)
    let isForPolicy = isAnswerForPolicy(at: now)
    for index in apps.indices where apps[index].isAsking(at: now) {
      let isServed = apps[index].standard?.looks?.isAsking == true
      if let zone, !apps[index].sees(zone.name) {
        withhold(fix, in: zone, from: index, at: now, into: &commands)
        apps[index].standard?.looks?.answered(fix, at: now)
        continue
      }
      _ = take(
        fix: fix, around: LocalFrame(origin: fix.coordinate), for: index, updates: isServed,
        at: now,
        into: &commands)
      apps[index].standard?.looks?.answered(fix, at: now)
    }
    if daemon != nil { daemonSaw(fix, hiddenBy: zone, refusal: nil, at: now, into: &commands) }
    guard isForPolicy, isMonitored else { return }
    judgeSignificant(fix, hiddenBy: zone, refusal: nil, at: now, into: &commands)
  }

  /// Handles that the network could not determine the position.
  mutating func networkFailed(at now: EngineInstant, into commands: inout [EngineCommand]) {
    let isForPolicy = isAnswerForPolicy(at: now)
    for index in apps.indices where apps[index].isAsking(at: now) {
      apps[index].standard?.looks?.failed(at: now)
      apps[index].single?.failed()
    }
    daemon?.failed(at: now)
    if isForPolicy { tellPolicy(.failed, at: now, into: &commands) }
  }

  /// Whether this answer of the network is for the policy: not if only apps or the daemon asked for it, since a policy
  /// that did not ask would be led astray. Closes the policy's question.
  private mutating func isAnswerForPolicy(at now: EngineInstant) -> Bool {
    defer { policyAskedAt = nil }
    return policyAskedAt != nil || !(isAskedByApps(at: now) || daemon?.isAsking == true)
  }

  /// Whether any app awaits an answer of the network.
  func isAskedByApps(at now: EngineInstant) -> Bool {
    apps.indices.contains { apps[$0].isAsking(at: now) }
  }

  /// Asks the network if an app wants it to; once for all of them.
  mutating func askNetwork(
    unless wasAsked: Bool, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    if !wasAsked, isAskedByApps(at: now) { commands.append(.requestNetworkPosition) }
  }

  /// Advances the apps' looks: rests and looks end with time, and so do single requests.
  mutating func lookOn(at now: EngineInstant, into commands: inout [EngineCommand]) {
    let era = rules.era
    func isDue(_ index: Int) -> Bool {
      apps[index].lookDeadline(in: era).map { $0 <= now } ?? false
    }
    guard apps.indices.contains(where: isDue) else { return }
    let wasAsked = isAskedByApps(at: now)
    for index in apps.indices where isDue(index) {
      if apps[index].updates(in: era) { apps[index].standard?.looks?.timePassed(at: now) }
      guard let single = apps[index].single, single.until <= now else { continue }
      apps[index].single = nil
      guard let best = single.best else {
        commands.append(.requestFailed(apps[index].id))
        continue
      }
      deliver(best, to: index, .standard, isCached: false, occasion: .request, into: &commands)
    }
    askNetwork(unless: wasAsked, at: now, into: &commands)
  }

  /// Takes an admitted position for an app's updates, if it serves them, and for its single request. Returns whether
  /// more than an anchor changed.
  mutating func take(
    fix: Fix, around frame: LocalFrame, for index: Int, updates: Bool, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    if apps[index].declaration.accuracy == .reduced {
      return takeReduced(fix, for: index, updates: updates, at: now, into: &commands)
    }
    return takeAsSeen(fix, around: frame, for: index, updates: updates, at: now, into: &commands)
  }

  /// Does the same for a position as the app sees it.
  mutating func takeAsSeen(
    _ fix: Fix, around frame: LocalFrame, for index: Int, updates: Bool, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    let delivered = apps[index].deliveries
    let pauses =
      updates && judgeStandard(fix, around: frame, for: index, at: now, into: &commands)
    guard apps[index].hasSingle else { return pauses }
    if apps[index].deliveries > delivered {
      // The request was for one position, from any service.
      apps[index].single = nil
    } else {
      judgeSingle(fix, for: index, at: now, isReported: !updates, into: &commands)
    }
    return true
  }

  private mutating func judgeSingle(
    _ fix: Fix, for index: Int, at now: EngineInstant, isReported: Bool,
    into commands: inout [EngineCommand]
  ) {
    var verdict = Verdict(.delivered, accuracy: fix.horizontalAccuracy)
    if !apps[index].mayHear(apps[index].single?.unseenSince, in: rules.era) {
      verdict.outcome = .unauthorized
    } else if !apps[index].state.runsCode {
      verdict.outcome = .suspended
    } else if apps[index].single?.take(fix: fix) == false {
      verdict.outcome = .inaccurate
    }
    if isReported { report(verdict, on: fix, index, .standard, into: &commands) }
    guard verdict.outcome == .delivered else { return }
    deliver(fix, to: index, .standard, isCached: false, occasion: .request, into: &commands)
    apps[index].single = nil
  }

  /// Returns whether the app's updates pause now.
  private mutating func judgeStandard(
    _ fix: Fix, around frame: LocalFrame, for index: Int, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    // In the foreground nothing is deferred, and deferred fixes come first.
    let ends = apps[index].standard?.deferral != nil && !apps[index].defers(in: rules.era)
    if ends { endDeferral(of: index, .cancelled, at: now, into: &commands) }
    guard let judged = apps[index].judge(fix, around: frame, at: now, by: rules) else {
      return ends
    }
    return tellVerdict(judged, of: fix, index, at: now, into: &commands) || ends
  }

  private mutating func tellVerdict(
    _ judged: EngineApp.Judged, of fix: Fix, _ index: Int, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    if judged.isKept {
      if judged.pauses {
        endDeferral(of: index, .cancelled, at: now, into: &commands)
        commands.append(.paused(apps[index].id))
      } else if apps[index].standard?.deferral?.isOver(at: now) == true {
        endDeferral(of: index, .finished, at: now, into: &commands)
      } else {
        return false
      }
      return true
    }
    report(judged.verdict, on: fix, index, judged.service, into: &commands)
    if judged.verdict.outcome == .delivered {
      deliver(
        fix, to: index, judged.service, isCached: false, moved: judged.verdict.moved,
        since: judged.verdict.since, occasion: apps[index].hasSingle ? .request : nil,
        into: &commands)
    }
    if judged.pauses { commands.append(.paused(apps[index].id)) }
    return judged.pauses
  }

  /// Judges a position for all apps that monitor. For a place that a zone hides, the policy sees the zone's place and
  /// the receiver's accuracy.
  mutating func judgeSignificant(
    _ fix: Fix, hiddenBy zone: PrivacyZone? = nil, refusal: Verdict.Outcome?,
    at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    let shown = zone?.shown(fix) ?? fix
    let refusal = isLooking ? policy.strategy.admit(shown, refusal: refusal, at: now) : refusal
    var judged = JudgedFix(fix: shown)
    // A departure comes with a position from before this one, so it comes first; and it tells jumps from changes.
    let servesPlaces = rules.platform == .machine
    if servesPlaces {
      judgePlaces(fix, hiddenBy: zone, refusal: refusal, at: now, into: &commands)
    }
    for index in apps.indices {
      guard let service = apps[index].significant else { continue }
      if let zone, !apps[index].sees(zone.name) {
        withhold(fix, in: zone, from: index, asMonitor: true, at: now, into: &commands)
        continue
      }
      let fix = seen(fix, by: index, at: now)
      let criteria = criteria(for: fix, of: index)
      var verdict = service.judge(fix, at: now, by: criteria)
      if let refusal { verdict.outcome = refusal }
      if verdict.outcome == .delivered, leavesVisit(of: index, fix) != nil {
        verdict.outcome = .jumpUnconfirmed
      }
      if verdict.outcome == .delivered {
        verdict.outcome = permission(of: index)
        if apps[index].isExiting {
          judged.retryAt = .earlier(judged.retryAt, apps[index].lifecycle.endsAt)
        }
      }
      report(verdict, on: fix, index, .significant, into: &commands)
      if verdict.outcome == .tooSoon, let anchor = service.anchor {
        judged.retryAt = .earlier(
          judged.retryAt, anchor.at.advanced(bySeconds: criteria.interval))
      }
      guard verdict.outcome == .delivered, wake(index, for: .location, at: now, into: &commands)
      else { continue }
      apps[index].significant?.anchor = Anchor(fix, at: now)
      apps[index].significant?.since = now
      judged.hasDelivered = true
      deliver(
        fix, to: index, .significant, isCached: false, moved: verdict.moved, since: verdict.since,
        into: &commands)
    }
    guard refusal == nil, isLooking else { return }
    weighApps(after: fix, &judged, hiddenBy: zone, at: now)
    if servesPlaces { weighPlaces(&judged, hiddenBy: zone, at: now) }
    tellPolicy(.judged(judged), at: now, into: &commands)
  }

  /// Tells the policy how far each app that may be told is from its next event.
  private mutating func weighApps(
    after fix: Fix, _ judged: inout JudgedFix, hiddenBy zone: PrivacyZone?, at now: EngineInstant
  ) {
    for index in apps.indices {
      guard let service = apps[index].significant, mayBeTold(index) == .delivered
      else { continue }
      let criteria = criteria(for: fix, of: index)
      if let zone, !apps[index].sees(zone.name) {
        policy.strategy.weigh(remaining: zone.wayOut, dueAt: now, by: criteria)
        judged.awaits(from: now)
        continue
      }
      // Without an anchor the next position is an event, unless it is as coarse as this one.
      let remaining = service.anchor.map {
        criteria.required(from: $0, accuracy: nil) - $0.moved(to: fix)
      }
      let next = service.anchor?.at.advanced(bySeconds: criteria.interval)
      var due = next ?? now.advanced(bySeconds: RegionService.againAfterCoarse)
      if let surely = leavesVisit(of: index, fix) { due = max(due, surely) }
      judged.awaits(from: next ?? now)
      policy.strategy.weigh(
        remaining: remaining ?? 0, dueAt: max(due, apps[index].lifecycle.endsAt ?? due),
        by: criteria)
    }
  }

  /// The time from which on an app that monitors visits believes that it has left one for this position.
  private func leavesVisit(of index: Int, _ fix: Fix) -> EngineInstant? {
    rules.platform == .machine ? apps[index].places?.visits?.doubts(fix) : nil
  }

  /// The rule by which a position is significant to an app; without one that of the rules. A square that stands for a
  /// place is no coarse position.
  func criteria(for fix: Fix?, of index: Int) -> SignificantService.Criteria {
    var criteria =
      fix.map { policy.strategy.criteria(for: $0, rules) } ?? SignificantService.Criteria(rules)
    if apps[index].declaration.accuracy == .reduced {
      criteria.plainAccuracy = .infinity
      criteria.coarsestAccuracy = rules.coarsestAccuracy
    }
    return criteria
  }

  /// Whether a significant change, or an event of a place, reaches the app now, or the obstacle. An app that is being
  /// terminated takes nothing more: the first position after its end launches it.
  func permission(of index: Int) -> Verdict.Outcome {
    let outcome = mayBeTold(index)
    return outcome == .delivered && apps[index].isExiting ? .notRunning : outcome
  }

  /// Whether the rules let events reach the app, now or when it has ended, or the obstacle.
  func mayBeTold(_ index: Int) -> Verdict.Outcome {
    guard apps[index].declaration.authorization.allowsLocation else { return .unauthorized }
    switch apps[index].state {
    case .inactive, .active: return .delivered
    case .background:
      return apps[index].mayBeToldInBackground(in: rules.era) ? .delivered : .unauthorized
    case .suspended, .notRunning:
      guard apps[index].refusal(of: .location, in: rules.era, on: device) != nil else {
        return .delivered
      }
      return apps[index].state == .suspended ? .suspended : .notRunning
    }
  }

  /// Whether the app's standard updates count as standard or as continuous.
  @inline(__always)
  func service(of index: Int) -> Service {
    apps[index].isContinuous(in: rules.era) ? .continuous : .standard
  }

  /// `moved` and `since` are the verdict's, if one was reached.
  mutating func deliver(
    _ fix: Fix, to index: Int, _ service: Service, isCached: Bool, moved: Double? = nil,
    since: Double? = nil, occasion: Delivery.Occasion? = nil,
    into commands: inout [EngineCommand]
  ) {
    // Deferred fixes are told like new ones, by any way.
    guard apps[index].declaration.accuracy != .reduced else {
      let seen = seen(fix, by: index, at: latest)
      return hand(
        seen, to: index, service, isCached: isCached, moved: moved, since: since,
        occasion: occasion, into: &commands)
    }
    hand(
      fix, to: index, service, isCached: isCached, moved: moved, since: since, occasion: occasion,
      into: &commands)
  }

  private mutating func hand(
    _ fix: Fix, to index: Int, _ service: Service, isCached: Bool, moved: Double?, since: Double?,
    occasion: Delivery.Occasion?, into commands: inout [EngineCommand]
  ) {
    apps[index].deliveries += 1
    commands.append(
      .deliver(
        apps[index].id,
        Delivery(
          sequence: apps[index].deliveries, service: service, fix: fix, isCached: isCached,
          moved: moved, since: since, occasion: occasion)))
  }

  func report(
    _ verdict: Verdict, on fix: Fix, _ index: Int, _ service: Service,
    into commands: inout [EngineCommand]
  ) {
    commands.append(.verdict(apps[index].id, service, verdict, fixTime: fix.time))
  }
}
