// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import GPXFormat

/// The trace formats that are written. A new one is a case here and one in `TraceWriter`.
package enum OutputFormat: String, CaseIterable, Sendable {
  case gpx
  case nmea
  case geojson
  case csv
  case jsonl

  /// What of a fix or a trace the format cannot say, as phrases; empty where nothing is lost.
  package var loses: [String] { type(of: encoder).loses }

  /// Whether a fix without a time is left out.
  package var needsTimes: Bool { type(of: encoder).needsTimes }

  fileprivate var encoder: any TraceEncoder {
    switch self {
    case .gpx: GPXWriter()
    case .nmea: NMEAWriter()
    case .geojson: GeoJSONWriter()
    case .csv: CSVWriter()
    case .jsonl: JSONLinesWriter()
    }
  }
}

/// Trace events to the bytes of a chosen format, incrementally.
package struct TraceWriter: Sendable {
  package let format: OutputFormat
  private var encoder: any TraceEncoder

  package init(format: OutputFormat) {
    self.format = format
    encoder = format.encoder
  }

  /// Appends what comes before the first event.
  package mutating func begin(into bytes: inout [UInt8]) { encoder.begin(into: &bytes) }

  /// Appends one event.
  package mutating func write(_ event: TraceEvent, into bytes: inout [UInt8]) {
    encoder.write(event, into: &bytes)
  }

  /// Appends what comes after the last event.
  package mutating func finish(into bytes: inout [UInt8]) { encoder.finish(into: &bytes) }
}
