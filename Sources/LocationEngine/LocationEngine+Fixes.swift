// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationModel

// What the receiver and the network report.

extension LocationEngine {
  /// A fix of the receiver: for every standard service, and for a policy that uses the receiver.
  mutating func received(_ fix: Fix, at now: EngineInstant, into commands: inout [EngineCommand]) {
    let refusal = gate.judge(fix, at: now)
    if refusal == nil { lastKnown = fix }
    for index in apps.indices where apps[index].standard != nil {
      if let refusal {
        let verdict = Verdict(refusal, accuracy: fix.horizontalAccuracy)
        report(verdict, on: fix, index, service(of: index), into: &commands)
      } else {
        judgeStandard(fix, for: index, at: now, into: &commands)
      }
    }
    guard policy.usesReceiver else { return }
    judgeSignificant(fix, refusal: refusal, at: now, into: &commands)
  }

  /// A network position: for the policy that asked for it.
  mutating func receivedFromNetwork(
    _ fix: Fix, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    if lastKnown == nil || lastKnown?.source == .network { lastKnown = fix }
    judgeSignificant(fix, refusal: nil, at: now, into: &commands)
  }

  private mutating func judgeStandard(
    _ fix: Fix, for index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard let standard = apps[index].standard else { return }
    let kind = service(of: index)
    guard apps[index].declaration.authorization.allowsLocation else {
      return report(.init(.unauthorized), on: fix, index, kind, into: &commands)
    }
    guard apps[index].state.runsCode else {
      if rules.era.standardWhileSuspended == .queued { apps[index].standard?.queued = fix }
      return report(
        .init(.suspended, accuracy: fix.horizontalAccuracy), on: fix, index, kind, into: &commands)
    }
    if standard.phase == .paused { return }
    let verdict = standard.judge(fix, at: now)
    report(verdict, on: fix, index, kind, into: &commands)
    if verdict.outcome == .delivered {
      deliver(fix, to: index, kind, isCached: false, verdict: verdict, into: &commands)
      if standard.phase == .once {
        apps[index].standard = nil
        return
      }
      apps[index].standard?.anchor = Anchor(fix, at: now)
    }
    pauseIfStill(index, after: fix, at: now, into: &commands)
  }

  private mutating func pauseIfStill(
    _ index: Int, after fix: Fix, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard apps[index].standard?.request.pausesAutomatically == true,
      apps[index].standard?.still.isStill(
        after: fix, at: now, radius: rules.stillRadius, for: rules.pausesAfter) == true
    else { return }
    apps[index].standard?.phase = .paused
    commands.append(.paused(apps[index].id))
  }

  private mutating func judgeSignificant(
    _ fix: Fix, refusal: Verdict.Outcome?, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    guard apps.contains(where: { $0.significant != nil }) else { return }
    let refusal = policy.admit(fix, refusal: refusal, at: now)
    var judged = SignificantPolicy.Judged(fix: fix)
    for index in apps.indices {
      guard let service = apps[index].significant else { continue }
      let criteria = policy.criteria(for: fix, anchorAccuracy: service.anchor?.accuracy, rules)
      var verdict = service.judge(fix, at: now, by: criteria)
      if let refusal { verdict.outcome = refusal }
      if verdict.outcome == .delivered { verdict.outcome = permission(of: index) }
      report(verdict, on: fix, index, .significant, into: &commands)
      if verdict.outcome == .tooSoon, let anchor = service.anchor {
        let due = anchor.at.advanced(bySeconds: criteria.interval)
        judged.retryAt = judged.retryAt.map { min($0, due) } ?? due
      }
      guard verdict.outcome == .delivered, rouse(index, for: .location, at: now, into: &commands)
      else { continue }
      apps[index].significant?.anchor = Anchor(fix, at: now)
      judged.hasDelivered = true
      deliver(fix, to: index, .significant, isCached: false, verdict: verdict, into: &commands)
    }
    guard refusal == nil else { return }
    weighApps(after: fix, at: now)
    tellPolicy(.judged(judged), at: now, into: &commands)
  }

  /// Tells the policy how far each app that may be told is from its next event.
  private mutating func weighApps(after fix: Fix, at now: EngineInstant) {
    for index in apps.indices {
      guard let anchor = apps[index].significant?.anchor, permission(of: index) == .delivered
      else { continue }
      let criteria = policy.criteria(for: fix, anchorAccuracy: anchor.accuracy, rules)
      policy.weigh(
        remaining: criteria.distance - anchor.moved(to: fix),
        dueAt: anchor.at.advanced(bySeconds: criteria.interval), at: now)
    }
  }

  /// Whether the rules let a significant change reach the app, and what else they say.
  private func permission(of index: Int) -> Verdict.Outcome {
    let app = apps[index]
    guard app.declaration.authorization.allowsLocation else { return .unauthorized }
    switch app.state {
    case .inactive, .active, .background: return .delivered
    case .suspended: return app.mayRelaunch(in: rules.era) ? .delivered : .suspended
    case .notRunning: return app.mayRelaunch(in: rules.era) ? .delivered : .notRunning
    }
  }

  /// Whether the app's standard updates count as standard or as continuous.
  func service(of index: Int) -> Service {
    apps[index].isContinuous(in: rules.era) ? .continuous : .standard
  }

  mutating func deliver(
    _ fix: Fix, to index: Int, _ service: Service, isCached: Bool, verdict: Verdict?,
    into commands: inout [EngineCommand]
  ) {
    apps[index].deliveries += 1
    commands.append(
      .deliver(
        apps[index].id,
        Delivery(
          sequence: apps[index].deliveries, service: service, fix: fix, isCached: isCached,
          moved: verdict?.moved, since: verdict?.since)))
  }

  private func report(
    _ verdict: Verdict, on fix: Fix, _ index: Int, _ service: Service,
    into commands: inout [EngineCommand]
  ) {
    commands.append(.verdict(apps[index].id, service, verdict, fixTime: fix.time))
  }
}
