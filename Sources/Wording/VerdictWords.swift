// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel

/// The numbers that decided.
package enum VerdictWords {
  /// `412 m of 500 m, 188 s of 300 s, accuracy 35 m`; empty where none did.
  package static func numbers(_ verdict: Verdict) -> String {
    var parts: [String] = []
    if let moved = verdict.moved { parts.append(part(moved, verdict.movedRequired, "m")) }
    if let since = verdict.since { parts.append(part(since, verdict.sinceRequired, "s")) }
    if let accuracy = verdict.accuracy {
      parts.append("accuracy \(Decimal.text(accuracy, decimals: 0)) m")
    }
    return parts.joined(separator: ", ")
  }

  private static func part(_ value: Double, _ required: Double?, _ unit: String) -> String {
    let text = "\(Decimal.text(value, decimals: 0)) \(unit)"
    return required.map { "\(text) of \(Decimal.text($0, decimals: 0)) \(unit)" } ?? text
  }
}

extension AppState {
  /// `not running`.
  package var words: String { self == .notRunning ? "not running" : rawValue }
}
