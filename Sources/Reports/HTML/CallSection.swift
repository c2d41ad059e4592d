// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay

/// What to write for each purpose, in code or configuration.
enum CallSection {
  static func write(_ trace: ComparedTrace, _ device: DeviceProfile, into html: inout HTMLWriter) {
    let isPhone = device.platform == .phone
    let systems = isPhone ? ["iOS", "Android"] : ["configuration"]
    HTMLTable.write(
      caption: "Mode and call by what the app must know", head: ["purpose", "mode"] + systems,
      words: [1, 2, 3], into: &html
    ) { html in
      for answer in trace.answers {
        let row = trace.rows[answer.row]
        html.row(answer.purpose.question) { html in
          html.element(
            "td", ["class": "word"], AnswerText.capital(AnswerText.mode(row, in: trace)))
          let calls = [row.call(on: device), isPhone ? row.androidCall(on: device) : nil]
          for call in calls.compactMap(\.self) {
            html.element("td", ["class": "word"]) { $0.element("code", call) }
          }
        }
      }
    }
  }
}
