// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

/// `EXPLANATION`: why an app hears nothing now, or what it heard last.
package struct ExplanationDocument: ControlDocument {
  package static let documentClass = DocumentClass.explanation

  /// What became of the latest fix for one service of the app.
  package struct Answer: Sendable, Equatable {
    package var service: Service
    package var verdict: Verdict
    /// Time of the judged fix; `nil` where there was none, or where it had no time.
    package var fixTime: UTCInstant?
    /// The verdict with the numbers that decided, in plain words.
    package var text: String

    package init(service: Service, verdict: Verdict, fixTime: UTCInstant?, text: String) {
      self.service = service
      self.verdict = verdict
      self.fixTime = fixTime
      self.text = text
    }
  }

  package var app: String
  /// When this was asked, UTC of the host.
  package var at: UTCInstant
  package var state: AppState
  package var authorization: Authorization
  package var receiver: StatusDocument.Receiver
  package var answers: [Answer]
  /// The answer in one or two sentences.
  package var text: String
  /// What the user can do about it; `nil` where nothing is wrong.
  package var advice: String?

  package init(
    app: String, at: UTCInstant, state: AppState, authorization: Authorization,
    receiver: StatusDocument.Receiver, answers: [Answer], text: String, advice: String?
  ) {
    self.app = app
    self.at = at
    self.state = state
    self.authorization = authorization
    self.receiver = receiver
    self.answers = answers
    self.text = text
    self.advice = advice
  }

  package func writeMembers(into json: inout JSONWriter) {
    json.member("app", app)
    json.member("at", at.rfc3339)
    json.member("state", state.rawValue)
    json.member("authorization", authorization.rawValue)
    json.key("receiver")
    json.object { receiver.write(into: &$0) }
    json.objects("answers", answers) { $0.write(into: &$1) }
    json.member("text", text)
    json.member("advice", advice)
  }

  package init(reading object: ObjectReader) throws(ProtocolError) {
    app = try object.string("app")
    at = try object.instant("at")
    state = try object.word("state", AppState.states)
    authorization = try object.word("authorization", Authorization.levels)
    receiver = try StatusDocument.Receiver(try object.object("receiver"))
    answers = try object.list("answers", Answer.init)
    text = try object.string("text")
    advice = try object.optionalString("advice")
  }
}

extension ExplanationDocument.Answer {
  init(_ object: ObjectReader) throws(ProtocolError) {
    service = try object.word("service", Service.allCases)
    verdict = Verdict(
      try object.word("verdict", Verdict.Outcome.allCases),
      moved: try object.optionalNumber("moved_m"),
      movedRequired: try object.optionalNumber("moved_required_m"),
      since: try object.optionalNumber("since_s"),
      sinceRequired: try object.optionalNumber("since_required_s"),
      accuracy: try object.optionalNumber("accuracy_m"))
    fixTime = try object.optionalInstant("fix_time")
    text = try object.string("text")
  }

  func write(into json: inout JSONWriter) {
    json.member("service", service.rawValue)
    json.member("verdict", verdict.outcome.rawValue)
    json.member("moved_m", verdict.moved, decimals: 1)
    json.exactMember("moved_required_m", verdict.movedRequired)
    json.member("since_s", verdict.since, decimals: 3)
    json.exactMember("since_required_s", verdict.sinceRequired)
    json.exactMember("accuracy_m", verdict.accuracy)
    json.member("fix_time", fixTime?.rfc3339)
    json.member("text", text)
  }
}
