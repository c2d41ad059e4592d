// SPDX-License-Identifier: Apache-2.0

import Replay

/// What the first screen and the card say: what to call for each purpose, one of them as the headline, and the
/// modes that this one compares.
struct PageAnswer {
  /// One purpose and what serves it.
  struct Line {
    let question: String
    let words: String
    /// Where worlds disagree: `So in 12 of 20 worlds, else continuous; …`.
    var doubt: String?

    var text: String {
      [question, words, doubt ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// What comes first where it is answered: the question that most apps have.
  private static let leading = Purpose.arrival

  /// The leading purpose in one sentence.
  let headline: Line
  /// The other purposes.
  let others: [Line]
  /// `The same in 20 of 20 worlds.`, of all that has no doubt; empty where there is one world.
  let agreement: String
  /// Indices of the rows that the headline names, the dearer first; one or two, or none.
  let pair: [Int]
  /// Index of the row whose map is shown: the cheaper of the pair.
  var shown: Int? { pair.last }

  /// The headline in one sentence, without its doubt.
  var sentence: String { Line(question: headline.question, words: headline.words).text }

  /// All else in one string.
  var rest: String {
    ([headline.doubt ?? ""] + others.map(\.text) + [agreement]).filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  init(of trace: ComparedTrace) {
    guard let answer = trace.answers.first(where: { $0.purpose == Self.leading }) else {
      headline = Line(question: "", words: AnswerText.nothing(trace))
      (others, agreement) = ([], "")
      pair = Self.pair(trace.rows.indices.sorted { trace.rows[$0].joules < trace.rows[$1].joules })
      return
    }
    headline = Self.line(answer, trace)
    others = trace.answers.filter { $0.purpose != Self.leading }.map { Self.line($0, trace) }
    agreement = Self.agreement(trace)
    pair = Self.pair(
      [answer.row, answer.against].compactMap(\.self)
        .sorted { trace.rows[$0].joules < trace.rows[$1].joules })
  }

  /// First and last of rows that rise in price, the dearer first.
  private static func pair(_ rising: [Int]) -> [Int] {
    rising.count < 2 ? rising : [rising[rising.count - 1], rising[0]]
  }

  private static func agreement(_ trace: ComparedTrace) -> String {
    let sure = trace.answers.filter(\.isSure).map(\.agreesIn)
    guard trace.worldCount > 1, let least = sure.min() else { return "" }
    let what = sure.count == trace.answers.count ? "The same" : "All else is the same"
    return "\(what) in \(least) of \(trace.worldCount) worlds."
  }

  private static func line(_ answer: Answer, _ trace: ComparedTrace) -> Line {
    Line(
      question: answer.purpose.question, words: AnswerText.words(answer, trace) + ".",
      doubt: AnswerText.doubt(answer, trace).map { AnswerText.capital($0) + "." })
  }
}
