// SPDX-License-Identifier: Apache-2.0

/// Expectations and what became of them, as JUnit's XML, which CI systems show.
package struct JUnitReport: Sendable {
  /// One file over one trace by the rules of one era.
  package struct Suite: Sendable {
    package var name: String
    package var cases: [Case]

    package init(name: String, cases: [Case]) {
      self.name = name
      self.cases = cases
    }
  }

  package struct Case: Sendable {
    package var name: String
    /// The app, or `device`.
    package var subject: String
    /// In a line; `nil` if it holds.
    package var failure: String?
    /// The account around it.
    package var account: String

    package init(name: String, subject: String, failure: String?, account: String) {
      self.name = name
      self.subject = subject
      self.failure = failure
      self.account = account
    }
  }

  package var suites: [Suite]

  package init(suites: [Suite]) { self.suites = suites }

  package var text: String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    for suite in suites {
      let failures = suite.cases.count { $0.failure != nil }
      text +=
        "  <testsuite name=\"\(Self.escaped(suite.name))\" tests=\"\(suite.cases.count)\" "
        + "failures=\"\(failures)\" errors=\"0\">\n"
      for one in suite.cases {
        let name =
          "classname=\"\(Self.escaped(suite.name)).\(Self.escaped(one.subject))\" "
          + "name=\"\(Self.escaped(one.name))\""
        guard let failure = one.failure else {
          text += "    <testcase \(name)/>\n"
          continue
        }
        text +=
          "    <testcase \(name)>\n      <failure message=\"\(Self.escaped(failure))\">"
          + "\(Self.escaped(one.account))</failure>\n    </testcase>\n"
      }
      text += "  </testsuite>\n"
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
