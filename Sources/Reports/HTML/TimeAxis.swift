// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Wording

/// Ticks of a time axis: the clock's round times (UTC), or elapsed time where the clock does not run along.
struct TimeAxis {
  struct Tick: Equatable {
    let share: Double
    let label: String
  }

  /// Seconds that the axis spans, above 0.
  let length: Double
  private(set) var ticks: [Tick] = []
  /// What stands beside the axis: `UTC` or `elapsed`.
  let unit: String

  private static let steps: [Double] = [
    1, 5, 10, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400,
    172_800, 432_000, 864_000, 1_728_000, 5_184_000, 15_552_000, 31_536_000, 157_680_000,
  ]
  private static let mostTicks = 6.0

  init(_ curves: CurvesTime) {
    length = max(1, curves.end)
    let isClock = curves.isClockSteady && curves.start != nil
    unit = isClock ? "UTC" : "elapsed"
    let step = Self.steps.first { length / $0 <= Self.mostTicks } ?? length
    let offset = isClock ? Double(curves.start?.microseconds ?? 0) / 1e6 : 0
    var value = (offset / step).rounded(.up) * step
    while value - offset <= length {
      let share = (value - offset) / length
      ticks.append(Tick(share: share, label: Self.label(value, step, isClock: isClock)))
      value += step
    }
  }

  private static func label(_ seconds: Double, _ step: Double, isClock: Bool) -> String {
    guard isClock else { return Figures.span(seconds) }
    let instant = UTCInstant(microseconds: Int64(seconds) * 1_000_000)
    return step >= 86_400
      ? DateText.short(instant.date) : DateText.clock(instant, seconds: step < 60)
  }
}

/// What a time axis must know of the curves above it.
struct CurvesTime {
  var start: UTCInstant?
  var end: Double
  var isClockSteady: Bool
}

/// Dates and times as a reader reads them, always UTC.
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

  /// `Mon 4 May 2026, 07:08 to 07:52 UTC`.
  static func span(_ start: UTCInstant, _ end: UTCInstant) -> String {
    let from = "\(long(start.date)), \(clock(start))"
    return start.date == end.date
      ? "\(from) to \(clock(end)) UTC" : "\(from) to \(long(end.date)), \(clock(end)) UTC"
  }

  private static func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
