// SPDX-License-Identifier: Apache-2.0

/// The rows of a kind of profile, and their units.
struct ProfileSchema: Sendable {
  struct Row: Sendable {
    let key: ProfileKey
    let unit: String
    /// An optional row that is missing counts as 0.
    var isOptional = false
  }

  /// A text row; `allowed` is empty if any text will do.
  struct Text: Sendable {
    let key: String
    var allowed: [String] = []
    var isOptional = false
  }

  var texts: [Text]
  var rows: [Row]

  static func unit(of quantity: String) -> String {
    switch quantity {
    case "power", "base": "mW"
    case "duration", "setup", "window": "s"
    case "energy": "J"
    case "per_mbps_up", "per_mbps_down": "mW/Mbps"
    case "rate": "Mbps"
    case "per_kb": "J/KB"
    case "payload", "header": "B"
    case "spreading_factor", "parity": "bit"
    case "bandwidth": "kHz"
    case "steps", "ride", "smooth", "duty_cycle": "share"
    case "false_alarms": "1/h"
    default: ""
    }
  }

  /// The range in which the meter can calculate, besides 0: beyond it a day's energy, time or share has no value.
  static func usable(_ unit: String) -> ClosedRange<Double> {
    switch unit {
    case "J": 1e-9...1e9
    case "s": 1e-6...1e5
    case "Mbps": 1e-5...1e5
    case "B": 1...1e6
    case "bit": 1...12
    case "kHz": 1...1e5
    case "share": 1e-9...1
    case "1/h": 1e-9...3_600
    default: 1e-9...1e6
    }
  }

  /// Whether 0 is a value of this unit too: nothing is sent in no bytes.
  static func allowsZero(_ unit: String) -> Bool { !["B", "bit", "kHz"].contains(unit) }

  /// Rows of one state.
  static func rows(
    _ component: String, _ state: String, _ quantities: [String], optional: Bool = false
  ) -> [Row] {
    quantities.map {
      Row(
        key: ProfileKey(component, state, $0), unit: unit(of: $0), isOptional: optional)
    }
  }

  /// All deviations of `text`, a file called `name`, from the schema; the text's own errors first.
  func check(_ text: ProfileText, of name: String) -> [ProfileError] {
    var errors = text.errors
    for number in text.numbers {
      guard let row = rows.first(where: { $0.key == number.key }) else {
        errors.append(unknown(number))
        continue
      }
      if row.unit != number.unit {
        errors.append(
          .init(
            line: number.line, key: number.key.description, value: number.unit,
            allowed: [row.unit], "the unit \"\(number.unit)\" is not the one of this row"))
      }
    }
    for (key, entry) in text.entries.sorted(by: { $0.value.line < $1.value.line }) {
      guard let known = texts.first(where: { $0.key == key }) else {
        errors.append(
          .init(
            line: entry.line, key: "profile,\(key)", value: entry.value,
            allowed: texts.map(\.key), "this key is not known"))
        continue
      }
      if !known.allowed.isEmpty, !known.allowed.contains(entry.value) {
        errors.append(
          .init(
            line: entry.line, key: "profile,\(key)", value: entry.value, allowed: known.allowed,
            "the value \"\(entry.value)\" is not known"))
      }
    }
    errors.sort { ($0.line ?? .max) < ($1.line ?? .max) }
    errors += missing(text)
    if let said = text.entries["name"], said.value != name {
      errors.append(
        .init(
          line: said.line, key: "profile,name", value: said.value, allowed: [name],
          "the name \"\(said.value)\" is not that of the file"))
    }
    return errors
  }

  private func unknown(_ number: ProfileNumber) -> ProfileError {
    let key = number.key
    let sameState = rows.filter {
      $0.key.component == key.component && $0.key.state == key.state
    }
    let sameComponent = rows.filter { $0.key.component == key.component }
    let (what, allowed) =
      if !sameState.isEmpty {
        ("the quantity \"\(key.quantity)\"", sameState.map(\.key.quantity))
      } else if !sameComponent.isEmpty {
        ("the state \"\(key.state)\"", sameComponent.map(\.key.state))
      } else {
        ("the component \"\(key.component)\"", rows.map(\.key.component))
      }
    return .init(
      line: number.line, key: key.description, allowed: allowed.withoutRepeats,
      "\(what) is not known here")
  }

  private func missing(_ text: ProfileText) -> [ProfileError] {
    // A faulty row does not count as missing as well.
    let wrong = Set(text.errors.map(\.key))
    let absentTexts = texts.filter { !$0.isOptional && text.entries[$0.key] == nil }
    let absentRows = rows.filter { row in
      !row.isOptional && !wrong.contains(row.key.description)
        && !text.numbers.contains { $0.key == row.key }
    }
    return absentTexts.map {
      .init(key: "profile,\($0.key)", allowed: $0.allowed, "this row is missing")
    }
      + absentRows.map {
        .init(key: $0.key.description, "this row is missing (unit \($0.unit))")
      }
  }
}

extension [String] {
  fileprivate var withoutRepeats: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
