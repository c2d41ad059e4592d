// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import Replay
import ServiceContract
import ServiceCore

// Theory
// ======
//
// Some twelve lines for any trace, unless many policies are asked for, as wide as the screen or 80 columns:
//
//   1      the trace, its duration and distance, the device, what is judged
//   0 – 3  what makes answers unsure, what could not be known, oddities of the trace
//   2 + n  the trade: what each mode costs and what one gets (`TradeTable`)
//   1 – 4  a line for each tested purpose:  → sure   ? likely, or a toss-up; one for those that are not tested
//   1      the basis of all this, and what else to ask
//
// A line of a purpose has the range of its price, and says where the choice turns if the width allows. What to call
// stands in the table if it is wide enough for that, else behind the mode where a line names it first. With one purpose
// its answer is told in full, with what to call on each system. All else is in the details.

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
    let screen = Screen(trace: trace, options: options, style: style, width: max(40, width))
    let top = screen.head + screen.remarks
    let end = screen.unsent + screen.caveat
    let answers = purpose.map(screen.asked) ?? screen.answers(withCalls: true)
    // The head of the table takes two.
    let rows = purpose == nil ? limit - top.count - answers.count - end.count - 2 : mostModes
    let table = TradeTable(trace, options, most: max(3, rows)).text(style, width: screen.width)
    let told =
      purpose == nil && table.hasCalls ? screen.answers(withCalls: false) : answers
    return (top + table.lines + told + end).map { $0 + "\n" }.joined()
  }

  /// A trace on a screen.
  private struct Screen {
    let trace: ComparedTrace
    let options: ReplayOptions
    let style: TextStyle
    let width: Int

    var words: AnswerWords { AnswerWords(trace) }

    func lines(_ text: String, indent: Int = 2) -> [String] {
      Paragraph.text(text, indent: indent, width: width).split(separator: "\n").map(String.init)
    }

    // MARK: The trace

    var head: [String] {
      var parts = [trace.title, Figures.span(trace.judged), Figures.way(trace.distance)]
      // What stands in brackets is in the details.
      parts.append(
        options.device.title.split(separator: "(")[0].split(separator: " ").joined(separator: " "))
      if options.uploads != .none {
        parts.append(options.uploadWords(trace.rows, withReason: false))
      }
      let stays = [
        (trace.silence.arrivals.judged, "arrival", "arrivals"),
        (trace.silence.departures.judged, "departure", "departures"),
      ].filter { $0.0 > 0 }.map { Figures.count($0, $1, $2) }
      if !stays.isEmpty { parts.append(stays.joined(separator: ", ")) }
      var lines = lines(parts.joined(separator: " · "))
      if let first = lines.first { lines[0] = style.bold(first) }
      return lines
    }

    var remarks: [String] {
      let odd = thinned + CompareText.oddities(trace) + skipped + jumps
      return (words.thinness.map { lines($0) } ?? [])
        + (odd.isEmpty ? [] : lines(odd.joined(separator: "; ")))
        + (CompareText.unknowable(trace).map { lines($0) } ?? [])
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

    private var jumps: [String] {
      guard trace.truth == "trace", trace.jumpsRemoved > 0 else { return [] }
      return ["left out as jumps: \(Figures.count(trace.jumpsRemoved, "point", "points"))"]
    }

    // MARK: The answers

    func answers(withCalls: Bool) -> [String] {
      var called: Set<Int> = []
      var text: [String] = []
      var silent: [AnswerWords.Line] = []
      var isBrief = false
      var priced: Set<[Int?]> = []
      for purpose in Purpose.allCases {
        guard let answer = words.answer(to: purpose) else {
          silent.append(words.line(purpose))
          continue
        }
        let isFirst = withCalls && called.insert(answer.row).inserted
        let line = words.line(purpose, call: isFirst ? call(answer) : nil, isBrief: isBrief)
        isBrief = isBrief || !line.doubt.isEmpty
        text += self.answer(line, hasRange: priced.insert([answer.row, answer.against]).inserted)
      }
      return text + untested(silent)
    }

    /// What to call for an answer that says so; `nil` where it is open or there is no mode.
    private func call(_ answer: Answer) -> String? {
      guard answer.isFound, answer.certainty != .open else { return nil }
      return trace.rows[answer.row].shortCall(on: options.device)
    }

    /// A range that a line above has is not said again.
    private func answer(_ line: AnswerWords.Line, hasRange: Bool) -> [String] {
      let text =
        "\(mark(line)) \(line.title): "
        + (hasRange ? line.exactVerdict : line.verdict + line.price + line.doubt)
      let lines = lines(text.count + line.turn.count <= width ? text + line.turn : text)
      return line.isSure ? lines.map(style.bold) : lines
    }

    /// Reasons with the purposes that they are of.
    private func untested(_ lines: [AnswerWords.Line]) -> [String] {
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
      return self.lines("– Not tested by this trace: \(said.joined(separator: ", "))")
    }

    private func mark(_ line: AnswerWords.Line) -> String {
      guard let answer = line.answer else { return "–" }
      return answer.certainty == .sure ? "→" : "?"
    }

    /// The answer to one purpose, in full.
    func asked(_ purpose: Purpose) -> [String] {
      let line = words.line(purpose)
      var text = lines("\(mark(line)) \(words.paragraph(purpose))")
      if line.isSure { text = text.map(style.bold) }
      guard let answer = line.answer else { return text }
      let row = trace.rows[answer.row]
      let device = options.device
      guard let android = row.androidCall(on: device, for: purpose) else {
        return text + call(row.call(on: device))
      }
      return text + call("iOS: " + row.call(on: device)) + call("Android: " + android)
    }

    private func call(_ text: String) -> [String] {
      Paragraph.text(text, indent: 2, width: width - 2).split(separator: "\n").map { "  " + $0 }
    }

    // MARK: The basis

    /// What the server never heard of.
    var unsent: [String] {
      let waiting = trace.rows.filter {
        $0.unsent > 0 && $0.goesOnInPocket && options.device.offers($0.plan.policy)
      }
      guard !waiting.isEmpty else { return [] }
      let said = waiting.map { "\(words.mode($0)) \(Figures.shortCount($0.unsent))" }
      return lines("Unsent when the trace ended, and so unknown: \(said.joined(separator: "; "))")
    }

    var caveat: [String] {
      // Fewer than were asked for: a sparse trace.
      var text =
        trace.thinned.map { "Modelled in \(Figures.count($0.worlds, "world", "worlds"))" }
        ?? "Modelled"
      text += WholeDevice.unlessWhole(options.device.platform)
      return lines("\(text). See --for, --details")
    }
  }
}
