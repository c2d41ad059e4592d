// SPDX-License-Identifier: Apache-2.0

/// Expectations and what became of them, as JUnit's XML, which CI systems show.
package struct JUnitReport: Sendable {
  private let report: ExpectationReport

  package init(_ report: ExpectationReport) { self.report = report }

  package var text: String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    for suite in report.suites {
      let failures = suite.cases.count { $0.failure != nil }
      text +=
        "  <testsuite name=\"\(Self.escaped(suite.name))\" tests=\"\(suite.cases.count)\" "
        + "failures=\"\(failures)\" errors=\"0\">\n"
      for one in suite.cases {
        let name =
          "classname=\"\(Self.escaped(suite.name)).\(Self.escaped(one.subject))\" "
          + "name=\"\(Self.escaped(one.sentence))\""
        guard let failure = one.failure else {
          text += "    <testcase \(name)/>\n"
          continue
        }
        text +=
          "    <testcase \(name)>\n      <failure message=\""
          + Self.escaped(report.message(of: failure, in: one)) + "\">"
          + Self.escaped(([failure.place] + failure.account).map { $0 + "\n" }.joined())
          + "</failure>\n    </testcase>\n"
      }
      text += "  </testsuite>\n"
    }
    for file in report.untested {
      let name = Self.escaped(file.file)
      text +=
        "  <testsuite name=\"\(name)\" tests=\"1\" failures=\"0\" errors=\"1\">\n"
        + "    <testcase classname=\"\(name)\" name=\"it can be tested\">\n      <error message=\""
        + Self.escaped(file.reason) + "\"/>\n    </testcase>\n  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      // XML has no other control characters.
      case "\n", "\t": escaped.unicodeScalars.append(character)
      case let other where other.value < 0x20: escaped += "?"
      case let other: escaped.unicodeScalars.append(other)
      }
    }
    return escaped
  }
}
