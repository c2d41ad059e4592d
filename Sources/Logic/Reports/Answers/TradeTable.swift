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
    let said = trace.answers.flatMap {
      [$0.row, $0.against, $0.certainty == .sure ? nil : $0.other, $0.nextTurn?.row]
        .compactMap(\.self)
    }
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

  /// The names of its columns.
  var head: [String] {
    let price =
      options.device.battery.nominal > 0
      ? "battery/\(trace.isLong ? "day" : "h")" : "power"
    let fence = trace.fenceRadius.map { "fence \(Figures.plain($0)) m" } ?? "fence"
    return ["in 95 % of cases", price, "way off", "arrival, departure", fence, "area"]
  }

  /// The cells of a row.
  func cells(_ index: Int) -> [String] {
    let row = trace.rows[index]
    return [
      AnswerWords(trace).mode(row), price(row),
      Purpose.track.figure(row).map(Figures.distance) ?? Figures.unknown,
      events(row, .arrival), events(row, .fence),
      Purpose.area.figure(row).map { Tolerance.words($0, for: .area) } ?? Figures.unknown,
    ]
  }

  /// Its share of a full battery a day or an hour, or its mean power if there is none.
  private func price(_ row: ModeRow) -> String {
    guard trace.judged > 0 else { return Figures.unknown }
    let battery = options.device.battery.nominal
    guard battery > 0 else { return Figures.power(row.joules / trace.judged * 1_000) }
    let seconds = trace.isLong ? 86_400.0 : 3_600
    return Figures.significant(100 * row.joules / battery * seconds / trace.judged) + " %"
  }

  /// After how long the events of each kind were known: `2, 9 min`, `at once`, `3/4 missed`.
  private func events(_ row: ModeRow, _ purpose: Purpose) -> String {
    let kinds = zip(purpose.latenesses(0.95, of: row), purpose.tallies(row.whereabouts)).filter {
      $1.judged > 0
    }
    let words = kinds.map { late, tally -> String in
      guard let late else { return Figures.unknown }
      guard purpose.isMissed(late) else { return Figures.lateness(late) }
      let worlds = row.worlds.count
      let missed = max(1, (tally.missed + worlds / 2) / worlds)
      return "\(missed)/\(max(missed, tally.judged / worlds)) missed"
    }
    guard let first = words.first else { return Figures.unknown }
    guard words.count == 2, words[0] != words[1] else { return first }
    for unit in [" missed", " min", " s", " h"] where words.allSatisfy({ $0.hasSuffix(unit) }) {
      return "\(words[0].dropLast(unit.count)), \(words[1])"
    }
    return words.joined(separator: ", ")
  }

  /// The lines of a screen of that width.
  func text(_ style: TextStyle, width: Int) -> [String] {
    var table = TextTable()
    table.header(head)
    for index in rows { table.row(cells(index)) }
    return table.text(style, width: width).split(separator: "\n").map(String.init)
  }
}
