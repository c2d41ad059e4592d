// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay
import ServiceContract
import ServiceCore

/// What each mode costs and what one gets for it, one row a mode.
struct TradeTable {
  /// Indices of the rows of the trace, in their order.
  let rows: [Int]
  private let trace: ComparedTrace
  private let options: ReplayOptions

  /// At most `most` rows, and all of the modes that an answer names.
  init(_ trace: ComparedTrace, _ options: ReplayOptions, most: Int) {
    self.trace = trace
    self.options = options
    let named = Self.named(trace)
    let ranked = named + Self.others(trace, options.device).filter { !named.contains($0) }
    rows = ranked.prefix(max(most, named.count)).sorted()
  }

  /// Policies that were asked for, and each mode of a sentence.
  private static func named(_ trace: ComparedTrace) -> [Int] {
    let asked = trace.rows.indices.filter { trace.rows[$0].plan.isAskedFor }
    let said = trace.answers.flatMap(\.named)
    var named: [Int] = []
    for index in asked + said where !named.contains(index) { named.append(index) }
    return named
  }

  private static func others(_ trace: ComparedTrace, _ device: DeviceProfile) -> [Int] {
    let choices = Answers.choices(trace.rows, on: device)
    if !choices.isEmpty { return choices }
    // A scenario in the foreground has nothing else.
    let pocket = trace.rows.indices.filter { trace.rows[$0].goesOnInPocket }
    return pocket.isEmpty ? Array(trace.rows.indices) : pocket
  }

  /// The names of its columns, in two lines.
  private var head: [(String, String)] {
    [
      ("", "in 95 % of cases"),
      trace.battery > 0 ? ("battery", "in \(Figures.span(trace.judged))") : ("", "power"),
      ("en route", "off by"), ("arrival", "late by"), ("departure", "late by"),
      (trace.fenceRadius.map { "\(Figures.plain($0)) m fence" } ?? "fence", "late by"),
      ("within", "1 km"),
    ]
  }

  /// The cells of a row.
  func cells(_ index: Int) -> [String] {
    let row = trace.rows[index]
    return [
      AnswerWords(trace).mode(row), trace.price(row.joules),
      Purpose.track.figure(row).map(Figures.distance) ?? Figures.unknown,
    ] + events(row, .arrival) + events(row, .fence) + [
      Purpose.area.figure(row).map { Tolerance.words($0, for: .area) } ?? Figures.unknown
    ]
  }

  /// After how long the events of each kind were known: `2 min`, `at once`, `3 missed`.
  private func events(_ row: ModeRow, _ purpose: Purpose) -> [String] {
    zip(purpose.latenesses(0.95, of: row), purpose.tallies(row.whereabouts)).map { late, tally in
      guard tally.judged > 0, let late else { return Figures.unknown }
      guard purpose.isMissed(late) else { return Figures.lateness(late) }
      let worlds = row.worlds.count
      return "\(Figures.count(max(1, (tally.missed + worlds / 2) / worlds))) missed"
    }
  }

  /// It on a screen of that width, in parts if it is too wide, with what to call if there is room for all of it, and
  /// whether there was.
  func tables(width: Int) -> (tables: [Table], hasCalls: Bool) {
    let calls = rows.map { trace.rows[$0].shortCall(on: options.device) ?? "" }
    var (plain, full) = (Table(), Table(alignment: .lastWords))
    plain.header(head.map(\.0))
    full.header(head.map(\.0) + [""])
    plain.header(head.map(\.1))
    full.header(head.map(\.1) + ["call"])
    for (index, call) in zip(rows, calls) {
      plain.row(cells(index))
      full.row(cells(index) + [call])
    }
    let hasCalls = calls.contains { !$0.isEmpty } && full.natural <= width
    return (hasCalls ? [full] : plain.folded(to: width), hasCalls)
  }
}
