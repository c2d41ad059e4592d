// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import RadioPower
import Replay
import ServiceContract

// Theory
// ======
//
// A purpose is answered with one sentence: an app's aim, and the mode that serves it. It begins with the
// aim; its rest is
//
//   sure, will do      visits, 120× cheaper than continuous (60–150)
//   sure, will not     nothing is good enough; nearest is continuous, off by 1.3 km (95 %)
//   likely             likely visits (in 16 of 20 worlds), else continuous
//   open               a toss-up: visits (in 11 of 20 worlds), else continuous
//   not tested         cannot be told from this trace: the device hardly moved
//
// Every form of a comparison uses these words.

/// The answers of a trace in words.
struct AnswerWords {
  let trace: ComparedTrace

  init(_ trace: ComparedTrace) { self.trace = trace }

  /// One purpose in one sentence.
  struct Line {
    let purpose: Purpose
    /// The aim of an app with this purpose, and the same in a word or two.
    let aim: String
    let title: String
    /// The mode that serves it, without a full stop.
    let words: String
    /// Whether other worlds would name the same mode.
    let isSure: Bool

    var sentence: String { "\(aim): \(words)." }
  }

  /// All four purposes.
  var lines: [Line] { Purpose.allCases.map(line) }

  func answer(to purpose: Purpose) -> Answer? {
    trace.answers.first { $0.purpose == purpose }
  }

  func line(_ purpose: Purpose) -> Line {
    let answer = answer(to: purpose)
    let words = answer.map { $0.stands ? said($0) : doubted($0) } ?? unanswered(purpose)
    return Line(
      purpose: purpose, aim: aim(purpose), title: isOfMoves(purpose) ? "moves" : purpose.title,
      words: words, isSure: answer?.isSure == true)
  }

  /// The aim of an app with this purpose.
  func aim(_ purpose: Purpose) -> String {
    isOfMoves(purpose) ? "To notice moves of 500 m, as nobody came or went" : purpose.aim
  }

  /// Whether moves stand for the arrivals and departures of a trace that has none.
  private func isOfMoves(_ purpose: Purpose) -> Bool {
    purpose == .arrival && trace.silence.stays.count == 0 && answer(to: purpose) != nil
  }

  private func unanswered(_ purpose: Purpose) -> String {
    if trace.isTested(purpose) { return nothing }
    if trace.hasTwoDates {
      return "cannot be told: a part of the log has another date (--fix-week-rollover)"
    }
    return "cannot be told from this trace: \(purpose.untested(bySilence: trace.silence))"
  }

  /// The reason why there is no answer at all.
  var nothing: String {
    trace.rows.contains(where: \.goesOnInPocket)
      ? "no mode that the device can have told anything in the pocket"
      : "none of these modes goes on while the app is in the background"
  }

  private func said(_ answer: Answer) -> String {
    let mode = mode(trace.rows[answer.row])
    guard answer.willDo else {
      return "nothing is good enough; nearest is \(mode), \(measure(answer))"
    }
    return mode + (price(answer).map { ", \($0)" } ?? "")
  }

  private func doubted(_ answer: Answer) -> String {
    let mode = mode(trace.rows[answer.row])
    let other = answer.other.map { self.mode(trace.rows[$0]) }
    if !answer.willDo, answer.isSureOfVerdict {
      return "nothing is good enough; nearest is \(mode)" + (other.map { " or \($0)" } ?? "")
    }
    guard answer.willDo else {
      return
        "nothing is good enough in \(answer.sameVerdictIn) of \(answer.worlds) worlds; nearest is \(mode)"
    }
    return "\(answer.isLikely ? "likely" : "a toss-up:") \(mode) (in \(answer.agreesIn) of "
      + "\(answer.worlds) worlds), else \(other ?? "nothing is good enough")"
  }

  /// `28× cheaper than continuous (18–35)`: of the pair, and never if it can be 0.
  func price(_ answer: Answer) -> String? {
    guard let ratio = answer.ratio, let against = answer.against else { return nil }
    let name = mode(trace.rows[against])
    if ratio.nominal >= Answers.sameCost {
      return "\(Figures.significant(ratio.nominal))× cheaper than \(name) "
        + "(\(Figures.range(ratio.low, ratio.high)))"
    }
    if ratio.nominal <= 1 / Answers.sameCost {
      return "\(Figures.significant(1 / ratio.nominal))× the energy of \(name) "
        + "(\(Figures.range(1 / ratio.high, 1 / ratio.low)))"
    }
    return "which costs as much as \(name)"
  }

  /// The figure of an answer's mode, in the middle world.
  func measure(_ answer: Answer) -> String {
    let row = trace.rows[answer.row]
    switch answer.purpose {
    case .track:
      // The one of its limits that it breaks.
      let usual = row.typical { $0.offBy.quantile(0.95) }
      let worst = row.typical(\.offBy.greatest)
      return answer.willDo || usual.map { $0 > Purpose.Limit.track.usual } ?? true
        ? "off by \(usual.map(Figures.distance) ?? Figures.unknown) (95 %)"
        : "off by \(worst.map(Figures.distance) ?? Figures.unknown) at worst"
    case .arrival, .geofence:
      return "known " + (known(row, answer.purpose.events) ?? "of none that could be judged")
    case .recent:
      let lost = row.typical { $0.lostSeconds / max(1, $0.age.seconds) }
      return "lost for \(Figures.percent((lost ?? 0) * 100)) of the time"
    }
  }

  /// The delay within which 95 % of events were known: `in 6 min`, `at once`, `over 30 min`; with the number of those that
  /// it is about, where the trace ends too soon for others: `in 4 min (1 of 2)`. `nil` if none could be judged.
  func known(_ row: ModeRow, _ events: (Whereabouts) -> EventTally) -> String? {
    guard let late = row.typical({ events($0).lateness(0.95) }) else { return nil }
    let patience = ScoringRules().patience
    let time =
      late >= patience
      ? "over \(Figures.span(patience))" : late < 1.5 ? "at once" : "in \(Figures.span(late))"
    let all = events(row.whereabouts)
    let open = all.count - all.delay.count - all.missed
    guard open * 2 >= row.worlds.count else { return time }
    let (judged, count) = (all.count - open, all.count)
    let worlds = row.worlds.count
    return "\(time) (\((judged + worlds / 2) / worlds) of \(count / worlds))"
  }

  /// The name of a mode in a sentence.
  func mode(_ row: ModeRow) -> String {
    switch row.plan.mode {
    case .standard:
      return row.plan.scenario == .foreground ? "in the foreground" : "no background mode"
    case .visits: return "visits"
    case .regions: return "region monitoring"
    case .cycled: return "continuous, armed"
    case .continuous: return row.plan.pausesAutomatically ? "continuous, pausing" : "continuous"
    case .significant:
      let many = trace.rows.count { $0.plan.mode == .significant } > 1
      guard let policy = row.plan.policy, row.plan.isAskedFor || many && !policy.kind.isPhones
      else { return "significant change" }
      return "policy \(policy.label)"
    }
  }

  /// The same at the head of a line, with the mode of the same result.
  func name(_ row: ModeRow) -> String {
    let isBoth =
      row.plan.mode == .continuous && !row.plan.pausesAutomatically
      && trace.rows.contains {
        $0.plan.mode == .continuous && $0.plan.pausesAutomatically && $0.isEqual(to: row)
      }
    return isBoth ? "continuous, also pausing" : mode(row)
  }

  // MARK: In full

  /// The full text of an answer.
  func paragraph(_ purpose: Purpose) -> String {
    let line = line(purpose)
    guard let answer = answer(to: purpose) else { return line.sentence }
    // Facts not in the sentence already.
    let more = [
      answer.willDo || !answer.stands ? measure(answer) : nil,
      answer.willDo && answer.stands ? nil : price(answer),
    ].compactMap(\.self)
    var text = line.sentence
    if !more.isEmpty {
      text += " \(capital(mode(trace.rows[answer.row]))): \(more.joined(separator: "; "))."
    }
    if answer.worlds > 1 {
      text += " The same in \(answer.agreesIn) of \(answer.worlds) worlds."
    }
    if !answer.isSure, answer.worlds > 1 {
      text += " What decides is whether it keeps the limit: \(purpose.limit)."
    }
    return text
  }

  /// The number on which the price of the leading answer depends most; `nil` without one.
  var dependence: String? {
    let leading = answer(to: .arrival) ?? trace.answers.first
    guard let answer = leading, let price = answer.against, !answer.drivers.isEmpty else {
      return nil
    }
    return
      "The price of \(mode(trace.rows[answer.row])) against \(mode(trace.rows[price])) depends most on "
      + Figures.list(answer.drivers.map(\.name)) + "."
  }

  private func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension ModeRow {
  /// A figure of an app's place knowledge: that of the middle world. Unknown if it is unknown in half of them.
  func typical(_ figure: (Whereabouts) -> Double?) -> Double? {
    worlds.map { figure($0.whereabouts) }.middle
  }
}
