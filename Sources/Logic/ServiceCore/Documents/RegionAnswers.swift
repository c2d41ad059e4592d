// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// The reason why an app was not told of a region.

extension ServiceDocuments {
  func regionAnswers(of app: RegisteredApp) -> [ExplanationDocument.RegionAnswer] {
    let regions = engine.explanation(for: app.id, at: now.at)?.regions ?? []
    return regions.map { place in
      let judgement = outboxes[app.id]?.judgements[region: place.region.identifier]
      return .init(
        region: place.region.identifier, state: place.state, verdict: judgement?.verdict,
        fixTime: judgement?.fixTime, text: place.words(judgement?.verdict), circle: place.region)
    }
  }

  /// The reason why an app that only monitors places hears nothing while the receiver is on.
  func silence(
    ofPlaces answer: Explanation, _ app: RegisteredApp
  ) -> (text: String, advice: String?)? {
    guard let first = answer.regions.first else { return nil }
    let verdict = outboxes[app.id]?.judgements[region: first.region.identifier]?.verdict
    guard verdict != nil || first.state != .unknown else {
      return ("no fix has come yet", "milepost doctor says why, if it lasts")
    }
    return (first.words(verdict), nil)
  }
}
