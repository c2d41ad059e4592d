// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

/// The members of a JSON object that form a fix, and their reading.
enum FixMembers {
  /// Writes all columns in their order; `segment` only if given.
  static func encode(fix: Fix, segment: Int?, into json: inout JSONWriter) {
    encode(columns: FixColumn.allCases, of: fix, segment: segment, into: &json)
  }

  /// The same without the position, which GeoJSON states elsewhere.
  static func writeProperties(_ fix: Fix, segment: Int, into json: inout JSONWriter) {
    let columns = FixColumn.allCases.filter { $0 != .latitude && $0 != .longitude }
    encode(columns: columns, of: fix, segment: segment, into: &json)
  }

  private static func encode(
    columns: [FixColumn], of fix: Fix, segment: Int?, into json: inout JSONWriter
  ) {
    for column in columns {
      switch column {
      case .time: json.member(column.rawValue, fix.time?.fullText)
      case .source: json.member(column.rawValue, fix.source == .gnss ? "gnss" : "network")
      case .segment: if let segment { json.member(column.rawValue, segment) }
      default:
        let number = column.number(of: fix)
        if number == nil, column.isRare { continue }
        json.key(column.rawValue)
        json.exact(number)
      }
    }
  }

  /// Members with the position, as in trackers' exports.
  static let wrappers = ["location", "coords", "position"]

  /// Reads the members with names that other programs use too (`FixColumn.named`) into `row`.
  static func readMembers(of object: JSONValue, into row: inout FixRow) {
    for member in object.members ?? [] {
      guard let (column, factor) = FixColumn.named(member.key) else {
        if member.value != .null, !wrappers.contains(member.key) { row.unused.append(member.key) }
        continue
      }
      switch (member.value, column) {
      case (.number(let value), _): row.set(column, value * factor)
      case (.string(let text), _): row.set(column, factor, text: Array(text.utf8).span)
      // Other programs also have whole objects named `track` and `source`.
      case (.null, _), (_, .time), (_, .course), (_, .source), (_, .segment), (_, .latitude),
        (_, .longitude):
        break
      default: row.leaveOut(column, member.value.bool.map { "\($0)" } ?? "an object or a list")
      }
    }
  }
}
