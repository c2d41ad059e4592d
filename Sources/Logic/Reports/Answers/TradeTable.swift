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

  /// How much of it there is room for: on a page all of it, with words for its signs.
  private enum Extent {
    case page, withCalls, withRadius, brief, withoutRanges

    var hasCalls: Bool { self == .page || self == .withCalls }
    var hasRadius: Bool { hasCalls || self == .withRadius }
  }

  /// The names of its columns.
  private func head(_ extent: Extent) -> [String] {
    let radius = extent.hasRadius ? trace.fenceRadius : nil
    let fence = radius.map { "\(Figures.plain($0)) m fence" } ?? "fence"
    let price =
      (trace.battery > 0 ? "battery %" : "mW") + (extent == .withoutRanges ? "" : " (range)")
    let told =
      extent == .page
      ? [
        "mode", price, "off by, en route", "arrival known", "departure known", fence + " known",
        "right to 1 km",
      ]
      : [
        "in 95 % of cases", price, "en route", "arrival", "departure", fence,
        // So that nobody reads it as a part of the fence's name.
        " <1 km",
      ]
    return told + (extent.hasCalls ? ["call"] : [])
  }

  private func cells(_ index: Int, _ extent: Extent) -> [String] {
    let row = trace.rows[index]
    return [
      row.name, price(row.total, hasRange: extent != .withoutRanges),
      Purpose.track.figure(row).map { "±" + Figures.distance($0) } ?? Figures.unknown,
    ] + events(row, .arrival) + events(row, .fence) + [
      Purpose.area.figure(row).map { Tolerance.words($0, for: .area) } ?? Figures.unknown
    ] + (extent.hasCalls ? [row.shortCall(on: options.device) ?? ""] : [])
  }

  /// `0.079 (0.04–0.16)`: per cent of a full battery, or mean milliwatts if there is none.
  private func price(_ energy: EnergyRange, hasRange: Bool) -> String {
    guard trace.judged > 0 else { return Figures.unknown }
    let unit = trace.battery > 0 ? trace.battery / 100 : trace.judged / 1_000
    guard hasRange else { return Figures.significant(energy.nominal / unit) }
    return
      "\(Figures.significant(energy.nominal / unit)) (\(Figures.rough(energy.low / unit))–\(Figures.rough(energy.high / unit)))"
  }

  /// After how long the events of each kind were known: `+2 min`, `at once`, `3 missed`.
  private func events(_ row: ModeRow, _ purpose: Purpose) -> [String] {
    zip(purpose.latenesses(0.95, of: row), purpose.tallies(row.whereabouts)).map { late, tally in
      guard tally.judged > 0, let late else { return Figures.unknown }
      guard purpose.isMissed(late) else { return Figures.late(late) }
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

  /// It on a page.
  var page: Table { table(.page) }

  private func table(_ extent: Extent) -> Table {
    var table = Table(
      "In 95 % of cases, over \(Figures.span(trace.judged))",
      alignment: extent.hasCalls ? .lastWords : .figures, words: extent.hasCalls ? [7] : [],
      head: head(extent))
    for index in rows { table.row(cells(index, extent)) }
    return table
  }
}
