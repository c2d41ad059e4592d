// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Replay
import ServiceContract

/// `milepost compare --era all --html`: trips by the rules of several eras, as one self-contained document.
///
/// For each trip a table, with the energy as a bar in its cell, and in words the rule behind each difference.
package enum EraPage {
  /// `reports` has at least one.
  package static func document(_ reports: [EraReport]) -> [UInt8] {
    let title = Self.title(reports)
    let eras = reports.first?.result.eras ?? []
    return HTMLPage(
      title: "\(title) · Milepost", headline: title,
      description: reports.first.map(\.summary) ?? ""
    )
    .document(
      kicker: "the rules of \(Figures.list(eras.map(\.name)))",
      standfirst: eras.count > 1
        ? "What the same apps get, and what they cost, when only the rules of the system change."
        : nil
    ) {
      for report in reports {
        Node.part(report.trace) { report.report.nodes }
      }
    }
  }

  private static func title(_ reports: [EraReport]) -> String {
    guard let report = reports.first, reports.count == 1 else {
      return Figures.count(reports.count, "trip", "trips") + " by the rules of each era"
    }
    let eras = report.result.eras
    return "\(report.trace) by the rules of \(eras.count == 1 ? eras[0].name : "each era")"
  }
}
