// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The kind of a number with a unit, and its units.
enum Quantity: Sendable {
  case time, distance, data, memory, angle, energy

  /// The units by name, and their size in seconds, metres, bytes, megabytes, degrees or joules; the first is the usual one.
  var units: [(name: String, size: Double)] {
    switch self {
    case .time: [("s", 1), ("min", 60), ("h", 3_600), ("d", 86_400)]
    case .distance: [("m", 1), ("km", 1_000)]
    case .data: [("kB", 1_000), ("B", 1), ("MB", 1_000_000)]
    case .memory: [("MB", 1)]
    case .angle: [("degrees", 1), ("°", 1)]
    case .energy: [("J", 1), ("kJ", 1_000), ("mWh", 3.6), ("Wh", 3_600)]
    }
  }

  /// The greatest sensible number: ten years, the way round the earth, a terabyte, the way back.
  var most: Double {
    switch self {
    case .time: 10 * 366 * 86_400
    case .distance: 40_075_000
    case .data: 1e12
    case .memory: 1e6
    case .angle: 180
    case .energy: 1e9
    }
  }

  /// `a number of s, min, h or d, as in 10 s`.
  var words: String {
    let names = units.map(\.name)
    let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    return "a number of \(names.count == 1 ? names[0] : list), as in 10 \(names[0])"
  }

  /// `; did you mean '20 kB'?` for a unit in other letters, or nothing.
  func advice(_ found: String) -> String {
    let words = found.split(separator: " ")
    guard words.count == 2,
      let unit = units.first(where: { $0.name.lowercased() == words[1].lowercased() })
    else { return "" }
    return "; did you mean '\(words[0]) \(unit.name)'?"
  }

  /// Reads `10 s`, `1.5 km`, `1 h 30 min` at the start of `words`; returns the number of words read, or `nil` if there
  /// is no quantity.
  func readQuantity(_ words: ArraySlice<String>) -> (value: Double, count: Int)? {
    var total = 0.0
    var count = 0
    var rest = words
    while let (value, used) = one(rest) {
      total += value
      count += used
      rest = rest.dropFirst(used)
      // Only times are written in parts.
      guard case .time = self else { break }
    }
    return count > 0 && total <= most ? (total, count) : nil
  }

  private func one(_ words: ArraySlice<String>) -> (value: Double, count: Int)? {
    guard let first = words.first else { return nil }
    if let number = Self.number(first[...]), let next = words.dropFirst().first,
      let unit = units.first(where: { $0.name == next })
    {
      return (number * unit.size, 2)
    }
    // `10s`, as people write it.
    let digits = first.prefix { "0123456789.".contains($0) }
    guard let number = Self.number(digits),
      let unit = units.first(where: { $0.name == first[digits.endIndex...] })
    else { return nil }
    return (number * unit.size, 1)
  }

  /// A decimal without a sign or an exponent, at most 15 characters of it.
  static func number(_ text: Substring) -> Double? {
    guard (1...15).contains(text.utf8.count), text.allSatisfy({ "0123456789.".contains($0) }) else {
      return nil
    }
    return Double(text)
  }
}

extension CivilZone {
  /// Seconds east of UTC of `+02:00`, 18 h at most; `nil` if it is no offset.
  static func offset(_ text: String) -> Double? {
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard text.hasPrefix("+") || text.hasPrefix("-"), parts.count == 2,
      parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let hours = Double(parts[0]), let minutes = Double(parts[1]), hours <= 18, minutes < 60
    else { return nil }
    return (text.hasPrefix("-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  /// A zone without summer time, `seconds` east of UTC.
  init?(offset seconds: Double) {
    let minutes = Int(abs(seconds)) / 60
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    self.init(
      name: (seconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60),
      offsets: [Offset(from: .epoch, seconds: Int(seconds))])
  }
}
