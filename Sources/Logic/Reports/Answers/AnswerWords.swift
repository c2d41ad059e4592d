// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import Replay
import ServiceContract

// Theory
// ======
//
// A purpose is answered with one sentence: what is asked, the mode that does it, its price, in how many simulations it
// does, and where the choice turns.
//
//   sure          Arrivals within 10 min: visits, 1/70 of continuous; within 3 min: region monitoring
//   sure, none    The way within 10 m: no mode; nearest is continuous, 25 m
//   likely        Arrivals within 10 min: likely visits, 1/70 of continuous, works in 18 of 20 simulations; region
//                 monitoring in 20
//   open          Arrivals within 10 min: a toss-up between visits and region monitoring: visits works in 11 of 20
//                 simulations; region monitoring in 20
//   with a budget Arrivals for 1 % of the battery: visits, 7 min, 1/70 of continuous; within 3 min: region monitoring
//   not tested    The way: not tested, the device hardly moved
//
// A ratio has one form, energy over that of another mode. Every figure is one of the table, every mode has its row.
// Every form of a comparison uses these words.

/// The answers of a trace in words.
struct AnswerWords {
  let trace: ComparedTrace

  init(_ trace: ComparedTrace) { self.trace = trace }

  /// One purpose in one sentence.
  struct Line {
    let purpose: Purpose
    /// `nil` if it is not answered.
    let answer: Answer?
    /// What is asked: `To notice arrivals and departures within 10 min`, and in short `Coming and going within 10 min`.
    let aim: String
    let title: String
    /// `likely `, or empty.
    let hedge: String
    /// What does it, its price and the range of that, in how many worlds, what else may do it, and where the choice turns;
    /// without a full stop.
    let mode: String
    let price: String
    let range: String
    let doubt: String
    let turn: String

    /// Whether other worlds would name the same mode.
    var isSure: Bool { answer?.certainty == .sure }

    var verdict: String { hedge + mode }

    var exactWords: String { verdict + price + range + doubt + turn }
    var exactSentence: String { "\(aim): \(exactWords)." }

    /// Only the mode and its price, without the range, where the ranges of both energies stand beside it.
    var words: String { verdict + price }
    var sentence: String { "\(aim): \(words)." }

    /// What such a sentence leaves out, as one of its own; empty if that is nothing.
    var rest: String {
      let text = (doubt + turn).drop { ",;: ".contains($0) }
      return text.isEmpty ? "" : text.prefix(1).uppercased() + text.dropFirst() + "."
    }
  }

  /// All four purposes.
  var lines: [Line] { Purpose.allCases.map { line($0) } }

  func answer(to purpose: Purpose) -> Answer? {
    trace.answers.first { $0.purpose == purpose }
  }

  func line(_ purpose: Purpose) -> Line {
    let answer = answer(to: purpose)
    return Line(
      purpose: purpose, answer: answer, aim: aim(purpose), title: title(purpose),
      hedge: answer?.certainty == .likely ? "likely " : "",
      mode: answer.map { choice($0) } ?? "not tested: \(untested(purpose))",
      price: answer.flatMap(price).map { ", \($0)" } ?? "", range: answer.flatMap(range) ?? "",
      doubt: answer.flatMap(doubt) ?? "", turn: answer.flatMap(turn) ?? "")
  }

  /// What an app with this purpose wants: `To notice arrivals and departures within 10 min`.
  func aim(_ purpose: Purpose) -> String { "\(purpose.aim) \(limit(purpose))" }

  /// `within 10 min`, or with a budget `for 1 % of the battery`.
  private func limit(_ purpose: Purpose) -> String {
    guard let budget = trace.budget else { return trace.tolerances[purpose].words }
    guard trace.battery > 0 else { return "for \(trace.price(budget))" }
    return "for \(Figures.plain(100 * budget / trace.battery)) % of the battery"
  }

  /// The same in short: `Coming and going within 10 min`.
  private func title(_ purpose: Purpose) -> String {
    let name =
      switch purpose {
      case .track: "The way"
      case .arrival: stays
      case .fence: "Fences"
      case .area: "Within 1 km"
      }
    return "\(name) \(limit(purpose))"
  }

  /// What there is of arrivals and departures.
  private var stays: String {
    let (came, left) = (trace.silence.arrivals.judged > 0, trace.silence.departures.judged > 0)
    return came == left ? "Coming and going" : came ? "Arrivals" : "Departures"
  }

  /// The reason why there is no answer.
  func untested(_ purpose: Purpose) -> String {
    if trace.isTested(purpose) { return nothing }
    if trace.hasTwoDates {
      return "a part of the log has another date (--fix-week-rollover)"
    }
    // What the usual tolerance would test is no fault of the trace.
    if purpose.figure(trace.silence).map({ !Tolerance.usual(purpose).holds($0) }) == true {
      return "an app that hears nothing would be within this tolerance"
    }
    return purpose.untested(bySilence: trace.silence)
  }

  /// The reason why there is no answer at all.
  var nothing: String {
    trace.rows.contains(where: \.goesOnInPocket)
      ? "no mode that the device can have told anything in the pocket"
      : "none of these modes goes on while the app is in the background"
  }

  // MARK: A sentence

  /// What does it, with a `call` behind it.
  func choice(_ answer: Answer, _ call: String = "") -> String {
    let mode = trace.rows[answer.row].name + call
    if answer.certainty == .open {
      guard let other = answer.other.map({ trace.rows[$0].name }) else {
        return "a toss-up whether \(mode) does it"
      }
      return "a toss-up between \(mode) and \(other)"
    }
    if answer.isFound { return answer.budget == nil ? mode : mode + figure(answer) }
    let none = answer.budget == nil ? "no mode; nearest is" : "no mode; cheapest is"
    return "\(none) \(mode)\(figure(answer))"
  }

  /// `visits, 0.08 % (11 of 20), or region monitoring, 0.14 % (20)`: prices, and in how many worlds each works; and shorter
  /// words; none if it is no toss-up between two.
  func tossUps(_ answer: Answer) -> [String] {
    guard answer.certainty == .open, let other = answer.other else { return [] }
    let (first, second) = (trace.rows[answer.row], trace.rows[other])
    let (a, b) = (first.name, second.name)
    return [
      "\(a), \(trace.price(first.joules)) (works in \(answer.worksIn) of \(answer.worlds)), or \(b), "
        + "\(trace.price(second.joules)) (in \(answer.otherWorksIn))",
      "\(a), \(trace.price(first.joules)) (\(answer.worksIn) of \(answer.worlds)), or \(b), "
        + "\(trace.price(second.joules)) (\(answer.otherWorksIn))",
      "\(a) (\(answer.worksIn) of \(answer.worlds)) or \(b) (\(answer.otherWorksIn)): a toss-up",
      "\(a) (\(answer.worksIn) of \(answer.worlds)) or \(b) (\(answer.otherWorksIn))",
      "\(a) or \(b): a toss-up",
    ]
  }

  /// `, 7 min`: what one gets.
  private func figure(_ answer: Answer) -> String {
    guard let figure = answer.figure, !answer.purpose.isMissed(figure) else { return "" }
    return ", \(Tolerance.words(figure, for: answer.purpose))"
  }

  /// `1/28 of continuous`: of the pair, and never if it can be 0 or the other one is cheaper.
  func price(_ answer: Answer) -> String? {
    guard let ratio = answer.ratio, let against = answer.against, answer.certainty != .open,
      ratio.nominal >= Answers.sameCost
    else { return nil }
    return Self.fraction(ratio.nominal) + " of \(trace.rows[against].name)"
  }

  /// ` (1/18 to 1/35)`; `nil` without a price.
  private func range(_ answer: Answer) -> String? {
    guard price(answer) != nil, let ratio = answer.ratio else { return nil }
    return " (\(Self.fraction(ratio.low)) to \(Self.fraction(ratio.high)))"
  }

  /// `1/28`: a cost over another one, in one form.
  static func fraction(_ ratio: Double) -> String { "1/\(Figures.significant(ratio))" }

  /// In how many worlds it is what was asked for, if they do not agree, and what else is it, or is it for less.
  private func doubt(_ answer: Answer) -> String? {
    func name(_ row: Int) -> String { trace.rows[row].name }
    let subject = answer.certainty == .open ? ": \(name(answer.row)) " : ", "
    switch answer.doubt {
    case .fails:
      let safer = answer.safer.map { "; \(name($0.row)) in \(answer.worlds - $0.failsIn)" }
      return subject + works(answer) + "\(answer.worksIn) of \(answer.worlds) simulations"
        + (safer ?? "")
    case .other(let other, let worlds):
      let does = answer.isFound ? "will do" : answer.budget == nil ? "is nearer" : "is cheaper"
      return (answer.certainty == .open ? ": " : ", ")
        + "in \(worlds) of \(answer.worlds) simulations \(name(other)) \(does)"
    case .rival(let row): return ", \(name(row)) is as good"
    case nil: return nil
    }
  }

  /// `works in `, before a number of worlds.
  private func works(_ answer: Answer) -> String {
    answer.budget == nil ? "works in " : "affordable in "
  }

  /// How certain a choice is, in one word and its reason: the worlds in which it works, or those in which it is the best
  /// where it works in more, an equal, or that too little was judged; `nil` in one world. In brief without what the number counts.
  func certainty(_ answer: Answer, isBrief: Bool) -> String? {
    guard answer.worlds > 1 else { return nil }
    if answer.isThinAlone {
      let isShort = !answer.purpose.isOfEvents || answer.judged >= Double(Purpose.least.events)
      return "\(answer.certainty.rawValue): "
        + (isShort
          ? "too short" : "only \(Figures.count(Int(answer.judged), "event", "events"))")
    }
    func told(_ verb: String, _ count: Int) -> String {
      "\(isBrief ? "" : verb)\(count) of \(answer.worlds)"
    }
    let reason =
      switch answer.doubt {
      case .fails: told(works(answer), answer.worksIn)
      case .other: told("best in ", answer.agreesIn)
      case .rival(let row): "\(trace.rows[row].name) is as good"
      case nil: told("", answer.isFound ? answer.worksIn : answer.agreesIn)
      }
    return "\(answer.certainty.rawValue): \(reason)"
  }

  /// `; within 3 min: region monitoring`: where the choice turns.
  private func turn(_ answer: Answer) -> String? {
    guard answer.certainty != .open, let turn = answer.nextTurn,
      !answer.purpose.isMissed(turn.most)
    else { return nil }
    return "; \(words(of: turn, for: answer.purpose))"
  }

  private func words(of turn: Answer.Turn, for purpose: Purpose) -> String {
    "\(limit(of: turn, for: purpose)): \(trace.rows[turn.row].name)"
  }

  private func limit(of turn: Answer.Turn, for purpose: Purpose) -> String {
    purpose.isOfEvents && Figures.isAtOnce(turn.most)
      ? "at once" : Tolerance.within(turn.most, for: purpose)
  }

  // MARK: In full

  /// The full text of an answer.
  func paragraph(_ purpose: Purpose) -> String {
    let line = line(purpose)
    guard let answer = answer(to: purpose) else { return line.exactSentence }
    var text = "\(line.aim): \(line.verdict)\(line.doubt)."
    text += pair(answer).map { " \(capital($0))." } ?? ""
    let turns = answer.turns.filter { !purpose.isMissed($0.most) }.map { turn in
      let row = trace.rows[turn.row]
      return "\(limit(of: turn, for: purpose)) \(row.name), \(trace.price(row.joules))"
    }
    if turns.count > 1 {
      let price = trace.battery > 0 ? "battery" : "power"
      text += " By tolerance, with its \(price): \(turns.joined(separator: "; "))."
    }
    text += " \(basis(answer))"
    return text
  }

  /// `energy: visits 1/28 of continuous (1/18 to 1/35)`; `nil` for a mode that is not the cheaper one: what a looser tolerance
  /// would save stands with the turns.
  private func pair(_ answer: Answer) -> String? {
    guard let ratio = answer.ratio, let against = answer.against, ratio.nominal >= 1 else {
      return nil
    }
    return
      "energy: \(trace.rows[answer.row].name) \(Self.fraction(ratio.nominal)) of \(trace.rows[against].name) "
      + "(\(Self.fraction(ratio.low)) to \(Self.fraction(ratio.high)))"
  }

  /// `Judged by 8 events, of which it missed 3 %; the same in 20 of 20 simulations.`
  private func basis(_ answer: Answer) -> String {
    var judged =
      answer.purpose.isOfEvents
      ? Figures.count(Int(answer.judged), "event", "events") : Figures.span(answer.judged)
    let events = answer.purpose.events(trace.rows[answer.row].whereabouts)
    if events.missed > 0 {
      judged +=
        ", of which it missed \(Figures.percent(100 * Double(events.missed) / Double(events.judged)))"
    }
    guard answer.worlds > 1 else { return "Judged by \(judged), in one simulation." }
    guard answer.doubt == nil else { return "Judged by \(judged)." }
    return "Judged by \(judged); the same in \(answer.agreesIn) of \(answer.worlds) simulations."
  }

  /// The number on which the price of the leading answer depends most; `nil` without one.
  var dependence: String? {
    let leading = answer(to: .arrival) ?? trace.answers.first
    guard let answer = leading, let price = answer.against, !answer.drivers.isEmpty else {
      return nil
    }
    return
      "The price of \(trace.rows[answer.row].name) against \(trace.rows[price].name) depends most on "
      + Figures.list(answer.drivers.map(\.name)) + "."
  }

  /// Why nothing, or not all, can be sure; `nil` if it can.
  var thinness: String? {
    let thin = trace.answers.filter(\.isThin)
    guard !thin.isEmpty else { return nil }
    if trace.silence.seconds < Purpose.least.seconds {
      return "Too short to be sure: \(Figures.span(trace.silence.seconds)) judged."
    }
    let names = thin.map { $0.purpose == .arrival ? stays.lowercased() : "fences" }
    return "Fewer than \(Purpose.least.events) events: nothing is sure of \(Figures.list(names))."
  }

  private func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension Purpose {
  /// Whether a figure means that more than one event in twenty was missed.
  func isMissed(_ figure: Double) -> Bool { isOfEvents && figure >= ScoringRules().patience }
}

extension ModeRow {
  /// A figure of an app's place knowledge: that of the middle world. Unknown if it is unknown in half of them.
  func typical(_ figure: (Whereabouts) -> Double?) -> Double? {
    worlds.map { figure($0.whereabouts) }.middle
  }
}

extension ComparedTrace {
  /// Joules that a mode may cost; `nil` if the tolerances choose.
  var budget: Double? { tolerances.budget?.joules(over: judged, battery: battery) }

  /// `0.079 %`: joules as a share of a full battery, or as the mean power if there is none.
  func price(_ joules: Double) -> String {
    guard judged > 0 else { return Figures.unknown }
    return battery > 0
      ? Figures.significant(100 * joules / battery) + " %"
      : Figures.power(joules / judged * 1_000)
  }

  /// Metres of the circles around the places of the trip; `nil` if they differ, or there are none.
  var fenceRadius: Double? {
    let regions = rows.lazy.first { $0.plan.mode == .regions }?.plan.regions ?? []
    guard let radius = regions.first?.radius else { return nil }
    return regions.allSatisfy { $0.radius == radius } ? radius : nil
  }
}
