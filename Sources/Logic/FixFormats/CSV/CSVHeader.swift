// SPDX-License-Identifier: Apache-2.0

/// What a CSV file's columns mean, found by the names in its header line.
struct CSVHeader: Sendable {
  let delimiter: UInt8
  let names: [String]
  /// Per field its column and factor; `nil` if the field is unknown.
  let columns: [(column: FixColumn, factor: Double)?]
  /// The field with a day, if another has the time of day.
  let dateField: Int?

  /// The reason why a first line is no header of a trace.
  enum Refusal: Error {
    /// It names neither latitude nor longitude.
    case noCoordinates
    /// It names the columns of a list of cell towers (OpenCelliD, Mozilla Location Service).
    case cellTowers
  }

  init(_ line: borrowing Span<UInt8>) throws(Refusal) {
    delimiter = Self.delimiter(of: line)
    var record = CSVRecord()
    record.read(line: line, delimiter: delimiter)
    let names = record.strings
    self.names = names
    let plain = names.map { $0.lowercased() }
    if plain.contains("mcc"), plain.contains("cell") || plain.contains("cid") {
      throw .cellTowers
    }
    var seen: Set<FixColumn> = []
    var columns = names.map { name -> (column: FixColumn, factor: Double)? in
      guard let known = FixColumn.named(name), seen.insert(known.column).inserted else {
        return nil
      }
      return known
    }
    guard seen.contains(.latitude), seen.contains(.longitude) else { throw .noCoordinates }
    dateField = plain.firstIndex { $0 == "date" || $0 == "day" }
    // Without a column of times it holds them.
    if let dateField, !seen.contains(.time) { columns[dateField] = (.time, 1) }
    self.columns = columns
  }

  /// Whether a line before the header only tells Excel the separator: `sep=;`.
  static func isPreface(_ line: borrowing Span<UInt8>) -> Bool {
    line.count == 5 && FixRow.string(line).lowercased().hasPrefix("sep=")
  }

  /// The most frequent of comma, semicolon and tab outside quotes.
  private static func delimiter(of line: borrowing Span<UInt8>) -> UInt8 {
    var isQuoted = false
    var counts: [(byte: UInt8, count: Int)] = [(0x2C, 0), (0x3B, 0), (0x09, 0)]
    for place in 0..<line.count {
      let byte = line[place]
      if byte == 0x22 { isQuoted.toggle() }
      if isQuoted { continue }
      for index in counts.indices where counts[index].byte == byte { counts[index].count += 1 }
    }
    return counts.max { $0.count < $1.count }?.byte ?? 0x2C
  }
}

/// One row of CSV, cut into fields; quotes and doubled quotes are removed (RFC 4180).
struct CSVRecord {
  private(set) var text: [UInt8] = []
  /// The end of each field in `text`.
  private(set) var ends: [Int] = []
  /// Whether a quote is open: the row continues in the next line.
  private(set) var isOpen = false

  mutating func read(line: borrowing Span<UInt8>, delimiter: UInt8) {
    text.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    var isQuoted = false
    var index = 0
    while index < line.count {
      let byte = line[index]
      if byte == 0x22 {
        if isQuoted, index + 1 < line.count, line[index + 1] == 0x22 {
          text.append(0x22)
          index += 1
        } else {
          isQuoted.toggle()
        }
      } else if byte == delimiter, !isQuoted {
        ends.append(text.count)
      } else {
        text.append(byte)
      }
      index += 1
    }
    ends.append(text.count)
    isOpen = isQuoted
  }

  var strings: [String] {
    var start = 0
    return ends.map { end in
      defer { start = end }
      return String(decoding: text[start..<end], as: UTF8.self)
    }
  }
}
