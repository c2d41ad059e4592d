// SPDX-License-Identifier: Apache-2.0

package import FixFormats

/// Trace events to the bytes of a chosen format, incrementally.
package struct TraceWriter: Sendable {
  package let format: OutputFormat
  private var encoder: any TraceEncoder

  package init(format: OutputFormat) {
    self.format = format
    encoder = format.encoder.init()
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
