// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
package import Replay
import Scoring
import Wording

// Theory
// ======
//
// Twelve lines for people: who and how long, a line for each mode that can be chosen and for what comes of
// none, a line for each purpose, a caveat. All else is in the details. Every ratio is of the pair that its
// answer names; every percentile says that it is one.

/// A comparison as an answer.
package enum AnswerText {
  /// The twelve lines of a trace; with a purpose, its answer alone, and what to call.
  package static func trace(
    _ trace: ComparedTrace, _ options: ReplayOptions, for purpose: Purpose? = nil,
    style: TextStyle
  ) -> String {
    head(trace, options, style) + "\n" + table(trace, options, style) + "\n"
      + answers(trace, options, purpose) + caveat(trace, purpose)
  }

  /// One sentence: what will do to know of arrivals, and what for the way itself.
  package static func sentence(_ trace: ComparedTrace, _ options: ReplayOptions) -> String {
    let told = [Purpose.arrival, .track].compactMap { purpose in
      trace.answers.first { $0.purpose == purpose }
    }
    guard !told.isEmpty else { return nothing(trace) }
    return told.map { answer in
      let doubt = doubt(answer, trace).map { " (\($0))" } ?? ""
      return "\(answer.purpose.question) \(words(answer, trace))\(doubt)."
    }.joined(separator: " ")
  }

  /// What the price in that sentence depends on most; `nil` without one.
  static func dependence(_ trace: ComparedTrace) -> String? {
    let names = trace.answers.first { $0.purpose == .arrival }?.drivers.map(\.name) ?? []
    guard !names.isEmpty else { return nil }
    return "The price of the first answer depends most on \(Figures.list(names))."
  }

  static func nothing(_ trace: ComparedTrace) -> String {
    trace.rows.contains(where: \.goesOnInPocket)
      ? "No answer: no mode that the device can have delivered anything in the pocket."
      : "No answer: none of these modes goes on while the app is in the background."
  }

  private static func head(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ style: TextStyle
  ) -> String {
    let name = trace.totalOf.isEmpty ? trace.name : "total of \(trace.totalOf.count) traces"
    var parts = [
      Figures.span(trace.judged), trace.distance > 0 ? Figures.distance(trace.distance) : "0 m",
      options.device.title, options.uploadWords(trace.rows),
    ]
    if trace.gaps > 0 {
      parts.insert(
        "without \(Figures.count(trace.gaps, "gap", "gaps")) of \(Figures.span(trace.gapSeconds))",
        at: 2)
    }
    var text = Paragraph.text(style.bold(name) + " · " + parts.joined(separator: " · "), indent: 2)
    if !trace.skipped.isEmpty {
      text += Paragraph.text("  skipped: \(Figures.counts(trace.skipped))", indent: 2)
    }
    return text + CompareText.oddities(trace)
  }

  private static func table(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ style: TextStyle
  ) -> String {
    let stays = (trace.rows.first?.whereabouts.stays.count ?? 0) > 0
    var table = TextTable()
    table.header([
      "", "battery/h", "energy", "a position every", "off by (95 %)",
      stays ? "stays told in (95 %)" : "500 m told in (95 %)",
    ])
    for index in shown(trace, options.device) {
      let row = trace.rows[index]
      table.row([name(row, in: trace)] + cells(row, trace, options))
    }
    return table.text(style)
  }

  /// The modes that can be chosen, and standard updates, which stop in the pocket.
  private static func shown(_ trace: ComparedTrace, _ device: DeviceProfile) -> [Int] {
    let choices = Answers.choices(trace.rows, on: device)
    let rest = trace.rows.indices.filter {
      trace.rows[$0].plan.service == .standard && trace.rows[$0].plan.scenario == .pocket
    }
    // Of what nobody can choose, all but what is in front.
    let all = trace.rows.indices.filter {
      trace.rows[$0].goesOnInPocket && !trace.rows[$0].plan.pausesAutomatically
    }
    return (choices.isEmpty ? all : choices) + rest
  }

  private static func cells(
    _ row: ModeRow, _ trace: ComparedTrace, _ options: ReplayOptions
  ) -> [String] {
    let battery = options.device.battery.nominal
    let share = battery > 0 ? row.joules / battery / trace.judged * 360_000 : nil
    let energy = Figures.energy(row.joules)
    guard row.deliveries > 0 else { return [percent(share), energy, "never", "–", "–"] }
    let known = row.whereabouts
    if row.plan.service == .standard, let last = known.lastDelivery, last < 0.9 * trace.judged {
      return ["", energy, "stops after \(Figures.span(last))", "", ""]
    }
    return [
      percent(share), energy, Figures.span(trace.judged / Double(row.deliveries)),
      known.offBy.quantile(0.95).map(Figures.distance) ?? Figures.unknown,
      late(known.comings) ?? Figures.unknown,
    ]
  }

  /// Two significant figures: it is small.
  private static func percent(_ share: Double?) -> String {
    share.map { Figures.significant($0) + " %" } ?? Figures.unknown
  }

  private static func late(_ events: EventTally) -> String? {
    events.quantileWithMissed(0.95).map {
      $0 >= ScoringRules().patience
        ? "\(missedShare(events)) missed"
        : $0 < 1.5 ? "at once" : Figures.span($0)
    }
  }

  private static func missedShare(_ events: EventTally) -> String {
    Figures.percent(
      Double(events.missed) / Double(max(1, events.delay.count + events.missed)) * 100)
  }

  /// `significant change`; where there are several, with the policy. Equal modes are named together.
  private static func name(_ row: ModeRow, in trace: ComparedTrace) -> String {
    switch row.plan.service {
    case .standard: return "no background mode"
    case .significant: return significant(row, in: trace)
    case .continuous:
      if row.plan.pausesAutomatically { return "continuous, pausing" }
      let isBoth = trace.rows.contains {
        $0.plan.service == .continuous && $0.plan.pausesAutomatically && $0.isEqual(to: row)
      }
      return isBoth ? "continuous, also pausing" : "continuous"
    }
  }

  private static func significant(_ row: ModeRow, in trace: ComparedTrace) -> String {
    "significant change" + (label(row, in: trace).map { " (\($0))" } ?? "")
  }

  /// The policy, where there are several and it is not simply what phones give.
  private static func label(_ row: ModeRow, in trace: ComparedTrace) -> String? {
    let many = trace.rows.count { $0.plan.service == .significant } > 1
    guard many, let policy = row.plan.policy, !policy.kind.isPhones else { return nil }
    return policy.label
  }

  /// What a sentence calls it.
  static func mode(_ row: ModeRow, in trace: ComparedTrace) -> String {
    row.plan.service == .significant
      ? significant(row, in: trace)
      : row.plan.pausesAutomatically
        ? "continuous, pausing" : "continuous"
  }

  private static func answers(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ purpose: Purpose?
  ) -> String {
    guard !trace.answers.isEmpty else { return Paragraph.text(nothing(trace)) }
    if let answer = trace.answers.first(where: { $0.purpose == purpose }) {
      return line("→ \(answer.purpose.question)", answer, trace)
        + calls(trace.rows[answer.row], options.device)
    }
    let width = Purpose.allCases.map(\.question.count).max() ?? 0
    return trace.answers.enumerated().map { index, answer in
      let question = answer.purpose.question
      let blanks = String(repeating: " ", count: width - question.count)
      return line((index == 0 ? "→ " : "  ") + question + blanks, answer, trace)
    }.joined()
  }

  /// An answer behind its question; what does not fit on the line stands below it.
  private static func line(_ question: String, _ answer: Answer, _ trace: ComparedTrace) -> String {
    let blanks = String(repeating: " ", count: question.count + 1)
    let text = Paragraph.text(words(answer, trace), width: TextTable.width - blanks.count)
    return text.split(separator: "\n").enumerated().map { index, line in
      (index == 0 ? question + " " : blanks) + line + "\n"
    }.joined()
  }

  private static func calls(_ row: ModeRow, _ device: DeviceProfile) -> String {
    let own = row.call(on: device)
    guard let android = row.androidCall(on: device) else {
      return "  \(own)\n"
    }
    return "  iOS: \(own)\n  Android: \(android)\n"
  }

  static func words(_ answer: Answer, _ trace: ComparedTrace) -> String {
    let row = trace.rows[answer.row]
    var text = capital(mode(row, in: trace))
    if !answer.willDo { text += " comes nearest" }
    text += price(answer, trace) + ": " + figure(answer, row)
    return text
  }

  /// `so in 12 of 20 worlds, else continuous; it hangs on the limit, 95 % told within 10 min`; `nil` where the
  /// worlds agree.
  static func doubt(_ answer: Answer, _ trace: ComparedTrace) -> String? {
    if answer.agrees, !answer.hasEvents {
      return "so far; there are too few events to be sure of the limit, \(answer.purpose.limit)"
    }
    guard !answer.isSure, let other = answer.other else { return nil }
    let redrawn = "\(Figures.percent(answer.redrawn * 100)) of draws of as many"
    return "so in \(answer.agreesIn) of \(answer.worlds) worlds alone and in \(redrawn), else "
      + "\(mode(trace.rows[other], in: trace)); it hangs on the limit, \(answer.purpose.limit)"
  }

  /// `, 28× cheaper (18–35) than continuous`.
  private static func price(_ answer: Answer, _ trace: ComparedTrace) -> String {
    guard let ratio = answer.ratio, let against = answer.against else { return "" }
    let row = trace.rows[against]
    let name = label(row, in: trace) ?? mode(row, in: trace)
    if ratio.p50 >= 1.1 {
      return ", \(Figures.significant(ratio.p50))× cheaper "
        + "(\(Figures.range(ratio.p5, ratio.p95))) than \(name)"
    }
    if ratio.p50 <= 1 / 1.1 {
      return ", \(Figures.significant(1 / ratio.p50))× dearer "
        + "(\(Figures.range(1 / ratio.p95, 1 / ratio.p5))) than \(name)"
    }
    return ", as dear as \(name)"
  }

  /// What it serves the purpose with.
  private static func figure(_ answer: Answer, _ row: ModeRow) -> String {
    let known = row.whereabouts
    switch answer.purpose {
    case .track:
      let worst = known.offBy.greatest.map(Figures.distance) ?? Figures.unknown
      return "off by \(worst) at worst"
    case .arrival:
      return told(known.comings)
    case .geofence: return told(known.events)
    case .recent:
      let share = 1 - known.lostSeconds / max(1, known.age.seconds)
      return "to 1 km or 15 min for \(Figures.percent(share * 100)) of the time"
    }
  }

  private static func told(_ events: EventTally) -> String {
    guard let late = events.quantileWithMissed(0.95) else { return "nothing to tell" }
    if late >= ScoringRules().patience { return "missed \(missedShare(events))" }
    return late < 1.5 ? "95 % told at once" : "95 % told within \(Figures.span(late))"
  }

  private static func caveat(_ trace: ComparedTrace, _ purpose: Purpose?) -> String {
    let asked = trace.answers.filter { purpose == nil || $0.purpose == purpose }
    let doubts = asked.compactMap { answer in
      doubt(answer, trace).map { "\(answer.purpose.question) \($0)." }
    }
    let sure = asked.filter(\.isSure).map(\.agreesIn).min()
    var text = ""
    if let sure, trace.worldCount > 1 {
      let rest = doubts.isEmpty ? "" : ", but: " + doubts.joined(separator: " ")
      text = "The same in \(sure) of \(trace.worldCount) worlds" + (rest.isEmpty ? "." : rest) + " "
    } else if !doubts.isEmpty {
      text = doubts.joined(separator: " ") + " "
    }
    return Paragraph.text(
      text + "Modelled, location only; a whole phone draws 1 to 4 times more. --details says more.")
  }

  static func capital(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }
}
