// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// Trace events as CSV: a header, one row per fix; a row without a coordinate is a "no fix" epoch.
package struct CSVWriter: TraceEncoder {
  /// The values that the format loses.
  package static let loses: [String] = []
  private var segments = SegmentNumber()

  package init() {}

  package mutating func begin(into bytes: inout [UInt8]) {
    let header = FixColumn.allCases.map(\.rawValue).joined(separator: ",")
    bytes.append(contentsOf: header.utf8)
    bytes.append(0x0A)
  }

  package mutating func encode(_ event: TraceEvent, into bytes: inout [UInt8]) {
    switch event {
    case .segmentEnd: segments.endSegment()
    case .fix, .noFix: encodePoint(event.fix, time: event.time, into: &bytes)
    }
  }

  private mutating func encodePoint(_ fix: Fix?, time: UTCInstant?, into bytes: inout [UInt8]) {
    let segment = segments.next()
    for column in FixColumn.allCases {
      if column != .time { bytes.append(UInt8(ascii: ",")) }
      switch column {
      case .time: if let time { time.appendFullText(to: &bytes) }
      case .segment: bytes.append(contentsOf: String(segment).utf8)
      case .source:
        if let fix { bytes.append(contentsOf: (fix.source == .gnss ? "gnss" : "network").utf8) }
      default:
        if let number = fix.flatMap(column.number) {
          NumberText.appendText(of: number, to: &bytes)
        }
      }
    }
    bytes.append(0x0A)
  }
}
