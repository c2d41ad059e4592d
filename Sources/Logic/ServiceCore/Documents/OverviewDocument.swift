// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import JSONText

/// `OVERVIEW`: the daemon's status, and for each app the reason why it hears nothing, all of one moment.
package struct OverviewDocument: ControlDocument {
  package static let documentClass = DocumentClass.overview

  package var status: StatusDocument
  /// Those of all registered apps, in the order of `status.apps`.
  package var explanations: [ExplanationDocument]

  package static let empty = Self(status: StatusDocument.empty, explanations: [])
  package static let table = JSONTable<Self> { overview in
    overview.field("status", \.status)
    overview.field("explanations", \.explanations)
  }
}
