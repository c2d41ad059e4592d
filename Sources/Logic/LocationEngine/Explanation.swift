// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The reason why an app receives nothing at an instant, even without fixes to judge.
package struct Explanation: Sendable, Equatable {
  package let app: AppID
  package let state: AppState
  /// The service that the app requested; `nil` if it requested none, or the request ended with its process.
  package let service: Service?
  /// The receiver's plan, by what keeps this app from an event.
  package let plan: ReceiverPlan
  /// `receiver_off`, `not_running`, `suspended` or `unauthorized`; `nil` if the receiver is on and the verdicts of its
  /// fixes say the rest.
  package let verdict: Verdict?
  /// The reason why no location wakes the app, which monitors and runs no code; `nil` if one does.
  package let obstacle: NotWoken?
  /// The policy's belief in a rest; `nil` if movement is likelier, or the policy has no opinion.
  package let rest: RestBelief?
  /// The policy's belief in movement; `nil` if a rest is likelier, or the policy has no opinion.
  package let movement: MovementBelief?
  /// The price of a look to the policy; `nil` if it weighs none, or does not look for this app.
  package let worth: LookWorth?
  /// Whether the app is suspended and the newest position from other apps' receivers waits for it. The receiver is not
  /// on for it in any era.
  package let keepsWhatOthersBring: Bool
  /// The regions that the app monitors.
  package let regions: [Region]

  /// One region, as far as it explains why an app was not told of it.
  package struct Region: Sendable, Equatable {
    package let region: MonitoredRegion
    package let state: RegionState
    /// The start of a crossing under way; `nil` if there is none.
    package let crossesSince: EngineInstant?
  }

  /// A remark about a suspended app: the receiver is off for it, whatever its era keeps.
  package var suspension: String {
    let off = "; the receiver is not on for it"
    return keepsWhatOthersBring
      ? off + ", and of what other apps' receivers bring the newest waits until it runs" : off
  }
}

/// A device that probably rests.
package struct RestBelief: Sendable, Equatable {
  /// The probability of a rest, from 0.5 to 1.
  package let chance: Double
  /// The instant since when rest is likelier than movement.
  package let since: EngineInstant
}

/// A device that probably moves.
package struct MovementBelief: Sendable, Equatable {
  /// The probability of movement, from 0.5 to 1.
  package let chance: Double
  /// Whether a ride is likelier than a walk.
  package let isRide: Bool
  /// The mean pace of the likelier one, metres per second made good.
  package let pace: Double
}

extension ReceiverPlan {
  /// The plan as it is for an app that may be told of its next event only then: until that instant no cell is awaited.
  fileprivate func waiting(until due: EngineInstant?, at now: EngineInstant) -> ReceiverPlan {
    guard let due, now < due, case .off(let off) = self else { return self }
    switch off {
    case .awaitsCellChange, .awaitsInterval: return .off(.awaitsInterval(due))
    case .nobodyAsks, .nobodyRuns, .awaitsPlace, .awaitsSession, .awaitsHint, .awaitsNetwork,
      .positionHolds, .networkServes, .networkMissing, .awaitsMotion, .paused:
      return self
    }
  }
}

extension LocationEngine {
  /// The explanation at any instant; `nil` for an unknown app. Ask after time has passed up to `now`.
  package func explanation(for id: AppID, at now: EngineInstant) -> Explanation? {
    guard let app = apps.first(where: { $0.id == id }) else { return nil }
    let anchor = app.significant?.anchor ?? app.standard?.anchor
    let kind: Service? =
      if app.significant != nil {
        .significant
      } else if app.standard != nil {
        app.isContinuous(in: rules.era) ? .continuous : .standard
      } else if app.single != nil {
        .standard
      } else {
        nil
      }
    // A service that outlives the process wakes the app, unless it is one that does not.
    let isWoken = kind == .significant || kind == nil && app.hasPlaces
    let obstacle = app.obstacle(in: rules.era, on: device)
    let told = isWoken ? index(of: id).map(mayBeTold) : nil
    var verdict: Verdict?
    if !app.mayHear(app.standard?.unseenSince ?? app.single?.unseenSince, in: rules.era) {
      verdict = Verdict(.unauthorized)
    } else if !isWoken, app.state == .notRunning {
      verdict = Verdict(.notRunning)
    } else if !isWoken, app.state == .suspended, !app.awaitsMotion {
      verdict = Verdict(.suspended)
    } else if let told, told != .delivered {
      verdict = Verdict(told)
    } else if let hiddenIn, !app.sees(hiddenIn) {
      verdict = Verdict(.withheld)
      verdict?.zone = hiddenIn
    } else if !plan.isOn {
      verdict = Verdict(.receiverOff)
    }
    verdict?.since = anchor?.since(now)
    var plan = plan
    if kind == .significant, let index = index(of: id) {
      let criteria = criteria(for: lastKnown, of: index)
      verdict?.movedRequired = criteria.required(from: anchor, accuracy: nil)
      verdict?.sinceRequired = criteria.interval
      plan = plan.waiting(until: anchor?.at.advanced(bySeconds: criteria.interval), at: now)
    }
    let keeps =
      app.state == .suspended && app.standard != nil && kind != .significant
      && rules.era.standardWhileSuspended == .queued
    return Explanation(
      app: id, state: app.state, service: kind, plan: plan, verdict: verdict, obstacle: obstacle,
      rest: isWoken ? policy.strategy.rest : nil,
      movement: isWoken ? policy.strategy.movement : nil,
      worth: kind == .significant ? policy.strategy.worth(rules) : nil,
      keepsWhatOthersBring: keeps,
      regions: app.places?.regions.map {
        .init(region: $0.region, state: $0.state, crossesSince: $0.crossesSince)
      } ?? [])
  }
}
