// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import Replay
import ServiceContract
import ServiceCore

// Theory
// ======
//
// At most twelve lines of a hundred columns, for any trace, unless many policies are asked for:
//
//   1      the trace, its duration and distance, the device, the uploads
//   0 – 1  oddities of the trace, and parts left out of it
//   1 + n  a line for each policy that was asked for, then for each mode that an answer names, then for the other
//          available ones, while there is room
//   4      a line for each purpose:  → sure   ? likely, or a toss-up   – unknown
//   0 – 1  terms to look for in the documentation
//   1      the basis of all this
//
// With one purpose its answer is told in full, with what to call. All else is in the details. Every ratio is of the
// pair that its answer names; every percentile is marked as one.

/// A comparison as an answer.
package enum AnswerText {
  /// The greatest number of lines of an answer.
  package static let limit = 12

  /// The lines of a trace; with a purpose, only its answer, and the call.
  package static func trace(
    _ trace: ComparedTrace, _ options: ReplayOptions, for purpose: Purpose? = nil,
    style: TextStyle
  ) -> String {
    let top = head(trace, options, style) + oddity(trace)
    let bottom =
      (purpose.map { asked($0, trace, options, style) } ?? answers(trace, options, style))
      + [caveat(trace, options)]
    // The head of the table takes one.
    let rows = purpose == nil ? limit - top.count - bottom.count - 1 : trace.rows.count
    return (top + table(trace, options, most: rows, style) + bottom).map { $0 + "\n" }.joined()
  }

  private static func head(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ style: TextStyle
  ) -> [String] {
    var parts = [
      Figures.span(trace.judged), Figures.way(trace.distance),
      options.device.title, options.uploadWords(trace.rows, withReason: false),
    ]
    if trace.gaps > 0 {
      parts.insert("without \(Figures.count(trace.gaps, "gap", "gaps"))", at: 2)
    }
    let rest = parts.map { " · " + $0 }.joined()
    let shown = cut(trace.title, to: max(12, TextTable.width - rest.count))
    return [style.bold(shown) + cut(rest, to: TextTable.width - shown.count)]
  }

  private static func oddity(_ trace: ComparedTrace) -> [String] {
    let words = CompareText.oddities(trace) + skipped(trace) + jumps(trace) + unknowable(trace)
    return words.isEmpty ? [] : [cut(words.joined(separator: "; "), to: TextTable.width)]
  }

  private static func skipped(_ trace: ComparedTrace) -> [String] {
    let left = trace.skipped.filter { $0.key != "comment" }
    return left.isEmpty ? [] : ["skipped: \(Figures.counts(left))"]
  }

  private static func jumps(_ trace: ComparedTrace) -> [String] {
    guard trace.truth == "trace", trace.jumpsRemoved > 0 else { return [] }
    return ["left out as jumps: \(Figures.count(trace.jumpsRemoved, "point", "points"))"]
  }

  /// The time in which continuous updates did not know the place either: in a tunnel, before the first fix.
  private static func unknowable(_ trace: ComparedTrace) -> [String] {
    guard let best = trace.rows.first(where: \.isAlwaysOn),
      let blind = best.typical(\.blindSeconds), blind >= 1
    else { return [] }
    return ["for \(Figures.span(blind)) nobody could know where it was"]
  }

  /// With an ellipsis if it is longer.
  private static func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
  }

  // MARK: Modes

  private static func table(
    _ trace: ComparedTrace, _ options: ReplayOptions, most: Int, _ style: TextStyle
  ) -> [String] {
    let words = AnswerWords(trace)
    let stays = trace.silence.stays.count > 0
    var table = TextTable()
    table.header([
      "", "battery/h", "energy", "a position every", "off by (95 %)",
      "told of \(stays ? "stays" : "500 m") (95 %)",
    ])
    // Modes that stop come last.
    // What a sentence names has its row.
    let least = Set(asked(trace) + named(trace)).count
    let ranked = shown(trace, options.device).prefix(max(most, least)).sorted {
      (trace.rows[$0].goesOnInPocket ? 0 : 1, $0) < (trace.rows[$1].goesOnInPocket ? 0 : 1, $1)
    }
    for index in ranked {
      let row = trace.rows[index]
      table.row([words.name(row)] + cells(row, trace, options))
    }
    return table.text(style).split(separator: "\n").map(String.init)
  }

  /// Policies that were asked for, and the modes that an answer names, then the pair of the first one, then significant
  /// change and the app without a background mode, then the other available ones.
  private static func shown(_ trace: ComparedTrace, _ device: DeviceProfile) -> [Int] {
    let choices = Answers.choices(trace.rows, on: device)
    let stopped = trace.rows.indices.filter {
      trace.rows[$0].plan.mode == .standard && trace.rows[$0].plan.scenario == .pocket
    }
    let usual = trace.rows.indices.filter {
      let plan = trace.rows[$0].plan
      return trace.rows[$0].goesOnInPocket && device.offers(plan.policy)
        && !plan.pausesAutomatically
        && [.continuous, .significant].contains(plan.mode)
    }
    // If none can be chosen, all except those in the foreground.
    let all = trace.rows.indices.filter {
      trace.rows[$0].goesOnInPocket && !trace.rows[$0].plan.pausesAutomatically
    }
    var shown: [Int] = []
    for index in asked(trace) + named(trace) + (choices.isEmpty ? all : usual) + stopped + choices
    where !shown.contains(index) { shown.append(index) }
    // A scenario in the foreground has nothing else.
    return shown.isEmpty ? Array(trace.rows.indices) : shown
  }

  private static func asked(_ trace: ComparedTrace) -> [Int] {
    trace.rows.indices.filter { trace.rows[$0].plan.isAskedFor }
  }

  private static func named(_ trace: ComparedTrace) -> [Int] {
    trace.answers.map(\.row) + trace.answers.compactMap(\.against)
  }

  private static func cells(
    _ row: ModeRow, _ trace: ComparedTrace, _ options: ReplayOptions
  ) -> [String] {
    let battery = options.device.battery.nominal
    let share = battery > 0 ? row.joules / battery / trace.judged * 360_000 : nil
    let percent = share.map { Figures.significant($0) + " %" } ?? Figures.unknown
    let energy = Figures.energy(row.joules)
    let unsent = row.unsent > 0 ? " (\(Figures.shortCount(row.unsent)) unsent)" : ""
    guard row.learned > 0 else { return [percent, energy, "never" + unsent, "–", "–"] }
    if row.plan.mode == .standard, let last = row.typical(\.lastDelivery), last < 0.9 * trace.judged
    {
      return [percent, energy, "stops after \(Figures.span(last))", "–", "–"]
    }
    return [
      percent, energy, Figures.span(trace.judged / Double(row.learned)) + unsent,
      row.typical { $0.offBy.quantile(0.95) }.map(Figures.distance) ?? Figures.unknown,
      AnswerWords(trace).known(row, \.comings) ?? Figures.unknown,
    ]
  }

  // MARK: Answers

  private static func answers(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ style: TextStyle
  ) -> [String] {
    let words = AnswerWords(trace)
    let width = Purpose.allCases.map(\.title.count).max() ?? 0
    let lines = words.lines.map { line in
      let title = line.title
      let text = cut(
        "\(mark(line, words)) For \(title): "
          + String(repeating: " ", count: width - title.count) + line.words, to: TextTable.width)
      return line.isSure ? style.bold(text) : text
    }
    return lines + calls(trace, options.device)
  }

  private static func mark(_ line: AnswerWords.Line, _ words: AnswerWords) -> String {
    guard let answer = words.answer(to: line.purpose) else { return "–" }
    return answer.stands ? "→" : "?"
  }

  /// The calls of all answers by their names.
  private static func calls(_ trace: ComparedTrace, _ device: DeviceProfile) -> [String] {
    var names: [String] = []
    for answer in trace.answers {
      guard let name = trace.rows[answer.row].shortCall(on: device), !names.contains(name) else {
        continue
      }
      names.append(name)
    }
    guard !names.isEmpty else { return [] }
    return [
      cut("Code: \(names.joined(separator: ", ")); --for NAME says how", to: TextTable.width)
    ]
  }

  /// The answer to one purpose, in full.
  private static func asked(
    _ purpose: Purpose, _ trace: ComparedTrace, _ options: ReplayOptions, _ style: TextStyle
  ) -> [String] {
    let words = AnswerWords(trace)
    let line = words.line(purpose)
    var lines = Paragraph.text(
      "\(mark(line, words)) \(words.paragraph(purpose))", indent: 2
    ).split(separator: "\n").map(String.init)
    if line.isSure { lines = lines.map(style.bold) }
    guard let answer = words.answer(to: purpose) else { return lines }
    let row = trace.rows[answer.row]
    let device = options.device
    guard let android = row.androidCall(on: device, for: purpose) else {
      return lines + wrapped(row.call(on: device))
    }
    return lines + wrapped("iOS: " + row.call(on: device)) + wrapped("Android: " + android)
  }

  private static func wrapped(_ text: String) -> [String] {
    Paragraph.text(text, indent: 2).split(separator: "\n").map { "  " + $0 }
  }

  /// The basis of the figures.
  private static func caveat(_ trace: ComparedTrace, _ options: ReplayOptions) -> String {
    let count = trace.livedWorlds ?? trace.worldCount
    var worlds =
      trace.livedWorlds != nil || count > 1
      ? "Modelled in \(Figures.count(count, "world", "worlds"))" : "Modelled"
    if trace.livedWorlds != nil { worlds += ", as luck evens out over so many far-apart fixes" }
    return
      "\(worlds), location only\(WholeDevice.unlessWhole(options.device.platform)). More: --details"
  }
}
