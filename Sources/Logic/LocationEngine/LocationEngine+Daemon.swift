// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// On a phone regions and visits are told by its daemon (`PhoneDaemon`), whatever the policy of significant changes:
//
//   position of any service ─► regions of all apps ─► what remains ─► daemon ─► the next look, or a visit
//
// A look is one network position, shared by all who ask at that time. What happened is told by the rules of the
// significant change (`WakeTerms`). An app is told the end of a visit only if it was told its beginning.

extension LocationEngine {
  /// The daemon begins with the first app that monitors places and may be told, and rests with the last.
  mutating func followDaemon(isWanted: Bool, at now: EngineInstant) {
    guard case .phone(let system, let seed) = rules.platform, isWanted else { return daemon = nil }
    if daemon == nil {
      daemon = PhoneDaemon(system.terms, seed: seed, feelsMotion: rules.feelsMotion, at: now)
    }
  }

  /// Whether the policy serves any app: it monitors significant changes, or regions or visits on a machine.
  var isMonitored: Bool { apps.indices.contains(where: isServedByPolicy) }

  @inline(__always)
  func isServedByPolicy(_ index: Int) -> Bool {
    apps[index].hasSignificant || apps[index].hasPlaces && rules.platform == .machine
  }

  mutating func lookSoon(at now: EngineInstant) { daemon?.lookSoon(at: now) }

  /// The phone moves.
  mutating func feltByDaemon(at now: EngineInstant) {
    if let terms = rules.platform.phone { daemon?.felt(terms, at: now) }
  }

  /// Takes a position, or its fault, for the regions and visits of all apps.
  mutating func daemonSaw(
    _ fix: Fix, hiddenBy zone: PrivacyZone? = nil, refusal: Verdict.Outcome?,
    at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    judgePlaces(fix, hiddenBy: zone, refusal: refusal, at: now, into: &commands)
    guard refusal == nil, daemon != nil, let terms = rules.platform.phone else { return }
    let wanted = wantedPlaces(after: fix)
    if zone != nil {
      daemon?.saw(hidden: fix, wanted, terms, at: now)
      return
    }
    switch daemon?.saw(fix, wanted, terms, at: now) {
    case .arrived(let visit)?: tellArrival(visit, fix, at: now, into: &commands)
    case .departed(let since)?: tellDeparture(since: since, fix, at: now, into: &commands)
    case nil: break
    }
  }

  /// Time passed: asks for a position, if the daemon wants one and none is under way.
  mutating func passDaemon(to now: EngineInstant, into commands: inout [EngineCommand]) {
    guard daemon != nil, let terms = rules.platform.phone else { return }
    let isTracked =
      plan.isOn && lastKnown?.source != .network
      && lastKnownAt.map { EngineInstant.seconds(from: $0, to: now) < 5 } == true
    let wanted = wantedPlaces(after: lastKnown)
    guard daemon?.pass(wanted, terms, isTracked: isTracked, to: now) == true,
      policyAskedAt == nil, !isAskedByApps(at: now)
    else { return }
    commands.append(.requestNetworkPosition)
  }

  /// What the apps that may be told still await, seen from a position.
  private func wantedPlaces(after fix: Fix?) -> PhoneDaemon.Wanted {
    var wanted = PhoneDaemon.Wanted()
    for index in apps.indices where apps[index].hasPlaces && mayBeTold(index) == .delivered {
      guard let places = apps[index].places else { continue }
      if places.visits != nil { wanted.visits = true }
      for region in places.regions {
        if region.state == .unknown { wanted.isFinding = true }
        if let since = region.crossesSince {
          let due = since.advanced(bySeconds: MonitoredRegion.dwell)
          wanted.crossing = .earlier(wanted.crossing, due)
        }
        guard let fix, let metres = region.borderAhead(of: fix) else { continue }
        wanted.border = min(wanted.border ?? metres, metres)
      }
    }
    return wanted
  }

  private mutating func tellArrival(
    _ visit: Visit, _ fix: Fix, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    for index in apps.indices where apps[index].monitorsVisits && !apps[index].isExiting {
      guard permission(of: index) == .delivered else { continue }
      var visit = visit
      let fix = seen(fix, by: index, at: now)
      if apps[index].declaration.accuracy == .reduced { visit.reduce(to: fix) }
      apps[index].places?.openVisit = visit
      happened(.arrived(visit), fix, index, .visit, at: now, into: &commands)
    }
  }

  private mutating func tellDeparture(
    since: UTCInstant?, _ fix: Fix, at now: EngineInstant, into commands: inout [EngineCommand]
  ) {
    for index in apps.indices where apps[index].monitorsVisits && !apps[index].isExiting {
      guard permission(of: index) == .delivered, var visit = apps[index].places?.openVisit else {
        continue
      }
      apps[index].places?.openVisit = nil
      visit.departure = since
      let fix = seen(fix, by: index, at: now)
      happened(.departed(visit), fix, index, .visit, at: now, into: &commands)
    }
  }
}

extension EngineApp {
  /// Whether the app monitors visits.
  fileprivate var monitorsVisits: Bool { places?.visits != nil }
}
