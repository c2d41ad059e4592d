// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// An amount with its unit, as people write it: `20 mWh/day`, `60 s`.
package enum Amount {
  /// A budget's number and unit.
  static func budget(_ text: String) throws(Complaint) -> (Double, unit: String) {
    try parts(text, of: "a budget", units: Budget.Unit.allCases.map(\.rawValue))
  }

  /// Seconds.
  package static func delay(_ text: String) throws(Complaint) -> Double {
    let (value, unit) = try parts(text, of: "a delay", units: ["s", "min", "h"])
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
    let number = text.prefix { $0.isASCII && ($0.isNumber || ".-+".contains($0)) }
    let unit = String(text.dropFirst(number.count).drop { $0 == " " })
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
