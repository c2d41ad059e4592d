// SPDX-License-Identifier: Apache-2.0

import JSONText

/// Trace events as JSON lines.
///
///     {"time":"2026-05-04T07:08:09.000Z","latitude":45.5,"longitude":13.5,"accuracy_m":4, ...}
///     {"time":"2026-05-04T07:08:10.000Z","latitude":null,"longitude":null}
///     {"gap":true}
///
/// One object per fix with the names of `FixColumn`, unknown is null; an object with a null coordinate
/// is a "no fix" epoch, and `gap` ends a segment.
package struct JSONLinesWriter: TraceEncoder {
  /// The values that the format loses.
  package static let loses: [String] = []

  package init() {}

  package mutating func encode(_ event: TraceEvent, into bytes: inout [UInt8]) {
    var json = JSONWriter()
    switch event {
    case .segmentEnd: json.object { $0.member("gap", true) }
    case .noFix(let time, _):
      json.object { json in
        json.member("time", time?.fullText)
        for column in [FixColumn.latitude, .longitude] {
          json.member(column.rawValue, nil as String?)
        }
      }
    case .fix(let fix, _): json.object { FixMembers.encode(fix: fix, segment: nil, into: &$0) }
    }
    bytes.append(contentsOf: json.bytes)
    bytes.append(0x0A)
  }
}
