// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// Of a phone see `LocationEngine+Daemon`. On a machine regions and visits are clients of the policy as a significant
// change is: a border at a distance, and the end of a
// dwell, are metres that are missing and the instant from which they count (`Policy.weigh`). They make no request for
// the receiver themselves, and see only positions that the policy sees. So they cost as much as its looks, and are as
// late.
//
//   position ─► admitted? ─► each region, each app's visits ─► a crossing that counts ─► may it be told?
//                                                                    wake or relaunch ─► delivery with an event
//
// - The first monitoring app wakes the policy (`began`), the last one rests it (`ended`), whatever is monitored. A
//   region of unknown state makes it look again, unless it already looks for another one.
// - A change of cell is looked into at once while a region is monitored: the 300 s between two significant
//   changes mean nothing to a border.
// - An app's request counts in any state: the app made it while it ran, and may have been suspended since.
// - `notRunning` and `suspended` are relaunched and woken by the rules of the significant change
//   (`WakeTerms`).

extension LocationEngine {
  mutating func place(
    _ index: Int, _ input: PlaceInput, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    let id = apps[index].id
    switch input {
    case .startMonitoring(let region): startMonitoring(region, index, at: now, into: &commands)
    case .stopMonitoring(let identifier):
      let isAsked = apps[index].places?.regions.contains {
        $0.region.identifier == identifier && $0.askedUntil != nil
      }
      if isAsked == true { commands.append(.place(id, .state(region: identifier, .unknown))) }
      endPlaces(of: index) { places in
        places.regions.removeAll { $0.region.identifier == identifier }
      }
    case .requestState(let identifier):
      guard let place = apps[index].places?.index(of: identifier) else {
        return commands.append(.place(id, .state(region: identifier, .unknown)))
      }
      let runsCode = apps[index].state.runsCode
      if let state = apps[index].places?.regions[place].ask(at: now, runsCode: runsCode) {
        commands.append(.place(id, .state(region: identifier, state)))
      }
    case .tookCrossing(let identifier, let isInside, let time):
      guard let place = apps[index].places?.index(of: identifier) else { return }
      apps[index].places?.regions[place].took(crossingInside: isInside, at: time)
    case .startMonitoringVisits:
      guard rules.era.hasVisits else { return commands.append(.notWoken(id, .visit, .notInEra)) }
      guard apps[index].places?.visits == nil else { return }
      askUser(index, into: &commands)
      var places = apps[index].places ?? PlaceServices()
      places.visits = VisitService()
      apps[index].places = places
      lookForPlaces(at: now, into: &commands)
    case .stopMonitoringVisits:
      endPlaces(of: index) { places in
        (places.visits, places.openVisit) = (nil, nil)
      }
    }
  }

  private mutating func startMonitoring(
    _ region: MonitoredRegion, _ index: Int, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    var places = apps[index].places ?? PlaceServices()
    func refuse(_ trouble: RegionTrouble) {
      commands.append(.place(apps[index].id, .failed(region: region.identifier, trouble)))
    }
    guard region.isValid else { return refuse(.invalid) }
    let place = places.index(of: region.identifier)
    if let place {
      guard places.regions[place].region != region else { return }
      places.regions[place].change(to: region)
    } else {
      guard places.regions.count < MonitoredRegion.limit else { return refuse(.tooMany) }
      places.regions.append(RegionService(region))
    }
    askUser(index, into: &commands)
    let isFinding = apps.contains { app in
      app.places?.regions.contains { $0.state == .unknown } == true
    }
    apps[index].places = places
    findSide(of: region.identifier, index, at: now, into: &commands)
    if !isFinding { lookForPlaces(at: now, into: &commands) }
  }

  /// Something else is monitored: looks for it at once.
  private mutating func lookForPlaces(at now: EngineInstant, into commands: inout [EngineCommand]) {
    if rules.platform != .machine { return lookSoon(at: now) }
    if isLooking { tellPolicy(.began, at: now, into: &commands) }
  }

  /// Finds the first state of a region by the last known position, if that is recent enough.
  private mutating func findSide(
    of identifier: String, _ index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    let id = apps[index].id
    guard apps[index].declaration.authorization.allowsLocation, let at = lastKnownAt,
      let fix = lastKnown(for: id), let place = apps[index].places?.index(of: identifier),
      apps[index].places?.regions[place].isSettled(
        by: fix, from: at, at: now, by: rules.platform.regions) == true
    else { return }
    let state = apps[index].places?.regions[place].state ?? .unknown
    commands.append(.place(id, .settled(region: identifier, state)))
  }

  private mutating func endPlaces(of index: Int, _ change: (inout PlaceServices) -> Void) {
    guard var places = apps[index].places else { return }
    change(&places)
    apps[index].places = places.isEmpty ? nil : places
  }

  // MARK: Positions

  /// Judges a position that the policy admitted, or its fault, for all regions and visits.
  mutating func judgePlaces(
    _ fix: Fix, hiddenBy zone: PrivacyZone?, refusal: Verdict.Outcome?, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    for index in apps.indices where apps[index].hasPlaces {
      guard let fix = placeSeen(fix, by: index, hiddenBy: zone, at: now, into: &commands) else {
        continue
      }
      judgeRegions(of: index, fix, refusal: refusal, at: now, into: &commands)
      guard refusal == nil, !apps[index].isExiting, rules.platform == .machine else { continue }
      for (event, fix) in apps[index].places?.visits?.take(fix: fix, at: now) ?? [] {
        happened(event, fix, index, .visit, at: now, into: &commands)
      }
    }
    guard refusal == nil else { return }
    answerQuestions(at: now, into: &commands)
  }

  private mutating func judgeRegions(
    of index: Int, _ fix: Fix, refusal: Verdict.Outcome?, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    let id = apps[index].id
    let count = apps[index].places?.regions.count ?? 0
    for place in 0..<count {
      guard let region = apps[index].places?.regions[place].region.identifier else { continue }
      func report(_ verdict: Verdict) {
        commands.append(.place(id, .verdict(region: region, verdict, fixTime: fix.time)))
      }
      if let refusal {
        report(Verdict(refusal, accuracy: fix.horizontalAccuracy))
        continue
      }
      let permission = permission(of: index)
      let terms = rules.platform.regions
      switch apps[index].places?.regions[place].judge(
        fix, at: now, by: terms, permission: permission)
      {
      case .settled?:
        let state = apps[index].places?.regions[place].state ?? .unknown
        commands.append(.place(id, .settled(region: region, state)))
      case .refused(let verdict)?: report(verdict)
      case .crossed(let event, let verdict)?:
        report(verdict)
        happened(event, fix, index, .region, at: now, into: &commands)
      case nil: break
      }
    }
  }

  /// Wakes or relaunches the app and hands it the event, if the rules allow that.
  mutating func happened(
    _ event: PlaceEvent, _ fix: Fix, _ index: Int, _ reason: WakeReason, at now: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    guard permission(of: index) == .delivered,
      wake(index, for: reason, at: now, into: &commands)
    else { return }
    apps[index].deliveries += 1
    let delivery = Delivery(
      sequence: apps[index].deliveries, service: .significant, fix: fix, isCached: false,
      moved: nil, since: nil, event: event)
    commands.append(.place(apps[index].id, .event(delivery)))
  }

  /// Tells the policy how far each app that may be told is from its place events; `judged` gets the end of the
  /// earliest dwell, and the first instant at which one may come.
  mutating func weighPlaces(
    _ judged: inout JudgedFix, hiddenBy zone: PrivacyZone?, at now: EngineInstant
  ) {
    let fix = judged.fix
    for index in apps.indices where apps[index].hasPlaces && mayBeTold(index) == .delivered {
      if let zone, !apps[index].sees(zone.name) {
        policy.strategy.weigh(
          remaining: zone.wayOut, dueAt: now, by: policy.strategy.criteria(for: fix, rules))
        judged.awaits(from: now)
        continue
      }
      guard let places = apps[index].places else { continue }
      let criteria = policy.strategy.criteria(for: fix, rules)
      var missing = places.regions.map {
        $0.missing(after: fix, at: now, by: rules.platform.regions)
      }
      // A border can be crossed at any time.
      if !missing.isEmpty { judged.awaits(from: now) }
      for visit in places.visits?.missing(after: fix, at: now) ?? [] {
        missing.append(visit)
        judged.awaits(from: visit.due)
      }
      for want in missing {
        let due = max(want.due, apps[index].lifecycle.endsAt ?? want.due)
        policy.strategy.weigh(remaining: want.metres, dueAt: due, by: criteria)
        if want.metres <= 0, due > now {
          judged.retryAt = .earlier(judged.retryAt, due)
        }
      }
    }
  }

  // MARK: Time

  /// Answers questions about the state of regions: now known, or timed out. An app that runs no code could not hear an
  /// answer: its questions stay open until it runs again.
  mutating func answerQuestions(at now: EngineInstant, into commands: inout [EngineCommand]) {
    for index in apps.indices where apps[index].hasPlaces && apps[index].state.runsCode {
      answerQuestions(of: index, at: now, into: &commands)
    }
  }

  mutating func answerQuestions(
    of index: Int, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    let count = apps[index].places?.regions.count ?? 0
    for place in 0..<count {
      guard let state = apps[index].places?.regions[place].answer(at: now),
        let identifier = apps[index].places?.regions[place].region.identifier
      else { continue }
      commands.append(.place(apps[index].id, .state(region: identifier, state)))
    }
  }

  /// Drops the questions of a process that has ended.
  mutating func dropQuestions(of index: Int) {
    let count = apps[index].places?.regions.count ?? 0
    for place in 0..<count { apps[index].places?.regions[place].dropQuestion() }
  }

  /// Confirms stays without a position, if the policy believes in a rest and a sensor would report its end.
  mutating func confirmStays(at now: EngineInstant, into commands: inout [EngineCommand]) {
    guard rules.platform == .machine, triggers.contains(.motion), hiddenIn == nil,
      apps.contains(where: { $0.hasPlaces && $0.places?.visits?.dwellEnds != nil }),
      let rest = policy.strategy.rest
    else { return }
    for index in apps.indices where apps[index].hasPlaces && !apps[index].isExiting {
      guard let fix = lastKnown(for: apps[index].id) else { continue }
      for (event, fix) in apps[index].places?.visits?.rests(rest, fix, at: now) ?? [] {
        happened(event, fix, index, .visit, at: now, into: &commands)
      }
    }
  }

  /// Passes a motion event to the visits that believe in a stay.
  mutating func stirVisits(at now: EngineInstant) {
    for index in apps.indices where apps[index].hasPlaces {
      apps[index].places?.visits?.stirred(at: now)
    }
  }

  /// The regions that an app monitors, in the order in which it asked for them; empty for an unknown app.
  package func regions(of id: AppID) -> [MonitoredRegion] {
    index(of: id).flatMap { apps[$0].places?.regions.map(\.region) } ?? []
  }

  /// What an app was told last of each region that it monitors; nothing of those of which it was told nothing.
  package func toldSides(of id: AppID) -> [ToldSide] {
    index(of: id).flatMap { apps[$0].places?.regions.compactMap(\.told) } ?? []
  }

  /// The believed side of an app's region; `nil` for one that it does not monitor.
  package func state(of identifier: String, of id: AppID) -> RegionState? {
    guard let places = index(of: id).flatMap({ apps[$0].places }),
      let place = places.index(of: identifier)
    else { return nil }
    return places.regions[place].state
  }

  /// The visit in which an app that monitors visits, and may know the location, is told to be.
  package func currentVisit(of id: AppID) -> Visit? {
    guard let index = index(of: id), mayBeTold(index) == .delivered else { return nil }
    // On a phone its daemon knows, and has told of it.
    if let daemon { return daemon.isInVisit ? apps[index].places?.openVisit : nil }
    return apps[index].places?.visits?.current
  }

  /// Whether an app monitors visits.
  package func monitorsVisits(_ id: AppID) -> Bool {
    index(of: id).map { apps[$0].places?.visits != nil } ?? false
  }
}
