// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

/// The members of a JSON object that say a fix, and how they are read back.
enum FixMembers {
  /// Writes all columns in their order; `segment` only where one is given.
  static func write(_ fix: Fix, segment: Int?, into json: inout JSONWriter) {
    write(FixColumn.allCases, of: fix, segment: segment, into: &json)
  }

  /// The same without the position, which GeoJSON states elsewhere.
  static func writeProperties(_ fix: Fix, segment: Int, into json: inout JSONWriter) {
    let columns = FixColumn.allCases.filter { $0 != .latitude && $0 != .longitude }
    write(columns, of: fix, segment: segment, into: &json)
  }

  private static func write(
    _ columns: [FixColumn], of fix: Fix, segment: Int?, into json: inout JSONWriter
  ) {
    for column in columns {
      switch column {
      case .time: json.member(column.rawValue, fix.time?.fullText)
      case .source: json.member(column.rawValue, fix.source == .gnss ? "gnss" : "network")
      case .segment: if let segment { json.member(column.rawValue, segment) }
      default:
        json.key(column.rawValue)
        json.exact(column.number(of: fix))
      }
    }
  }

  /// Reads the members whose names other programs use too (`FixColumn.named`) into `row`.
  static func read(_ object: JSONValue, into row: inout FixRow) {
    for member in object.members ?? [] {
      guard let (column, factor) = FixColumn.named(member.key) else { continue }
      switch member.value {
      case .number(let value): row.set(column, value * factor)
      case .string(let text): row.set(column, factor, text: Array(text.utf8).span)
      default: break
      }
    }
  }
}
