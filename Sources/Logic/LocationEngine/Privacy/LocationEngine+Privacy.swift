// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel

// Theory
// ======
//
// Hiding is decided once, where a position comes in: a position that does not come in is in no filter, anchor,
// snapshot, delivery, verdict or log.
//
//   position ─► does a zone hide it? ──no──► gate, apps, policy: as everywhere
//                   │ yes                        └── of an app of reduced accuracy: its square in place of it
//                   ├─► apps that see inside: the position
//                   ├─► all other apps: nothing, or once the zone's name
//                   └─► policy, last known position, regions: the zone's stand-in, or nothing
//
// - The policy sees a device that rests at the stand-in: movement inside makes no look come sooner, and the policy's
//   memory may be stored.
// - The gate sees no position within; apps that see inside have a gate of their own, which is not stored.
// - An app that may know a zone's name is told it by an event as of a region (`entered`, `exited`), without a place on
//   the wire; the delivery's position is the stand-in.
// - An app that sees inside has what it needs in its own services (anchors, the best position of a request): that is
//   stored, like its outbox.
// - A new zone over a remembered position: that position is forgotten then.

extension LocationEngine {
  // MARK: Hidden

  /// The zone that hides a position; the device is assumed to be there from now on.
  mutating func hide(_ fix: Fix) -> PrivacyZone? {
    guard let zone = rules.zones.hiding(fix, last: hiddenIn) else { return nil }
    if hiddenIn != zone.name { gateInside = FixGate() }
    hiddenIn = zone.name
    return zone
  }

  /// Takes a fix of the receiver that a zone hides.
  mutating func received(
    _ fix: Fix, hiddenBy zone: PrivacyZone, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    let frame = LocalFrame(origin: fix.coordinate)
    let refusal = gateInside.judge(fix, around: frame, at: now)
    if refusal == nil { _ = sawMotion(fix, hiddenBy: zone, at: now, into: &commands) }
    for index in apps.indices where apps[index].hasStandard || apps[index].hasSingle {
      if !apps[index].sees(zone.name) {
        withhold(fix, in: zone, from: index, at: now, into: &commands)
      } else if let refusal {
        let verdict = Verdict(refusal, accuracy: fix.horizontalAccuracy)
        report(verdict, on: fix, index, service(of: index), into: &commands)
        continue
      } else {
        let updates = apps[index].hasStandard
        _ = take(fix: fix, around: frame, for: index, updates: updates, at: now, into: &commands)
      }
      if apps[index].updates(in: rules.era) { apps[index].standard?.looks?.found(fix, at: now) }
    }
    if daemon != nil {
      daemonSaw(fix, hiddenBy: zone, refusal: refusal, at: now, into: &commands)
    }
    if isMonitored, policy.strategy.usesReceiver {
      judgeSignificant(fix, hiddenBy: zone, refusal: refusal, at: now, into: &commands)
    }
    return true
  }

  /// Tells an app nothing of a position within a zone except, once and if the zone allows it, its name.
  mutating func withhold(
    _ fix: Fix, in zone: PrivacyZone, from index: Int, asMonitor isMonitor: Bool = false,
    at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    var verdict = Verdict(.withheld)
    verdict.zone = zone.name
    let service = isMonitor ? Service.significant : service(of: index)
    report(verdict, on: fix, index, service, into: &commands)
    let standIn = zone.standIn(for: fix)
    if zone.says == .name, apps[index].told?.zone != zone.name, zone.surelyHolds(fix) {
      if let left = apps[index].told?.zone,
        tellPlaceEvent(
          .exited(left), standIn, index, asMonitor: isMonitor, at: now, into: &commands)
      {
        apps[index].told?.zone = nil
      }
      let event = PlaceEvent.entered(zone.name)
      if tellPlaceEvent(event, standIn, index, asMonitor: isMonitor, at: now, into: &commands) {
        apps[index].told = ToldPlace(zone: zone.name, reduced: apps[index].told?.reduced)
      }
    }
    guard !isMonitor, apps[index].updates(in: rules.era),
      apps[index].rests(after: standIn, at: now, by: rules)
    else { return }
    commands.append(.paused(apps[index].id))
  }

  /// A position that no zone hides was believed: apps that were told of a zone hear that it was left, even of one no
  /// longer in the configuration. Returns whether anything changed.
  mutating func isSeenAgain(
    by fix: Fix, at now: EngineInstant, into commands: inout [EngineCommand]
  ) -> Bool {
    let wasHidden = hiddenIn != nil
    hiddenIn = nil
    if wasHidden { gateInside = FixGate() }
    var changes = wasHidden
    for index in apps.indices where apps[index].hasTold {
      guard case .some(let zone) = apps[index].told?.zone else { continue }
      let seen = seen(fix, by: index, at: now)
      guard
        tellPlaceEvent(
          .exited(zone), seen, index, asMonitor: apps[index].monitors, at: now, into: &commands)
      else { continue }
      apps[index].told?.zone = nil
      changes = true
    }
    return changes
  }

  /// Tells an app of a zone if it may be told now; returns whether it was.
  private mutating func tellPlaceEvent(
    _ event: PlaceEvent, _ fix: Fix, _ index: Int, asMonitor isMonitor: Bool,
    at now: EngineInstant, into commands: inout [EngineCommand]
  ) -> Bool {
    if isMonitor {
      guard permission(of: index) == .delivered,
        wake(index, for: .region, at: now, into: &commands)
      else { return false }
    } else if !apps[index].updates(in: rules.era) {
      return false
    }
    apps[index].deliveries += 1
    let delivery = Delivery(
      sequence: apps[index].deliveries, service: isMonitor ? .significant : service(of: index),
      fix: fix, isCached: false, moved: nil, since: nil, event: event)
    commands.append(.place(apps[index].id, .event(delivery)))
    return true
  }

  /// The position as an app's regions and visits see it; `nil` if they see none.
  mutating func placeSeen(
    _ fix: Fix, by index: Int, hiddenBy zone: PrivacyZone?, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Fix? {
    guard let zone, !apps[index].sees(zone.name) else { return seen(fix, by: index, at: now) }
    if !apps[index].hasSignificant {
      withhold(fix, in: zone, from: index, asMonitor: true, at: now, into: &commands)
    }
    return zone.says == .name ? zone.standIn(for: fix) : nil
  }

  // MARK: Reduced

  /// The position as an app sees it: a square at reduced accuracy, else the position.
  mutating func seen(_ fix: Fix, by index: Int, at now: EngineInstant) -> Fix {
    guard apps[index].declaration.accuracy == .reduced else { return fix }
    var told = apps[index].told ?? ToldPlace()
    var place = told.reduced ?? ReducedPlace(fix, at: now)
    _ = place.take(fix: fix, at: now)
    told.reduced = place
    apps[index].told = told
    return place.standIn(for: fix)
  }

  /// The same for an earlier position, which an app has yet to be told; from the oldest to the newest.
  package mutating func seen(_ fix: Fix, by id: AppID, at instant: EngineInstant) -> Fix {
    index(of: id).map { seen(fix, by: $0, at: instant) } ?? fix
  }

  /// An app's accuracy has become reduced: a stay that exact positions showed is forgotten if it was not told, and ends
  /// at its square if it was.
  mutating func reduceVisits(of index: Int, at now: EngineInstant) {
    guard apps[index].declaration.accuracy == .reduced, apps[index].places?.visits != nil else {
      return
    }
    apps[index].places?.visits = VisitService()
    guard let visit = apps[index].places?.openVisit else { return }
    let place = Fix(
      time: visit.arrival, coordinate: visit.coordinate,
      horizontalAccuracy: visit.horizontalAccuracy)
    let square = seen(place, by: index, at: now)
    apps[index].places?.openVisit?.reduce(to: square)
  }

  /// Takes a position for an app of reduced accuracy.
  ///
  /// Rest is judged by the position itself: a square does not reveal it, and a pause does not reveal the place.
  mutating func takeReduced(
    _ fix: Fix, for index: Int, updates: Bool, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    let changes = takeSquare(fix, for: index, updates: updates, at: now, into: &commands)
    guard updates, apps[index].updates(in: rules.era),
      apps[index].rests(after: fix, at: now, by: rules)
    else { return changes }
    endDeferral(of: index, .cancelled, at: now, into: &commands)
    commands.append(.paused(apps[index].id))
    return true
  }

  /// Delivers each new square to its updates, none twice.
  private mutating func takeSquare(
    _ fix: Fix, for index: Int, updates: Bool, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) -> Bool {
    let seen = seen(fix, by: index, at: now)
    if updates, !apps[index].hasSingle, let anchor = apps[index].standard?.anchor,
      anchor.frame.origin == seen.coordinate
    {
      let verdict = Verdict(
        .tooClose, moved: 0, movedRequired: ReducedPlace.spacing, since: anchor.since(now),
        accuracy: seen.horizontalAccuracy)
      report(verdict, on: seen, index, service(of: index), into: &commands)
      return false
    }
    let frame = LocalFrame(origin: seen.coordinate)
    return takeAsSeen(seen, around: frame, for: index, updates: updates, at: now, into: &commands)
  }

  /// The newest position that an app may know; `nil` if there is none.
  package func lastKnown(for id: AppID) -> Fix? {
    guard let fix = lastKnown, let index = index(of: id) else { return nil }
    guard apps[index].declaration.accuracy == .reduced else { return fix }
    let place = apps[index].told?.reduced ?? ReducedPlace(fix, at: latest)
    return place.standIn(for: fix)
  }
}

extension LocationEngine {
  /// The zones in which an app sees the position; empty for an unknown app.
  package func zonesSeen(by id: AppID) -> [String] {
    index(of: id).map { apps[$0].declaration.seesInside } ?? []
  }
}
