// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Wording

// The reason why an app was not told of a region.

extension LocationService {
  func regionAnswers(of app: AppRecord) -> [ExplanationDocument.RegionAnswer] {
    let regions = engine.explanation(for: app.id, at: now.at)?.regions ?? []
    return regions.map { place in
      let judgement = app.regionVerdicts[place.region.identifier]
      return .init(
        region: place.region.identifier, state: place.state, verdict: judgement?.verdict,
        fixTime: judgement?.fixTime, text: place.words(judgement?.verdict), circle: place.region)
    }
  }

  /// The reason why an app that only monitors places hears nothing while the receiver is on.
  func silence(
    ofPlaces answer: Explanation, _ app: AppRecord
  ) -> (text: String, advice: String?)? {
    guard let first = answer.regions.first else { return nil }
    let verdict = app.regionVerdicts[first.region.identifier]?.verdict
    guard verdict != nil || first.state != .unknown else {
      return ("no fix has come yet", "milepost doctor says why, if it lasts")
    }
    return (first.words(verdict), nil)
  }
}

extension Explanation.Region {
  /// `inside the region 'home'; the last fix: too close (120 m of 200 m beyond its border, accuracy 5 m)`.
  func words(_ verdict: Verdict?) -> String {
    let place =
      switch state {
      case .inside: "inside the region '\(region.identifier)'"
      case .outside: "outside the region '\(region.identifier)'"
      case .unknown: "no fix has said on which side of the region '\(region.identifier)' it is"
      }
    guard let verdict, verdict.outcome != .delivered else { return place + silent }
    return "\(place)\(silent); the last fix: \(verdict.borderWords)"
  }

  /// States that the region does not ask for the event; empty if it does.
  private var silent: String {
    switch state {
    case .inside where !region.notifiesOnExit: ", which does not ask for exits"
    case .outside where !region.notifiesOnEntry: ", which does not ask for entries"
    case .inside, .outside, .unknown: ""
    }
  }
}
