// SPDX-License-Identifier: Apache-2.0

package import JSONText
import LocationModel
import RadioPower
package import Replay
import ServiceContract

/// `milepost compare --era all`: one trip by the rules of each era, and the rule behind each difference.
package struct EraReport: Sendable {
  let trace: String
  let device: String
  let result: EraResult

  package init(trace: String, device: String, result: EraResult) {
    self.trace = trace
    self.device = device
    self.result = result
  }

  /// A figure of an outcome, in the order of the columns.
  struct Figure: Sendable {
    let heading: String
    /// Its name in documents, and there its meaning, if the name does not show it.
    let key: String
    var about = ""
    /// `1 delivery`, `2 deliveries`.
    let one: String
    let many: String
    let value: @Sendable (EraOutcome) -> Int

    init(
      _ heading: String, _ key: String, _ one: String, _ many: String, about: String = "",
      _ value: @escaping @Sendable (EraOutcome) -> Int
    ) {
      (self.heading, self.key, self.about) = (heading, key, about)
      (self.one, self.many, self.value) = (one, many, value)
    }
  }

  static let figures: [Figure] = [
    Figure("deliveries", "deliveries", "delivery", "deliveries") { $0.deliveries },
    Figure("wakes", "wakes", "wake", "wakes") { $0.wakes },
    Figure("launches", "launches", "launch", "launches") { $0.launches },
    Figure("ended", "terminations", "end by the system", "ends by the system") { $0.terminations },
    Figure("purged", "purges", "purge", "purges") { $0.purges },
    Figure(
      "refused", "unauthorized", "fix without permission", "fixes without permission",
      about: "Fixes kept from it for want of an authorization."
    ) { $0.unauthorized },
  ]

  /// Callbacks to an app about its life: no column, but a difference.
  private static let callbacks = Figure(
    "callbacks", "callbacks", "callback", "callbacks", about: "What it was told of its own life."
  ) { $0.callbacks }

  package var report: Report {
    Report {
      Node.sentence(summary)
      Node.part { Node.table(table) }
      if result.eras.count > 1 {
        let sentences = sentences
        Node.part("What changed, and which rule did it") {
          if sentences.isEmpty {
            Node.sentence("Nothing: none of these apps meets a rule in which the eras differ.")
          }
          for (name, lines) in sentences { Node.list(lines, under: name, isMarked: true) }
        }
      }
    }
  }

  /// Its subject, in a sentence.
  var summary: String {
    "\(trace): \(Figures.span(result.judged)) by the rules of "
      + "\(Figures.list(result.eras.map(\.name))); \(device), modelled."
  }

  private var table: Table {
    let most = result.rows.flatMap(\.outcomes).map(\.energy).max() ?? 0
    var table = Table(
      "What each app came to", words: [1],
      head: ["app", "era", "energy", "receiver on"] + Self.figures.map(\.heading))
    for row in result.rows {
      for (index, eras) in Self.alike(row.outcomes).enumerated() {
        let outcome = row.outcomes[eras[0]]
        table.row(
          [
            .init(index == 0 ? row.name : ""), .init(names(eras)),
            .init(Figures.energy(outcome.energy), .share(most > 0 ? outcome.energy / most : 0)),
            .init(Figures.span(outcome.receiverOn), .exact(outcome.receiverOn, decimals: 3)),
          ] + Self.figures.map { .count($0.value(outcome)) }, styleClass: "era")
      }
    }
    return table
  }

  /// The eras with the same outcome, in the order of the first of each.
  static func alike(_ outcomes: [EraOutcome]) -> [[Int]] {
    var groups: [[Int]] = []
    for index in outcomes.indices {
      if let same = groups.firstIndex(where: { outcomes[$0[0]] == outcomes[index] }) {
        groups[same].append(index)
      } else {
        groups.append([index])
      }
    }
    return groups
  }

  func names(_ eras: [Int]) -> String {
    eras.count == result.eras.count && eras.count > 1
      ? "all" : eras.map { result.eras[$0].name }.joined(separator: ", ")
  }

  // MARK: Differences

  /// The changes for each app with any, one sentence per rule and its effect; eras with the same effect share one.
  var sentences: [(app: String, lines: [String])] {
    result.rows.compactMap { row in
      var found: [(eras: [String], words: String)] = []
      for era in result.eras.indices.dropLast() {
        for words in changes(row, era) {
          if let same = found.firstIndex(where: { $0.words == words }) {
            found[same].eras.append(result.eras[era].name)
          } else {
            found.append(([result.eras[era].name], words))
          }
        }
      }
      let lines = found.map { "\(Figures.list($0.eras)): \($0.words)" }
      return lines.isEmpty ? nil : (app: row.name, lines: lines)
    }
  }

  private func changes(_ row: EraResult.Row, _ era: Int) -> [String] {
    guard let base = row.outcomes.last else { return [] }
    let found = row.causes.filter { $0.era == era }.compactMap { cause -> String? in
      guard let change = Self.change(from: base, to: cause.outcome) else { return nil }
      return "\(rule(cause.field, era)): \(change)"
    }
    guard found.isEmpty, let change = Self.change(from: base, to: row.outcomes[era]) else {
      return found
    }
    return ["several rules together: \(change)"]
  }

  /// `a significant change relaunches an app that its user swiped away: no (today: yes)`.
  private func rule(_ field: String, _ era: Int) -> String {
    guard let rule = EraRule.all.first(where: { $0.field == field }), let base = result.eras.last
    else { return field }
    let words =
      "\(rule.words): \(rule.text(in: result.eras[era])) (\(base.name): \(rule.text(in: base)))"
    // The table is Markdown's.
    return words.filter { $0 != "*" && $0 != "`" }
  }

  /// `3 deliveries and 1 launch less, 8 J less`; `nil` if it is the same.
  private static func change(from base: EraOutcome, to other: EraOutcome) -> String? {
    var parts = (figures + [callbacks]).compactMap { figure -> String? in
      let more = figure.value(other) - figure.value(base)
      guard more != 0 else { return nil }
      let count = Int(more.magnitude)
      return Figures.count(count, figure.one, figure.many) + (more > 0 ? " more" : " less")
    }
    let joules = other.energy - base.energy
    // Below it no difference is measurable.
    if abs(joules) >= 0.05 {
      parts.append("\(Figures.energy(abs(joules))) \(joules > 0 ? "more" : "less")")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  // MARK: Document

  package static let document = JSONDocument<EraReport>(
    "milepost.eras/1", "milepost compare --era all --json: one line per trace."
  ) { report in
    report.value("trace") { $0.trace }
    report.value("device") { $0.device }
    report.known("judged_s", decimals: 3, about: "Time of which the truth is known.") {
      $0.result.judged
    }
    report.objects("lives", about: "One for each app and era.", \.lives, life)
    report.objects(
      "changes", about: "What a rule of an era changes in the last one, in a sentence.", \.changes
    ) { change in
      change.value("app") { $0.app }
      change.value("text") { $0.text }
    }
  }

  private typealias Life = (app: String, era: String, outcome: EraOutcome, range: EnergyRange)

  private var lives: [Life] {
    result.rows.flatMap { row in
      result.eras.indices.map { era in
        (row.name, result.eras[era].name, row.outcomes[era], row.ranges[era])
      }
    }
  }

  private var changes: [(app: String, text: String)] {
    sentences.flatMap { app, lines in lines.map { (app, $0) } }
  }

  private static func life(_ life: inout JSONTable<Life>) {
    life.value("app") { $0.app }
    life.value("era") { $0.era }
    life.known("energy_j", decimals: 3) { $0.outcome.energy }
    life.known(
      "energy_low_j", decimals: 3,
      about:
        "5th percentile over the draws of the profile's numbers, or energy_j where that is less."
    ) { $0.range.low }
    life.known(
      "energy_high_j", decimals: 3, about: "95th percentile, or energy_j where that is more."
    ) { $0.range.high }
    life.known("receiver_on_s", decimals: 3) { $0.outcome.receiverOn }
    for figure in figures + [callbacks] {
      life.value(figure.key, about: figure.about) { figure.value($0.outcome) }
    }
  }
}
