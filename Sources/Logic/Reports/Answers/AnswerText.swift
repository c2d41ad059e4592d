// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import Replay
import ServiceContract
import ServiceCore

// Theory
// ======
//
// Twelve lines for any trace, unless many policies are asked for, as wide as the screen or 80 columns:
//
//   1      the trace, its duration and distance, the device, what is judged
//   0 – 2  what makes answers unsure, oddities of the trace
//   1 + n  the trade: what each mode costs and what one gets (`TradeTable`); modes that no answer names go first if there
//          are too many lines
//   1 – 4  a line for each tested purpose:  → sure   ? likely, or a toss-up; one for those that are not tested
//   1      what nobody could know, the basis of all this, and what else to ask
//
// A line of a purpose has one form: what is asked, the mode, its price, and how certain that is, in a word and a number.
// What to call and where the choice turns are told where they fit (`Screen.wordings`), a turn only to a mode that has a
// row. The price, which the table shows, goes before the number does. What to call stands in the table if that is wide
// enough. With one purpose its answer is told in full, with what to call on each system. All else is in the details.

/// A comparison as an answer.
package enum AnswerText {
  /// The number of lines of an answer, which more modes would exceed.
  package static let limit = 12
  /// The most modes that are shown for one purpose.
  private static let mostModes = 8
  /// The columns of a screen, if nothing else is known.
  package static let usualWidth = 80

  /// The lines of a trace; with a purpose, only its answer, and the call.
  package static func trace(
    _ trace: ComparedTrace, _ options: ReplayOptions, for purpose: Purpose? = nil,
    style: TextStyle, width: Int = usualWidth
  ) -> String {
    let screen = Screen(
      trace: trace, options: options, words: AnswerWords(trace), width: max(40, width))
    let form = TextForm(style: style, width: screen.width)
    let (top, end) = (screen.head + screen.remarks, screen.unsent + screen.caveat)
    if let purpose {
      let table = TradeTable(trace, options, most: mostModes).tables(width: screen.width).tables
      return form.text(top + table.map { .table($0) } + screen.asked(purpose) + end)
    }
    let answers = screen.answers(withCalls: false, turnsTo: [])
    // The head of the table takes one.
    let room = limit - form.text(top + answers + end).count { $0 == "\n" } - 1
    let table = TradeTable(trace, options, most: max(2, room), isBrief: true)
    let (tables, hasCalls) = table.tables(width: screen.width)
    return form.text(
      top + tables.map { .table($0) }
        + screen.answers(withCalls: !hasCalls, turnsTo: Set(table.rows)) + end)
  }

  /// A trace on a screen.
  private struct Screen {
    let trace: ComparedTrace
    let options: ReplayOptions
    let words: AnswerWords
    let width: Int

    private func line(_ text: String, isBold: Bool = false) -> Node {
      .sentence(text, hanging: 2, isBold: isBold)
    }

    // MARK: The trace

    var head: [Node] {
      var parts = [
        trace.title, "\(Figures.span(trace.judged)), \(Figures.way(trace.distance))",
      ]
      // What stands in brackets is in the details.
      parts.append(
        options.device.title.split(separator: "(")[0].split(separator: " ").joined(separator: " "))
      if options.uploads != .none {
        parts.append(options.uploadWords(trace.rows, withReason: false))
      }
      let events = [
        (trace.silence.arrivals.judged, "arrival", "arrivals"),
        (trace.silence.departures.judged, "departure", "departures"),
        (trace.silence.borders.judged, "crossing", "crossings"),
      ].filter { $0.0 > 0 }.map { Figures.count($0, $1, $2) }
      // The crossings of fences where there is room.
      let heads = [events, Array(events.dropLast())].map { events in
        (parts + (events.isEmpty ? [] : [events.joined(separator: ", ")])).joined(separator: " · ")
      }
      return [line(heads[0].count <= width ? heads[0] : heads[1], isBold: true)]
    }

    var remarks: [Node] {
      let odd = thinned + CompareText.oddities(trace) + skipped + leftOut
      return [words.thinness, odd.isEmpty ? nil : odd.joined(separator: "; ")]
        .compactMap { $0.map { line($0) } }
    }

    private var skipped: [String] {
      let left = trace.skipped.filter { $0.key != "comment" }
      return left.isEmpty ? [] : ["skipped: \(Figures.counts(left))"]
    }

    private var thinned: [String] {
      guard let detail = trace.thinned, detail.oneOf > 1 else { return [] }
      return [
        "lived and judged: 1/\(detail.oneOf), in stretches of \(Figures.span(detail.stretch)), as its fixes are far apart"
      ]
    }

    private var leftOut: [String] {
      guard trace.truth == "trace", trace.leftOut > 0 else { return [] }
      return [
        "left out as jumps, or off by over 100 m: \(Figures.count(trace.leftOut, "point", "points"))"
      ]
    }

    // MARK: The answers

    /// A line for each answer, and one for what is not tested; only turns to these rows are told.
    func answers(withCalls: Bool, turnsTo rows: Set<Int>) -> [Node] {
      var called: Set<Int> = []
      var nodes: [Node] = []
      var silent: [AnswerWords.Line] = []
      for purpose in Purpose.allCases {
        let line = words.line(purpose)
        guard let answer = line.answer else {
          silent.append(line)
          continue
        }
        let call = withCalls && called.insert(answer.row).inserted ? call(answer) : nil
        let turns = answer.nextTurn.map { rows.contains($0.row) } ?? false
        let wordings = wordings(line, answer, call: call, turn: turns ? line.turn : "")
        let text = wordings.first { $0.count <= width } ?? wordings[wordings.count - 1]
        nodes.append(self.line(text, isBold: line.isSure))
      }
      return nodes + untested(silent)
    }

    /// What to call for an answer that says so; `nil` where it is open or there is no mode.
    private func call(_ answer: Answer) -> String? {
      guard answer.isFound, answer.certainty != .open else { return nil }
      return trace.rows[answer.row].shortCall(on: options.device)
    }

    /// The wordings of an answer, the fullest first.
    private func wordings(
      _ line: AnswerWords.Line, _ answer: Answer, call: String?, turn: String
    ) -> [String] {
      let title = (answer.certainty == .sure ? "→ " : "? ") + line.title + ": "
      let short = words.choice(answer)
      let called = call.map { words.choice(answer, " (\($0))") } ?? short
      if answer.certainty == .open {
        let tossUps = words.tossUps(answer)
        return (tossUps.isEmpty ? [short] : tossUps).map { title + $0 }
      }
      let works = [false, true].map { isBrief in
        words.certainty(answer, isBrief: isBrief).map { ", \($0)" } ?? ""
      }
      let full = line.price + works[0]
      return [
        called + full + turn, called + full, short + full + turn, short + full,
        short + line.price + works[1], short + works[0], short + works[1], short,
      ].map { title + $0 }
    }

    /// Reasons with the purposes that they are of.
    private func untested(_ lines: [AnswerWords.Line]) -> [Node] {
      guard !lines.isEmpty else { return [] }
      var reasons: [(reason: String, names: [String])] = []
      for line in lines {
        let reason = words.untested(line.purpose)
        if let index = reasons.firstIndex(where: { $0.reason == reason }) {
          reasons[index].names.append(line.purpose.rawValue)
        } else {
          reasons.append((reason, [line.purpose.rawValue]))
        }
      }
      let said = reasons.map { "\(Figures.list($0.names)) (\($0.reason))" }
      return [line("– Not tested by this trace: \(said.joined(separator: ", "))")]
    }

    /// The answer to one purpose, in full.
    func asked(_ purpose: Purpose) -> [Node] {
      let line = words.line(purpose)
      let mark = line.answer == nil ? "–" : line.isSure ? "→" : "?"
      let text = self.line("\(mark) \(words.paragraph(purpose))", isBold: line.isSure)
      guard let answer = line.answer else { return [text] }
      let row = trace.rows[answer.row]
      let call = row.call(on: options.device)
      let android = row.androidCall(on: options.device, for: purpose)
      let calls = android.map { ["iOS: " + call, "Android: " + $0] } ?? [call]
      return [text] + calls.map { .sentence($0, indent: 2, hanging: 4) }
    }

    // MARK: The basis

    /// What the server never heard of.
    var unsent: [Node] {
      let waiting = trace.rows.filter {
        $0.unsent > 0 && $0.goesOnInPocket && options.device.offers($0.plan.policy)
      }
      guard !waiting.isEmpty else { return [] }
      let said = waiting.map { "\($0.name) \(Figures.shortCount($0.unsent))" }
      return [line("Unsent when the trace ended, and so unknown: \(said.joined(separator: "; "))")]
    }

    var caveat: [Node] {
      let modelled = "Simulated \(Figures.count(trace.livedWorlds, "time", "times"))."
      return [
        line(
          [CompareText.unknowable(trace, isBrief: true), modelled, "Calls: --for. More: --details"]
            .compactMap(\.self)
            .joined(separator: " "))
      ]
    }
  }
}
