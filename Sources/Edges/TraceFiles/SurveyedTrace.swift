// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import JSONText
import LocationModel
package import Replay

// Theory
// ======
//
// A trace has two passes: the first surveys it (the gap threshold depends on its median interval), the second replays
// it. The events of a trace of up to `keptEvents` stay in memory in between; a longer one is read twice, so that memory
// does not grow with the trace. With a truth file the replay runs over the truth instead, and the first pass keeps the
// receiver's observations: both are then in memory, and nothing is read again.
//
// Most traces are dense: their gap threshold is the least one. Who must look through the events before the replay, and
// needs nothing else of the survey, may do so in the first pass, as if the trace were dense; if at its end it was, that
// was right. The first events decide whether it is tried:
//
//   open ──the first events are dense, and he takes them──► taken ──the whole trace is dense──► seen
//    └──not──► declined: he looks through them later          └──not──► the same

/// A trace after its first pass: the survey, and the input of the second pass.
package struct SurveyedTrace: Sendable {
  package let summary: TraceSummary
  package let ledger: TraceLedger
  /// Name of the truth file; `nil` if the trace is its own truth.
  package private(set) var truthName: String?

  private let options: DecodingOptions
  private var truth: Truth?
  /// The events of the trace, in parts, if there are few enough of them, and no truth is replayed.
  private let kept: [[TraceEvent]]?
  /// Whether all events were looked through in the first pass, and rightly.
  package let isSeen: Bool

  /// Whether the events are looked through in the first pass.
  private enum Early { case open, taken, declined }

  private struct Truth: Sendable {
    var events: [TraceEvent]
    var summary: TraceSummary
    var observed: ObservedErrors
  }

  /// Surveys the open trace `file`, and reads the truth at `truthPath` if given.
  ///
  /// `progress` gets the fraction of the trace's bytes, or `nil` if their number is unknown. Throws `Complaint` if
  /// a file cannot be read, or holds nothing to replay.
  ///
  /// `look` gets the events of a dense trace in pieces, and returns whether it takes them; what it made of them is right
  /// only if the trace then `isSeen`.
  package init(
    _ file: TraceFile, truthPath: String?, options: DecodingOptions = DecodingOptions(),
    progress: ((Double?) -> Void)? = nil, look: (_ events: [TraceEvent]) -> Bool = { _ in false }
  ) throws {
    var survey = TraceSurvey()
    var fixes: [Fix] = []
    var kept: [[TraceEvent]]? = truthPath == nil ? [] : nil
    var count = 0
    var early = truthPath == nil ? Early.open : .declined
    ledger = try file.read(options: options, progress: progress) { part in
      survey.include(events: part)
      try Self.check(survey.excess, file.name)
      if truthPath != nil { fixes += part.lazy.compactMap(\.fix) }
      count += part.count
      if count > Self.keptEvents { kept = nil }
      kept?.append(part)
      switch early {
      case .open where count >= Self.tellingEvents:
        early = survey.isDense && Self.takes(kept ?? [], look) ? .taken : .declined
      case .taken: _ = Self.takes([part], look)
      case .open, .declined: break
      }
    }
    self.kept = kept
    isSeen = early == .taken && survey.isDense
    summary = survey.finished()
    self.options = options
    try Self.check(summary, ledger, file.name)
    guard let truthPath else { return }
    (truth, truthName) = try Self.truth(at: truthPath, of: file.name, fixes, summary)
  }

  /// The summary of the replayed trace: the truth's, or the trace's own.
  package var replayed: TraceSummary { truth?.summary ?? summary }

  /// The receiver's errors against the truth, if there is one.
  package var observed: ObservedErrors? { truth?.observed }

  /// Hands the events to the replay in pieces; `file` is the surveyed trace.
  ///
  /// A piece is short enough to be replayed in a moment, whatever time lies between its fixes: at most `piece` events,
  /// and at most as many seconds. `progress` gets the share of the trace's events after each.
  package func forEachPiece(
    of file: TraceFile, progress: ((Double) -> Void)? = nil,
    _ body: (_ events: [TraceEvent]) throws -> Void
  ) throws {
    let all = Double(max(1, replayed.fixes + replayed.noFixEpochs))
    var done = 0
    func hand(over events: [TraceEvent]) throws {
      try Self.pieces(of: events) { piece in
        try body(piece)
        done += piece.count
        progress?(min(1, Double(done) / all))
      }
    }
    if let truth { return try hand(over: truth.events) }
    if let kept { return try kept.forEach(hand(over:)) }
    _ = try file.read(options: options) { try hand(over: $0) }
  }

  private static func takes(_ parts: [[TraceEvent]], _ look: ([TraceEvent]) -> Bool) -> Bool {
    var isTaken = false
    for part in parts { pieces(of: part) { isTaken = look($0) } }
    return isTaken
  }

  /// The first events that tell whether a trace may be dense [ours].
  package static let tellingEvents = 64

  /// The most events of a trace kept for the second pass [ours: a day at 1 Hz; 128 bytes each].
  package static let keptEvents = 100_000

  /// The limit of events, and seconds, of a piece: enough to make several cores worthwhile [ours].
  package static let piece = 2_048

  static func pieces(of events: [TraceEvent], _ body: ([TraceEvent]) throws -> Void) rethrows {
    var start = 0
    var begin: UTCInstant?
    // By index: an event is large, and a loop over elements copies each.
    for index in events.indices {
      guard let time = events[index].fix?.time else { continue }
      let span = begin.map { UTCInstant.seconds(from: $0, to: time).magnitude } ?? 0
      if begin == nil { begin = time }
      guard span > Double(piece) || index - start >= piece else { continue }
      // The fix itself belongs to the piece: it ends the time before it.
      try body(Array(events[start...index]))
      (start, begin) = (index + 1, time)
    }
    guard start < events.count else { return }
    try body(start == 0 ? events : Array(events[start...]))
  }

  private static func check(_ excess: TraceSurvey.Excess?, _ name: String) throws {
    guard let excess else { return }
    let years = Int((TraceSummary.longestReplay / TraceSummary.year).rounded())
    let lines = excess.begin.map(String.init).joined(separator: ", ")
    let steps = excess.recordings - 1
    let more = steps > excess.begin.count ? ", …" : ""
    throw Complaint(
      "\(name):\(excess.line): up to here the trace lasts for more than \(years) years, the longest replay: time steps "
        + "back on line\(steps == 1 ? "" : "s") \(lines)\(more); leave out the fixes whose times are wrong"
    )
  }

  private static func check(
    _ summary: TraceSummary, _ ledger: TraceLedger, _ name: String
  ) throws {
    guard summary.fixes > 0 else {
      let fault = ledger.firstFault.map { "line \($0.line ?? 1): \($0.message); " } ?? ""
      throw Complaint(
        "\(name): no fix in this trace (\(ledger.unit.rawValue) read: \(ledger.read); epochs without a "
          + "position: \(summary.noFixEpochs)); \(fault)milepost info tells what is in it")
    }
    guard !summary.runsBackwards else {
      throw Complaint(
        "\(name): times run backwards: no fix is later than the one before it; put them in the order of "
          + "time (milepost info tells what is in it)")
    }
    guard summary.fixes > 1 else {
      throw Complaint(
        "\(name): a single fix; a trace to replay needs at least two, with different times (milepost info "
          + "tells what is in it)")
    }
    guard summary.duration > 0 else {
      throw Complaint(
        "\(name): all \(summary.fixes) fixes have the same time; a trace to replay needs at least two "
          + "times (milepost info tells what is in it)")
    }
  }

  private static func truth(
    at path: String, of trace: String, _ fixes: [Fix], _ summary: TraceSummary
  ) throws -> (Truth, String) {
    let file = try TraceFile(path: path)
    var events: [TraceEvent] = []
    var survey = TraceSurvey()
    let ledger = try file.read(options: DecodingOptions()) { part in
      survey.include(events: part)
      try check(survey.excess, file.name)
      events += part
    }
    let truthSummary = survey.finished()
    try check(truthSummary, ledger, file.name)
    guard let start = summary.start, let end = summary.end,
      let first = truthSummary.start, let last = truthSummary.end, first <= end, start <= last
    else {
      throw Complaint(
        "\(file.name): the truth is of another time than \(trace); --truth none replays the trace "
          + "as it is")
    }
    let observed = ObservedErrors(trace: fixes, truth: events.compactMap(\.fix))
    return (Truth(events: events, summary: truthSummary, observed: observed), file.name)
  }
}
