// SPDX-License-Identifier: Apache-2.0

import RadioPower

/// The code or configuration for each purpose.
enum CallSection {
  static func writeCalls(
    _ trace: ComparedTrace, _ device: DeviceProfile, into html: inout HTMLWriter
  ) {
    html.element("dl", ["class": "calls"]) { html in
      for answer in trace.answers {
        let row = trace.rows[answer.row]
        let words = AnswerWords(trace)
        html.element("dt", "\(words.aim(answer.purpose)): \(row.name)")
        let android = row.androidCall(on: device, for: answer.purpose)
        call(row.call(on: device), on: android == nil ? nil : "iOS", into: &html)
        if let android { call(android, on: "Android", into: &html) }
      }
    }
    html.newline()
  }

  private static func call(_ call: String, on system: String?, into html: inout HTMLWriter) {
    html.element("dd") { html in
      if let system { html.writeText("\(system): ") }
      html.element("code") { html in
        // A narrow page breaks lines behind a bracket, and not within a name.
        for (index, part) in call.split(separator: "(", omittingEmptySubsequences: false)
          .enumerated()
        {
          if index > 0 {
            html.writeText("(")
            html.void("wbr")
          }
          html.writeText(String(part))
        }
      }
    }
  }
}
