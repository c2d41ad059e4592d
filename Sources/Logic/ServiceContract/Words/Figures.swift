// SPDX-License-Identifier: Apache-2.0

import JSONText

/// Quantities as people read them: with no more digits than the model's accuracy.
package enum Figures {
  /// The sign for an unknown value.
  package static let unknown = "–"

  /// `value` with `figures` significant figures, never in exponential form; 0 is `0`.
  package static func significant(_ value: Double, _ figures: Int = 2) -> String {
    guard value.isFinite else { return unknown }
    guard value != 0 else { return "0" }
    var exponent = 0
    var scaled = value.magnitude
    while scaled >= 10 {
      scaled /= 10
      exponent += 1
    }
    while scaled < 1 {
      scaled *= 10
      exponent -= 1
    }
    // 9.96 becomes 10 and then has one digit more before the point.
    let places = power(of: figures - 1)
    if (scaled * places).rounded() >= places * 10 { exponent += 1 }
    let decimals = figures - 1 - exponent
    if decimals >= 0 { return Decimal.text(value, decimals: min(9, decimals)) }
    let step = power(of: -decimals)
    return Decimal.text((value / step).rounded() * step, decimals: 0)
  }

  /// `412`: without a decimal.
  package static func whole(_ value: Double) -> String {
    value.isFinite ? Decimal.text(value, decimals: 0) : unknown
  }

  /// `12 J (5.5–27)`: an energy with its range.
  package static func energy(_ joules: Double, from low: Double, to high: Double) -> String {
    "\(energy(joules)) (\(energyRange(low, high, around: joules)))"
  }

  /// `comment 3, checksum 12`: counts by name, in the order of the alphabet.
  package static func counts(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \(count($0.value))" }
      .joined(separator: ", ")
  }

  /// `5.6 kJ`, two significant figures.
  package static func energy(_ joules: Double) -> String {
    let unit = EnergyUnit(for: joules)
    return significant(joules / unit.joules) + " " + unit.name
  }

  /// `3.5–8.8`, in the unit in which `energy` prints `joules`.
  package static func energyRange(_ low: Double, _ high: Double, around joules: Double) -> String {
    let unit = EnergyUnit(for: joules)
    return range(low / unit.joules, high / unit.joules)
  }

  /// `3.5–8.8`: the one way to write a range, two significant figures each.
  package static func range(_ low: Double, _ high: Double) -> String {
    "\(significant(low))–\(significant(high))"
  }

  /// `0.04`, `0.16`: the end of a rough range, one significant figure, or two that begin with 1.
  package static func rough(_ value: Double) -> String {
    let text = significant(value)
    return text.first { $0 != "0" && $0 != "." } == "1" ? text : significant(value, 1)
  }

  /// `120 mW`, two significant figures.
  package static func power(_ milliwatts: Double?) -> String {
    guard let milliwatts else { return unknown }
    if milliwatts >= 1_000 { return significant(milliwatts / 1_000) + " W" }
    if milliwatts != 0 && milliwatts < 0.995 { return significant(milliwatts * 1_000) + " µW" }
    return significant(milliwatts) + " mW"
  }

  /// `14 %`, `0.4 %`, `<0.01 %`: whole per cent, and one significant figure below one.
  package static func percent(_ value: Double?) -> String {
    guard let value, value.isFinite else { return unknown }
    if value >= 0.995 { return Decimal.text(value, decimals: 0) + " %" }
    if value > 0 && value < 0.005 { return "<0.01 %" }
    return significant(value, 1) + " %"
  }

  /// `15 h`, `8.4 days`: the life of a battery, two significant figures.
  package static func life(_ hours: Double) -> String {
    hours < 47.5 ? significant(hours) + " h" : significant(hours / 24) + " days"
  }

  /// A delay, to the tenth if that is known: `<0.1 s`, `0.4 s`, `12 s`, `3.2 min`.
  package static func delay(_ seconds: Double) -> String {
    guard seconds.isFinite else { return unknown }
    if seconds > 0, seconds < 0.05 { return "<0.1 s" }
    if seconds < 9.95 { return Decimal.text(seconds, decimals: 1, trimmed: true) + " s" }
    if seconds < 119.5 { return Decimal.text(seconds, decimals: 0) + " s" }
    return Decimal.text(seconds / 60, decimals: 1, trimmed: true) + " min"
  }

  /// `receiver on for 44 min`, or that it never was.
  package static func receiver(on seconds: Double) -> String {
    seconds == 0 ? "receiver never on" : "receiver on for \(span(seconds))"
  }

  /// `45 s`, `12 min`, `3.5 h`, `12 d`: a span at a glance, in at most 6 columns up to 27 years.
  package static func span(_ seconds: Double) -> String {
    guard seconds.isFinite else { return unknown }
    if seconds == 0 { return "0" }
    if seconds < 1 { return "<1 s" }
    if seconds < 119.5 { return Decimal.text(seconds, decimals: 0) + " s" }
    if seconds < 99.5 * 60 { return Decimal.text(seconds / 60, decimals: 0) + " min" }
    if seconds < 99.95 * 3_600 {
      return Decimal.text(seconds / 3_600, decimals: 1, trimmed: true) + " h"
    }
    let days = seconds / 86_400
    return Decimal.text(days, decimals: days < 99.95 ? 1 : 0, trimmed: true) + " d"
  }

  /// `850 m`, `3.4 km`, `120 km`.
  package static func distance(_ metres: Double) -> String {
    guard metres.isFinite else { return unknown }
    if metres == 0 { return "0" }
    if metres < 999.5 { return Decimal.text(metres, decimals: metres < 9.95 ? 1 : 0) + " m" }
    return Decimal.text(metres / 1_000, decimals: metres < 99_950 ? 1 : 0) + " km"
  }

  /// A way made: as a distance, with its unit also if it is `0 m`.
  package static func way(_ metres: Double) -> String { metres > 0 ? distance(metres) : "0 m" }

  /// A number of seconds or metres as an option was given: `60`, `0.5`.
  package static func plain(_ value: Double) -> String {
    Decimal.text(value, decimals: 3, trimmed: true)
  }

  /// `1,234,567`.
  package static func count(_ value: Int) -> String {
    var groups: [String] = []
    var rest = value.magnitude
    while rest >= 1_000 {
      let group = String(rest % 1_000)
      groups.append(String(repeating: "0", count: 3 - group.utf8.count) + group)
      rest /= 1_000
    }
    groups.append(String(rest))
    return (value < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
  }

  /// `9,265`, `2.59 M`: a count in at most 7 columns.
  package static func shortCount(_ value: Int) -> String {
    value < 1_000_000 ? count(value) : significant(Double(value) / 1e6, 3) + " M"
  }

  /// `a`, `a and b`, `a, b and c`.
  package static func list(_ words: [String], _ conjunction: String = "and") -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }

  /// `1 fix`, `2 fixes`.
  package static func count(_ value: Int, _ one: String, _ many: String) -> String {
    "\(count(value)) \(value == 1 ? one : many)"
  }

  /// `5 deliveries, 4 wakes, 1 launch`.
  package static func life(deliveries: Int, _ wakes: Int, _ launches: Int) -> String {
    count(deliveries, "delivery", "deliveries") + ", " + count(wakes, "wake", "wakes") + ", "
      + count(launches, "launch", "launches")
  }

  private static func power(of exponent: Int) -> Double {
    var result = 1.0
    for _ in 0..<max(0, exponent) { result *= 10 }
    return result
  }
}

private struct EnergyUnit {
  let joules: Double
  let name: String

  init(for value: Double) {
    // 999.6 J would print as 1000 J: the unit follows the rounded value.
    (joules, name) =
      switch value.magnitude {
      case 995_000...: (1e6, "MJ")
      case 995...: (1e3, "kJ")
      case 0.0995..., 0: (1, "J")
      default: (1e-3, "mJ")
      }
  }
}
