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

  /// At most `most` rows, and all of the modes that a sentence names; a brief one names no more than the choice and what it
  /// is set against. Next come the others that full sentences name, and those with automatic pausing last.
  init(_ trace: ComparedTrace, _ options: ReplayOptions, most: Int, isBrief: Bool = false) {
    self.trace = trace
    self.options = options
    let asked = trace.rows.indices.filter { trace.rows[$0].plan.isAskedFor }
    let least = Set(asked + trace.answers.flatMap { isBrief ? $0.chosen : $0.named })
    let others = Self.others(trace, options.device)
    let (pausing, going) = (
      others.filter { trace.rows[$0].plan.pausesAutomatically },
      others.filter { !trace.rows[$0].plan.pausesAutomatically }
    )
    var ranked = least.sorted()
    for index in trace.answers.flatMap(\.named) + going + pausing where !ranked.contains(index) {
      ranked.append(index)
    }
    rows = ranked.prefix(max(most, least.count)).sorted()
  }

  private static func others(_ trace: ComparedTrace, _ device: DeviceProfile) -> [Int] {
    let choices = Answers.choices(trace.rows, on: device)
    if !choices.isEmpty { return choices }
    // A scenario in the foreground has nothing else.
    let pocket = trace.rows.indices.filter { trace.rows[$0].goesOnInPocket }
    return pocket.isEmpty ? Array(trace.rows.indices) : pocket
  }

  /// How much of it a screen has room for.
  private enum Extent {
    case withCalls, withRadius, brief, withoutRanges
  }

  /// The names of its columns.
  private func head(_ extent: Extent) -> [String] {
    let fence = trace.fenceRadius.map { "\(Figures.plain($0)) m fence" } ?? "fence"
    return [
      "in 95 % of cases",
      (trace.battery > 0 ? "battery %" : "mW") + (extent == .withoutRanges ? "" : " (range)"),
      "en route", "arrival", "departure",
      extent == .brief || extent == .withoutRanges ? "fence" : fence, "<1 km",
    ] + (extent == .withCalls ? ["call"] : [])
  }

  private func cells(_ index: Int, _ extent: Extent) -> [String] {
    let row = trace.rows[index]
    return [
      AnswerWords(trace).mode(row), price(row.total, hasRange: extent != .withoutRanges),
      Purpose.track.figure(row).map { "±" + Figures.distance($0) } ?? Figures.unknown,
    ] + events(row, .arrival) + events(row, .fence) + [
      Purpose.area.figure(row).map { Tolerance.words($0, for: .area) } ?? Figures.unknown
    ] + (extent == .withCalls ? [row.shortCall(on: options.device) ?? ""] : [])
  }

  /// `0.079 (0.04–0.16)`: per cent of a full battery, or mean milliwatts if there is none.
  private func price(_ energy: EnergyRange, hasRange: Bool) -> String {
    guard trace.judged > 0 else { return Figures.unknown }
    let unit = trace.battery > 0 ? trace.battery / 100 : trace.judged / 1_000
    let range = hasRange ? " (\(Figures.range(energy.low / unit, energy.high / unit)))" : ""
    return Figures.significant(energy.nominal / unit) + range
  }

  /// After how long the events of each kind were known: `+2 min`, `at once`, `3 missed`.
  private func events(_ row: ModeRow, _ purpose: Purpose) -> [String] {
    zip(purpose.latenesses(0.95, of: row), purpose.tallies(row.whereabouts)).map { late, tally in
      guard tally.judged > 0, let late else { return Figures.unknown }
      guard purpose.isMissed(late) else {
        return late < Figures.leastLateness ? Figures.lateness(late) : "+" + Figures.lateness(late)
      }
      let worlds = row.worlds.count
      return "\(Figures.count(max(1, (tally.missed + worlds / 2) / worlds))) missed"
    }
  }

  /// It on a screen of that width, with what to call, the fences' radius and the ranges if there is room for these, in
  /// parts if it is too wide even without, and whether there was for all of it.
  func tables(width: Int) -> (tables: [Table], hasCalls: Bool) {
    let isCalled = rows.contains { trace.rows[$0].shortCall(on: options.device) != nil }
    let extents: [Extent] = [.withRadius, .brief, .withoutRanges]
    for extent in (isCalled ? [.withCalls] : []) + extents {
      let table = table(extent)
      if table.narrowest <= width { return ([table], extent == .withCalls) }
    }
    return (table(.brief).folded(to: width), false)
  }

  private func table(_ extent: Extent) -> Table {
    var table = Table(alignment: extent == .withCalls ? .lastWords : .figures, head: head(extent))
    for index in rows { table.row(cells(index, extent)) }
    return table
  }
}
