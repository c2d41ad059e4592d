// SPDX-License-Identifier: Apache-2.0

import ServiceContract

/// What became of expectations, for people: a line for each, and the account around what failed.
package struct ExpectationText: Sendable {
  private let style: TextStyle

  package init(style: TextStyle) { self.style = style }

  package func text(_ suites: [JUnitReport.Suite]) -> String {
    var text = ""
    for suite in suites {
      text += style.bold(suite.name) + "\n"
      for one in suite.cases {
        text += "  \(one.failure == nil ? "ok    " : "FAILED")  \(one.subject): \(one.name)\n"
        guard let failure = one.failure else { continue }
        text += "          \(failure)\n"
        text += one.account.split(separator: "\n").map { "          \($0)\n" }.joined()
      }
      text += "\n"
    }
    let cases = suites.flatMap(\.cases)
    let failed = cases.count { $0.failure != nil }
    return text
      + (failed == 0
        ? "All \(Figures.count(cases.count, "expectation holds", "expectations hold")).\n"
        : "\(failed) of \(Figures.count(cases.count, "expectation", "expectations")) failed.\n")
  }
}
