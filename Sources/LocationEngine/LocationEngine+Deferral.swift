// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import LocationModel

// Updates that are kept back: when that begins and how it ends. `UpdateDeferral` has the rules.

extension LocationEngine {
  /// `nil`: no longer.
  mutating func deferUpdates(
    _ index: Int, _ deferral: Deferral?, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    endDeferral(of: index, .cancelled, at: now, into: &commands)
    guard let deferral else { return }
    if let trouble = apps[index].obstacleToDeferral(in: rules.era) {
      return commands.append(.deferralEnded(apps[index].id, trouble))
    }
    apps[index].standard?.deferral = UpdateDeferral(
      deferral, purgesAfter: rules.lifecycle.purgesAfter, at: now)
  }

  /// Ends it where the request for updates is now one of which none can be kept back.
  mutating func endDeferralIfObstructed(
    _ index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard apps[index].standard?.deferral != nil,
      let trouble = apps[index].obstacleToDeferral(in: rules.era)
    else { return }
    endDeferral(of: index, trouble, at: now, into: &commands)
  }

  /// Ends it, where there is one: the app runs, and has what was kept. That is no event for which it might be woken
  /// or not: its updates would have held it in the background.
  mutating func endDeferral(
    of index: Int, _ end: Deferral.End, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    guard let deferral = apps[index].standard?.deferral else { return }
    apps[index].standard?.deferral = nil
    let mayHear = apps[index].declaration.authorization.allowsLocation && !apps[index].isExiting
    if mayHear, apps[index].state == .suspended {
      advance(index, .woken(.location), at: now, into: &commands)
    }
    for fix in deferral.kept {
      let verdict = Verdict(
        mayHear ? .delivered : .unauthorized, accuracy: fix.horizontalAccuracy)
      report(verdict, on: fix, index, service(of: index), into: &commands)
      guard mayHear else { continue }
      deliver(fix, to: index, service(of: index), isCached: false, into: &commands)
      apps[index].standard?.anchor = Anchor(fix, at: now)
    }
    commands.append(.deferralEnded(apps[index].id, end))
  }

  /// Those whose time is over.
  mutating func endDeferrals(at now: EngineInstant, into commands: inout [EngineCommand]) {
    for index in apps.indices where apps[index].standard?.deferral?.isOver(at: now) == true {
      endDeferral(of: index, .finished, at: now, into: &commands)
    }
  }
}

extension EngineApp {
  /// Why its updates cannot be kept back; `nil` where they can.
  fileprivate func obstacleToDeferral(in era: Era) -> Deferral.End? {
    guard era.defersUpdates else { return .unsupported }
    guard let standard, standard.phase == .updating else { return .notUpdating }
    if standard.request.desiredAccuracy >= 0 { return .accuracyTooLow }
    return standard.request.distanceFilter == nil ? nil : .distanceFiltered
  }

  /// Whether its updates are kept back now: in the background, where they would hold it otherwise.
  @inline(__always)
  func defers(in era: Era) -> Bool {
    guard standard?.deferral != nil else { return false }
    return (state == .background || state == .suspended) && isContinuous(in: era)
  }
}
