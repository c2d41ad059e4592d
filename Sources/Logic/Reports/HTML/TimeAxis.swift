// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Replay
import ServiceContract

// Theory
// ======
//
// Time runs evenly along the axis, except in a gap of the trace: one that would take much room takes little,
// and is marked.
//
//   known | gap | known |    gap of 9 h   | known          what was
//   known | gap | known ╱╱ known                           what is drawn
//
// The clock is read anew after each gap, so that recordings of different days, one after another, have
// their own times.

/// Places and ticks of a time axis: the clock's round times, or elapsed time if the clock does not run along.
struct TimeAxis {
  struct Tick: Equatable {
    let share: Double
    let label: String
    /// The day, if different from the tick before.
    var date: String?
  }

  /// A gap of the trace.
  struct Gap: Equatable {
    let shares: ClosedRange<Double>
    let seconds: Double
    /// Whether it is drawn shorter than it was.
    let isCut: Bool

    /// Writes its area, over the full height of a picture.
    func drawArea(as styleClass: String, into html: inout HTMLWriter) {
      html.shape(
        "rect",
        [
          "class": styleClass, "x": percentage(shares.lowerBound), "y": "0", "height": "100%",
          "width": percentage(shares.upperBound - shares.lowerBound),
        ])
    }
  }

  private struct Piece {
    let from: Double
    let to: Double
    /// The start and end on the axis, 0 to 1.
    let shares: ClosedRange<Double>
    let isGap: Bool
    /// The clock at its start, if known.
    let begin: UTCInstant?
  }

  private(set) var ticks: [Tick] = []
  private(set) var gaps: [Gap] = []
  /// The label beside the axis: `UTC-8` or `elapsed`.
  let unit: String
  private var pieces: [Piece] = []

  private static let steps: [Double] = [
    1, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
    172_800, 432_000, 864_000, 1_728_000, 5_184_000, 15_552_000, 31_536_000, 157_680_000,
  ]
  private static let mostTicks = 6.0
  /// The shares of the known time that one gap, and all together, may take [ours].
  private static let room = (each: 0.03, all: 0.3)
  /// Two ticks nearer to each other than this share of the axis would touch [ours].
  private static let leastApart = 0.08

  init(_ time: CurvesTime) {
    let isClock = time.isClockSteady && time.start != nil
    unit = isClock ? time.clock.words : "elapsed"
    let total = max(1, time.end)
    let unknown = time.gaps.reduce(0) { $0 + $1.to - $1.from }
    let known = max(1, total - unknown)
    let most = known * min(Self.room.each, Self.room.all / Double(max(1, time.gaps.count)))
    let drawn = known + time.gaps.reduce(0) { $0 + min($1.to - $1.from, most) }
    var (at, share) = (0.0, 0.0)
    var clock = time.start
    for gap in time.gaps {
      addPiece(&share, from: at, to: gap.from, (gap.from - at) / drawn, begin: clock)
      let length = gap.to - gap.from
      let start = share
      addPiece(&share, from: gap.from, to: gap.to, min(length, most) / drawn, isGap: true)
      gaps.append(Gap(shares: start...max(start, share), seconds: length, isCut: length > most))
      (at, clock) = (gap.to, gap.resumed)
    }
    addPiece(&share, from: at, to: total, (total - at) / drawn, begin: clock)
    let step = Self.steps.first { drawn / $0 <= Self.mostTicks } ?? drawn
    place(step, isClock ? time.clock : nil)
  }

  private mutating func addPiece(
    _ share: inout Double, from: Double, to: Double, _ width: Double, isGap: Bool = false,
    begin: UTCInstant? = nil
  ) {
    let end = share + max(0, width)
    pieces.append(
      Piece(from: from, to: max(from, to), shares: share...end, isGap: isGap, begin: begin))
    share = end
  }

  /// The position of an instant, 0 to 1.
  func share(of seconds: Double) -> Double {
    guard let last = pieces.last else { return 0 }
    let piece = pieces.first { seconds <= $0.to } ?? last
    let length = piece.to - piece.from
    let along = length > 0 ? min(1, max(0, (seconds - piece.from) / length)) : 0
    return piece.shares.lowerBound
      + along * (piece.shares.upperBound - piece.shares.lowerBound)
  }

  /// Whether a gap begins between two instants, the second not included.
  func hasGap(from a: Double, to b: Double) -> Bool {
    pieces.contains { $0.isGap && $0.from >= a && $0.from < b }
  }

  // MARK: Ticks

  /// `clock` is `nil` for elapsed time.
  private mutating func place(_ step: Double, _ clock: LocalClock?) {
    for piece in pieces where !piece.isGap {
      let shown = clock.flatMap { clock in piece.begin.map { clock.shown(at: $0) } }
      let base = shown.map { Double($0.microseconds) / 1e6 } ?? piece.from
      var value = (base / step).rounded(.up) * step
      while value - base <= piece.to - piece.from {
        addTick(at: share(of: piece.from + value - base), value, step, isClock: clock != nil)
        value += step
      }
    }
    // The day is given only if there is more than one.
    let hasDays = Set(ticks.compactMap(\.date)).count > 1
    var last: String?
    for index in ticks.indices {
      let date = ticks[index].date
      if !hasDays || date == last { ticks[index].date = nil }
      last = date
    }
  }

  private mutating func addTick(
    at share: Double, _ seconds: Double, _ step: Double, isClock: Bool
  ) {
    if let last = ticks.last, share - last.share < Self.leastApart { return }
    guard isClock else {
      return ticks.append(Tick(share: share, label: Figures.span(seconds)))
    }
    let instant = UTCInstant(microseconds: Int64(seconds) * 1_000_000)
    let day = DateText.short(instant.date)
    ticks.append(
      step >= 86_400
        ? Tick(share: share, label: day)
        : Tick(share: share, label: DateText.clock(instant, seconds: step < 60), date: day))
  }
}

/// The data that a time axis needs about the curves above it.
struct CurvesTime {
  var start: UTCInstant?
  var end: Double
  var isClockSteady: Bool
  var gaps: [CurveRecord.Gap] = []
  var clock = LocalClock.utc
}

extension CurvesTime {
  init(_ record: CurveRecord, by clock: LocalClock) {
    self.init(
      start: record.start, end: record.end, isClockSteady: record.isClockSteady,
      gaps: record.gaps, clock: clock)
  }
}

extension LocalClock {
  /// `UTC`, `about UTC−8`, `UTC+5:30`: by the longitude it is off by the legal offset.
  var words: String {
    let about = origin == .longitude ? "about " : ""
    guard minutes != 0 else { return about + "UTC" }
    let (hour, minute) = (minutes.magnitude / 60, minutes.magnitude % 60)
    let part = minute == 0 ? "" : minute < 10 ? ":0\(minute)" : ":\(minute)"
    return "\(about)UTC\(minutes < 0 ? "−" : "+")\(hour)\(part)"
  }

  /// The reader's note on the times beside it.
  var remark: String {
    switch origin {
    case .none: "times in UTC"
    case .longitude:
      "times in \(words), by the longitude at the start; clocks there may be an hour or two ahead"
    case .stated: "times in \(words), as the trace states"
    }
  }
}

/// Dates and times for a reader; the arguments are already by the local clock.
enum DateText {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// `4 May`.
  static func short(_ date: CivilDate) -> String { "\(date.day) \(months[date.month - 1])" }

  /// `Mon 4 May 2026`.
  static func long(_ date: CivilDate) -> String {
    let weekday = Int((date.daysSince1970 % 7 + 7) % 7)
    return "\(days[weekday]) \(short(date)) \(date.year)"
  }

  /// `07:08`, or `07:08:09`.
  static func clock(_ instant: UTCInstant, seconds: Bool = false) -> String {
    let second = instant.microsecondOfDay / 1_000_000
    let text = padded(second / 3_600) + ":" + padded(second / 60 % 60)
    return seconds ? text + ":" + padded(second % 60) : text
  }

  /// `Mon 4 May 2026, 07:08 to 07:52`.
  static func span(_ start: UTCInstant, _ end: UTCInstant, by local: LocalClock) -> String {
    let (start, end) = (local.shown(at: start), local.shown(at: end))
    let from = "\(long(start.date)), \(clock(start))"
    return start.date == end.date
      ? "\(from) to \(clock(end))" : "\(from) to \(long(end.date)), \(clock(end))"
  }

  private static func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
