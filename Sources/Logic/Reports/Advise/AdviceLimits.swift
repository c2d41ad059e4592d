// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The user's limits: energy a day, a latest delay, both or neither.
package struct AdviceLimits: Sendable, Equatable {
  /// Milliwatt-hours a day above the baseline.
  package var budget: Double?
  /// Seconds: the 95th percentile from a crossing to its delivery.
  package var latest: Double?

  package init(budget: Double? = nil, latest: Double? = nil) {
    self.budget = budget
    self.latest = latest
  }

  /// The index of the front's place that the limits choose; `nil` if none keeps them.
  func choice(of front: ParetoFront) -> Int? {
    let places = front.front
    switch (budget, latest) {
    case (nil, nil): return front.knee
    case (let budget?, nil): return places.lastIndex { $0.energy <= budget }
    case (nil, let latest?): return places.firstIndex { $0.isTold(within: latest) }
    case (let budget?, let latest?):
      return places.firstIndex { $0.energy <= budget && $0.isTold(within: latest) }
    }
  }

  /// The rule of the choice, for documents.
  var rule: String {
    switch (budget, latest) {
    case (nil, nil): "knee"
    case (_?, nil): "budget"
    case (nil, _?): "latest"
    case (_?, _?): "budget_and_latest"
    }
  }
}

/// An amount with its unit, as people write it: `20 mWh/day`, `0.2 %/day`, `60 s`, and as they say it: `at most 20 mWh
/// a day`, `at most 60 s late`.
package enum Amount {
  /// The units of a budget.
  package static let budgetUnits = ["mWh/day", "Wh/day", "J/day", "kJ/day", "mW", "%/day"]
  /// The units of a delay.
  package static let delayUnits = ["s", "min", "h"]

  /// Milliwatt-hours a day; `battery` is the joules of a full one, for per cent.
  package static func budget(_ text: String, battery: Double) throws(Complaint) -> Double {
    let (value, unit) = try parts(text, of: "a budget", units: budgetUnits)
    switch unit {
    case "mWh/day": return value
    case "Wh/day": return value * 1_000
    case "J/day": return value / 3.6
    case "kJ/day": return value * 1_000 / 3.6
    case "mW": return value * 24
    default: return value / 100 * battery / 3.6
    }
  }

  /// Seconds.
  package static func delay(_ text: String) throws(Complaint) -> Double {
    let (value, unit) = try parts(text, of: "a delay", units: delayUnits)
    switch unit {
    case "min": return value * 60
    case "h": return value * 3_600
    default: return value
    }
  }

  /// Metres.
  package static func distance(_ text: String) throws(Complaint) -> Double {
    let (value, unit) = try parts(text, of: "a distance", units: ["m", "km"])
    return unit == "km" ? value * 1_000 : value
  }

  /// A share of the time, above 0 and up to 1.
  package static func share(_ text: String) throws(Complaint) -> Double {
    let (value, _) = try parts(text, of: "a share of the time", units: ["%"])
    guard value <= 100 else { throw Complaint("'\(text)' is more than all of the time, 100%") }
    return value / 100
  }

  /// The number and the unit, with or without a space between them.
  private static func parts(
    _ text: String, of what: String, units: [String]
  ) throws(Complaint) -> (Double, String) {
    let amount = text.hasPrefix("at most ") ? text.dropFirst("at most ".count) : text[...]
    let number = amount.prefix { $0.isASCII && ($0.isNumber || ".-+".contains($0)) }
    var unit = String(amount.dropFirst(number.count).drop { $0 == " " })
    if unit.hasSuffix(" a day") { unit = unit.dropLast(" a day".count) + "/day" }
    if unit.hasSuffix(" late") { unit = String(unit.dropLast(" late".count)) }
    let known = units.joined(separator: ", ")
    guard let value = Double(number), value > 0, value <= 1e9 else {
      throw Complaint(
        "'\(text)' is not \(what): write a number above 0, at most 1000000000, and a unit (\(known))"
      )
    }
    guard !unit.isEmpty else {
      throw Complaint("'\(text)' has no unit; write one of \(known) behind the number")
    }
    guard units.contains(unit) else {
      throw Complaint("'\(unit)' is no unit of \(what); known: \(known)")
    }
    return (value, unit)
  }
}
