// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
package import JSONText
import Replay
import ServiceContract
import ServiceCore

/// The schemas of the documents that `milepost` writes, and of the manifests and worlds that it reads, by name.
package enum Schemas {
  package static let all: [JSONSchema] =
    [
      AppManifest.schema, CalibrationReport.document.schema,
      CompareJSON.schema,
      ComparePartial.schema, CompareTrip.schema, EraReport.document.schema,
      ExpectationReport.document.schema,
      InfoJSON.document.schema,
      MeterReport.schema,
      ProfileReport.checkDocument.schema, ProfileReport.listDocument.schema,
      ProfileReport.showDocument.schema,
      ReplayJSONLines.schema, ScoreJSON.document.schema, ScorePartial.schema,
      ScoreTrip.schema,
      WhyAnswer.document.schema, WorldFile.schema,
      of(StatusDocument.self, "status"),
      of(AppsDocument.self, "apps list"), of(AppDocument.self, "apps show"),
      of(LogDocument.self, "apps log"), of(EventsDocument.self, "apps events"),
      of(SinksDocument.self, "sinks"), of(SinkTrialDocument.self, "sinks test"),
      JSONSchema(
        ForgottenDocument.documentClass.schema,
        "The answer to FORGET; milepost forget prints it in words.",
        ForgottenDocument.documentShape),
      of(ExplanationDocument.self, "explain"), of(OverviewDocument.self, "dash"),
      of(HistoryDocument.self, "history"), ClientMessage.schema, ServerMessage.schema,
    ].sorted { $0.name < $1.name }

  private static func of<Document: ControlDocument>(
    _ type: Document.Type, _ command: String
  ) -> JSONSchema {
    JSONSchema(
      type.documentClass.schema, "milepost \(command) --json.", type.documentShape)
  }
}
