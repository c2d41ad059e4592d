// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Replay
import ServiceContract

/// The content of the first screen and the card: the mode for each purpose, one of them as the headline, and the modes
/// that this one compares.
struct PageAnswer {
  /// The question that most apps have, if it is answered.
  private static let leading = Purpose.arrival

  /// The leading purpose.
  let headline: AnswerWords.Line
  /// The other purposes.
  let others: [AnswerWords.Line]
  /// What ranges mean, and how far the worlds agree; empty if there is one world.
  let agreement: String
  /// Indices of the rows that the headline names, the dearer first; one or two, or none.
  let pair: [Int]
  /// Index of the row with the shown map: the cheaper of the pair.
  var shown: Int? { pair.last }

  /// The picture of an answer about events shows where the app was told; that it knew the way in between is not asked. Of a
  /// mode that tracks it shows the way.
  let isOfEvents: Bool

  /// The class of such a map, behind others.
  var pictureClass: String { isOfEvents ? " events" : "" }

  /// What the map of a mode shows, and its figures.
  func caption(of row: ModeRow, in trace: ComparedTrace) -> (title: String, figures: String) {
    let name = row.name
    guard isOfEvents else {
      return ("What \(name) knew of the way", MapSection.caption(row, trace.judged))
    }
    return (
      "Where \(name) told the app something",
      Figures.count(row.deliveries, "time", "times") + " on the way, each a dot"
    )
  }

  /// The headline in one sentence.
  var sentence: String { headline.sentence }

  /// The rest in one string.
  var rest: String {
    ([headline.rest] + others.map(\.exactSentence) + [agreement]).filter { !$0.isEmpty }.joined(
      separator: " ")
  }

  init(of trace: ComparedTrace) {
    let words = AnswerWords(trace)
    let answer = words.answer(to: Self.leading) ?? trace.answers.first
    let leading = answer?.purpose ?? Self.leading
    headline = words.line(leading)
    others = words.lines.filter { $0.purpose != leading }
    agreement = Self.agreement(trace)
    let rows = answer.map { [$0.row, $0.against].compactMap(\.self) } ?? Array(trace.rows.indices)
    let rising = rows.sorted { trace.rows[$0].joules < trace.rows[$1].joules }
    pair = rising.count < 2 ? rising : [rising[rising.count - 1], rising[0]]
    let isTold = pair.last.map { trace.rows[$0].plan.service == .significant } ?? false
    isOfEvents = headline.answer != nil && leading.isOfEvents && isTold
  }

  private static func agreement(_ trace: ComparedTrace) -> String {
    let sure = trace.answers.filter { $0.certainty == .sure }.map(\.agreesIn)
    guard trace.worldCount > 1 else { return "" }
    let ranges = "A range holds 90 % of them and of what is known of such a device."
    guard let least = sure.min() else { return ranges }
    let what = sure.count == trace.answers.count ? "The same" : "What is sure is the same"
    return "\(what) in \(least) of \(trace.worldCount) simulations. \(ranges)"
  }
}
