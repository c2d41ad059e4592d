// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// `OVERVIEW`: what the daemon does now, and for each app why it hears nothing, of one and the same moment.
package struct OverviewDocument: ControlDocument {
  package static let documentClass = DocumentClass.overview

  package var status: StatusDocument
  /// Those of all registered apps, in the order of `status.apps`.
  package var explanations: [ExplanationDocument]

  package init(status: StatusDocument, explanations: [ExplanationDocument]) {
    self.status = status
    self.explanations = explanations
  }

  package static let empty = Self(status: StatusDocument.empty, explanations: [])
  package static let table = JSONTable<Self> { overview in
    overview.field("status", \.status)
    overview.field("explanations", \.explanations)
  }
}
