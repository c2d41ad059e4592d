// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Geodesy
package import JSONText
package import LocationModel

/// `EXPLANATION`: the reason why an app hears nothing now, or the last delivery.
package struct ExplanationDocument: ControlDocument {
  package static let documentClass = DocumentClass.explanation

  /// The outcome of the latest fix for one service of the app.
  package struct Answer: JSONObject, Equatable {
    package var service: Service
    package var verdict: Verdict
    /// Time of the judged fix; `nil` if there was none, or if it had no time.
    package var fixTime: UTCInstant?
    /// The verdict with the deciding numbers, in plain words.
    package var text: String

    package static let empty = Self(
      service: .standard, verdict: Verdict(.invalid), fixTime: nil, text: "")
    package static let table = JSONTable<Self> { answer in
      answer.field("service", \.service)
      answer.field("verdict", \.verdict.outcome)
      answer.field("moved_m", \.verdict.moved, .number(decimals: 1))
      answer.field("moved_required_m", \.verdict.movedRequired, .number())
      answer.field("since_s", \.verdict.since, .number(decimals: 3))
      answer.field("since_required_s", \.verdict.sinceRequired, .number())
      answer.field("accuracy_m", \.verdict.accuracy, .number())
      answer.field("fix_time", \.fixTime)
      answer.field("text", \.text)
    }
  }

  /// The outcome of the latest fix for one region of the app.
  package struct RegionAnswer: JSONObject, Equatable {
    package var region: String
    package var state: RegionState
    /// `nil` if no fix has been judged for it.
    package var verdict: Verdict.Outcome?
    /// Metres beyond its border, as seen from the side of `state`, and the number that a crossing needs.
    package var beyond: Double?
    package var beyondRequired: Double?
    /// Seconds that the device has been so far beyond it, and the number that a crossing needs.
    package var since: Double?
    package var sinceRequired: Double?
    package var accuracy: Double?
    package var fixTime: UTCInstant?
    /// All of it in plain words.
    package var text: String
    /// The circle: its centre in degrees, WGS-84, and its radius in metres; `nil` from an older daemon.
    package var latitude: Double?
    package var longitude: Double?
    package var radius: Double?

    package init(
      region: String, state: RegionState, verdict: Verdict?, fixTime: UTCInstant?, text: String,
      circle: MonitoredRegion? = nil
    ) {
      latitude = circle?.centre.latitude
      longitude = circle?.centre.longitude
      radius = circle?.radius
      self.region = region
      self.state = state
      self.verdict = verdict?.outcome
      (beyond, beyondRequired) = (verdict?.moved, verdict?.movedRequired)
      (since, sinceRequired) = (verdict?.since, verdict?.sinceRequired)
      accuracy = verdict?.accuracy
      self.fixTime = fixTime
      self.text = text
    }

    package static let empty = Self(
      region: "", state: .unknown, verdict: nil, fixTime: nil, text: "")
    package static let table = JSONTable<Self> { answer in
      answer.field("region", \.region)
      answer.field("state", \.state)
      answer.field("verdict", \.verdict)
      answer.field("beyond_m", \.beyond, .number(decimals: 1))
      answer.field("beyond_required_m", \.beyondRequired, .number())
      answer.field("since_s", \.since, .number(decimals: 3))
      answer.field("since_required_s", \.sinceRequired, .number())
      answer.field("accuracy_m", \.accuracy, .number())
      answer.field("fix_time", \.fixTime)
      answer.field("text", \.text)
      answer.option("latitude", \.latitude, .number(in: -90...90))
      answer.option("longitude", \.longitude, .number(in: -180...180))
      answer.option("radius_m", \.radius, .number(in: 0...1e9))
    }
  }

  package var app: String
  /// The time of the request, UTC of the host.
  package var at: UTCInstant
  package var state: AppState
  package var authorization: Authorization
  package var receiver: StatusDocument.Receiver
  package var answers: [Answer]
  /// The regions that the app monitors.
  package var regions: [RegionAnswer] = []
  /// The answer in one or two sentences.
  package var text: String
  /// The user's remedy; `nil` if nothing is wrong.
  package var advice: String?

  package static let empty = Self(
    app: "", at: .epoch, state: .notRunning, authorization: .notDetermined,
    receiver: StatusDocument.Receiver.empty, answers: [], text: "", advice: nil)
  package static let table = JSONTable<Self> { explanation in
    explanation.field("app", \.app)
    explanation.field("at", \.at)
    explanation.field("state", \.state)
    explanation.field("authorization", \.authorization)
    explanation.field("receiver", \.receiver)
    explanation.field("answers", \.answers)
    explanation.field("text", \.text)
    explanation.field("advice", \.advice)
    explanation.option(
      "regions", \.regions, [RegionAnswer].json, where: { !$0.regions.isEmpty })
  }
}
