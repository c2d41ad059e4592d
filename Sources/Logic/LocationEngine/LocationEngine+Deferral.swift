// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Deferred updates: when a deferral begins and how it ends. `UpdateDeferral` has the rules.

extension LocationEngine {
  /// `nil` ends the deferral.
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

  /// Ends the deferral if the present request for updates allows none.
  mutating func endDeferralIfObstructed(
    _ index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    guard apps[index].standard?.deferral != nil,
      let trouble = apps[index].obstacleToDeferral(in: rules.era)
    else { return }
    endDeferral(of: index, trouble, at: now, into: &commands)
  }

  /// Ends the deferral, if there is one: the app runs and receives the deferred fixes. The rules of waking do not
  /// apply: its updates would have held it in the background.
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
      deliver(
        fix, to: index, service(of: index), isCached: false, occasion: .deferral, into: &commands)
      apps[index].standard?.anchor = Anchor(fix, at: now)
    }
    commands.append(.deferralEnded(apps[index].id, end))
  }

  /// Ends the deferrals whose time is over.
  mutating func endDeferrals(at now: EngineInstant, into commands: inout [EngineCommand]) {
    for index in apps.indices where apps[index].standard?.deferral?.isOver(at: now) == true {
      endDeferral(of: index, .finished, at: now, into: &commands)
    }
  }
}

extension EngineApp {
  /// The reason why the app's updates cannot be deferred; `nil` if they can.
  fileprivate func obstacleToDeferral(in era: Era) -> Deferral.End? {
    guard era.defersUpdates else { return .unsupported }
    guard let standard, standard.phase == .updating else { return .notUpdating }
    if standard.request.desiredAccuracy >= 0 { return .accuracyTooLow }
    return standard.request.distanceFilter == nil ? nil : .distanceFiltered
  }

  /// Whether the app's updates are deferred now: in the background, where they would hold it otherwise.
  @inline(__always)
  func defers(in era: Era) -> Bool {
    guard standard?.deferral != nil else { return false }
    return (state == .background || state == .suspended) && isContinuous(in: era)
  }
}
