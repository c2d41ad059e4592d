// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The changes of an era, as the documentation shows them: one row per rule, one column per era.
package enum EraTable {
  /// The table in Markdown, with a line feed at its end.
  package static var markdown: String {
    let eras = Era.all
    var text = "| rule |" + eras.map { " `\($0.name)` |" }.joined() + " from |\n"
    text += "| --- |" + eras.map { _ in " --- |" }.joined() + " --- |\n"
    for rule in EraRule.all {
      text += "| \(rule.words) |" + eras.map { " \(rule.text(in: $0)) |" }.joined()
      text += " \(rule.source) |\n"
    }
    return text
  }
}
