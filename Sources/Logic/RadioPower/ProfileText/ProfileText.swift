// SPDX-License-Identifier: Apache-2.0

internal import FixFormats
internal import JSONText

// A profile file is a flat table that people write by hand and read in a diff:
//
//     # a comment
//     profile,title,A phone of 2021                                  text: key and value
//     component,state,quantity,nominal,low,high,unit,confidence,source   optional heading
//     gnss,track_good,power,78.81,40,120,mW,read,Pixel 6 power profile 21.3 mA
//
// One row is one number. The last column is the rest of the line, so that it may contain commas.
// There is no quoting. Reading goes on after an error, so that all errors are shown at once.

/// A parsed profile file, before its rows are checked against each other.
struct ProfileText: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    let value: String
    let line: Int
  }

  static let heading = "component,state,quantity,nominal,low,high,unit,confidence,source"
  /// More is refused: a profile is written by hand.
  static let byteLimit = 1 << 20

  private(set) var entries: [String: Entry] = [:]
  private(set) var numbers: [ProfileNumber] = []
  private(set) var errors: [ProfileError] = []

  init(_ bytes: borrowing Span<UInt8>) {
    guard bytes.count <= Self.byteLimit else {
      errors.append(
        .init(key: "file", value: "\(bytes.count) bytes", "a profile has at most 1 MiB"))
      return
    }
    var lines = LineSplitter(limit: Self.byteLimit)
    var position = 0
    while let line = lines.nextLine(bytes, from: &position) { readRow(line, line: lines.number) }
    if let line = lines.lastLine() { readRow(line, line: lines.number) }
  }

  private mutating func readRow(_ bytes: [UInt8], line: Int) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      errors.append(.init(line: line, key: "line", "this is not UTF-8 text"))
      return
    }
    let row = text.trimmed
    if row.isEmpty || row.hasPrefix("#") || row == Self.heading { return }
    if row.hasPrefix("profile,") {
      readEntry(row, line: line)
    } else {
      readNumber(row, line: line)
    }
  }

  private mutating func readEntry(_ row: String, line: Int) {
    let fields = row.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
    let key = fields.count > 1 ? String(fields[1]).trimmed : ""
    guard fields.count == 3, !key.isEmpty, case let value = String(fields[2]).trimmed, value != ""
    else {
      errors.append(
        .init(line: line, key: row, "a text row is written \"profile,key,value\""))
      return
    }
    if let earlier = entries[key] {
      errors.append(
        .init(
          line: line, key: "profile,\(key)", value: value,
          "stands already in line \(earlier.line)"))
      return
    }
    entries[key] = Entry(value: value, line: line)
  }

  private mutating func readNumber(_ row: String, line: Int) {
    let fields = row.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
      .map { String($0).trimmed }
    guard fields.count == 9 else {
      errors.append(
        .init(
          line: line, key: row,
          "a row has the nine columns \(Self.heading), this one has \(fields.count)"))
      return
    }
    let key = ProfileKey(fields[0], fields[1], fields[2])
    let before = errors.count
    if let earlier = numbers.first(where: { $0.key == key })?.line {
      errors.append(
        .init(line: line, key: key.description, "stands already in line \(earlier)"))
    }
    let value = range(fields[3...5].map { $0 }, unit: fields[6], key, line)
    let confidence = Confidence(rawValue: fields[7])
    if confidence == nil {
      errors.append(
        .init(
          line: line, key: key.description, value: fields[7],
          allowed: Confidence.allCases.map(\.rawValue),
          "the confidence \"\(fields[7])\" is not known"))
    }
    if fields[8].isEmpty {
      errors.append(
        .init(line: line, key: key.description, "the source is missing; say where it comes from"))
    }
    guard errors.count == before, let value, let confidence else { return }
    numbers.append(
      ProfileNumber(
        key, value, unit: fields[6], confidence: confidence, source: fields[8], line: line))
  }

  private mutating func range(
    _ fields: [String], unit: String, _ key: ProfileKey, _ line: Int
  ) -> Quantity? {
    var values: [Double] = []
    for (name, field) in zip(["nominal", "low", "high"], fields) {
      guard let value = Double(field), value.isFinite, value >= 0 else {
        let what = field.isEmpty ? "is missing" : "\"\(field)\" is not a number of at least 0"
        errors.append(.init(line: line, key: key.description, value: field, "\(name) \(what)"))
        continue
      }
      let usable = ProfileSchema.usable(unit)
      let allowsZero = ProfileSchema.allowsZero(unit)
      guard usable.contains(value) || value == 0 && allowsZero else {
        let ends = [usable.lowerBound, usable.upperBound]
          .map { Decimal.text($0, decimals: 9, trimmed: true) }
        errors.append(
          .init(
            line: line, key: key.description, value: field,
            "\(name) \"\(field)\" is not \(allowsZero ? "0 or " : "")a number from \(ends[0]) to "
              + "\(ends[1])"))
        continue
      }
      values.append(value)
    }
    guard values.count == 3 else { return nil }
    guard values[1] <= values[0], values[0] <= values[2] else {
      errors.append(
        .init(
          line: line, key: key.description, value: fields.joined(separator: ","),
          "low ≤ nominal ≤ high does not hold for \(fields[1]), \(fields[0]), \(fields[2])"))
      return nil
    }
    return Quantity(nominal: values[0], low: values[1], high: values[2])
  }
}

extension String {
  /// Without blanks, tabs and carriage returns at both ends.
  fileprivate var trimmed: String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    guard let first = utf8.firstIndex(where: { !isBlank($0) }),
      let last = utf8.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
