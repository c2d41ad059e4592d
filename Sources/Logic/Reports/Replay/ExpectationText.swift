// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// What became of expectations, for people: a line for each, and the account around what failed.
package struct ExpectationText: Sendable {
  private let style: TextStyle

  package init(style: TextStyle) { self.style = style }

  package func text(_ report: ExpectationReport) -> String {
    var text = ""
    for suite in report.suites {
      text += style.bold(suite.name) + "\n"
      for one in suite.cases {
        text +=
          "  \(one.failure == nil ? "ok    " : "FAILED")  \(one.subject): \(one.sentence)\n"
        guard let failure = one.failure else { continue }
        let lines = [report.message(of: failure, in: one), failure.place] + failure.account
        text += lines.map { "          \($0)\n" }.joined()
      }
      text += "\n"
    }
    let count = report.cases.count
    return text
      + (report.failed == 0
        ? (count == 1 ? "The expectation holds.\n" : "All \(count) expectations hold.\n")
        : "\(report.failed) of \(Figures.count(count, "expectation", "expectations")) failed.\n")
  }
}
