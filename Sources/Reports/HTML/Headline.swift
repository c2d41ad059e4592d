// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Replay
import Wording

/// The comparison in one sentence: what knowing the way cost, against what one can do without.
package enum Headline {
  package static func sentence(for trace: ComparedTrace) -> String {
    let pocket = trace.rows.filter { $0.plan.scenario == .pocket }
    let continuous = pocket.first {
      $0.plan.service == .continuous && !$0.plan.pausesAutomatically
    }
    if let continuous, let significant = trace.significant, significant.joules > 0 {
      return ratio(continuous, significant, trace)
    }
    guard let cheap = trace.rows.min(by: { $0.joules < $1.joules }),
      let dear = trace.rows.max(by: { $0.joules < $1.joules })
    else { return "Nothing was compared." }
    if trace.rows.count == 1 {
      return capital(
        "\(dear.phrase) took \(Figures.energy(dear.joules)) and \(wasBlind(dear, trace)).")
    }
    return capital(
      "\(dear.phrase) took \(Figures.energy(dear.joules)) and \(wasBlind(dear, trace)); "
        + "\(cheap.phrase) took \(Figures.energy(cheap.joules)) and \(wasBlind(cheap, trace))."
    )
  }

  private static func ratio(
    _ continuous: ModeRow, _ significant: ModeRow, _ trace: ComparedTrace
  ) -> String {
    let ratio = continuous.joules / significant.joules
    let price =
      ratio >= 1.5
      ? "about \(Figures.grouped(ratio)) times the energy"
      : ratio >= 0.67 ? "about as much energy" : "less energy"
    let than = ratio >= 1.5 ? "of" : ratio >= 0.67 ? "as" : "than"
    return "Continuous updates took \(price) \(than) \(significant.phrase), which "
      + "\(wasBlind(significant, trace))."
  }

  private static func wasBlind(_ row: ModeRow, _ trace: ComparedTrace) -> String {
    guard row.blindSeconds > 0, trace.judged > 0 else { return "was never blind" }
    return "was blind for \(Figures.percent(row.blindSeconds / trace.judged * 100)) of the time"
  }

  private static func capital(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}

extension Figures {
  /// Two significant figures, thousands apart: `1,300`.
  static func grouped(_ value: Double) -> String {
    guard value >= 1_000, value < 1e15, let whole = Int(significant(value)) else {
      return significant(value)
    }
    return count(whole)
  }
}
