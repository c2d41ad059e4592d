// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import LocationModel

/// Trace events to the bytes of a chosen format, incrementally.
package struct TraceWriter: Sendable {
  package let format: OutputFormat
  private var encoder: any TraceEncoder
  private var unreadable = 0

  package init(format: OutputFormat) {
    self.format = format
    encoder = format.encoder.init()
  }

  /// Appends the document's start, before the first event.
  package mutating func begin(into bytes: inout [UInt8]) { encoder.begin(into: &bytes) }

  /// The losses so far, each a phrase with its count.
  package var dropped: [String: Int] {
    var dropped = encoder.dropped
    if unreadable > 0 { dropped[Self.unreadable] = unreadable }
    return dropped
  }

  /// The phrase for fixes that are not written because no reader accepts their times.
  package static let unreadable = "fixes of years that have not four digits"

  /// Appends one event, unless no reader would accept its time.
  package mutating func encode(_ event: TraceEvent, into bytes: inout [UInt8]) {
    switch event {
    case .fix(let fix, _) where fix.time?.isReadable == false: return unreadable += 1
    case .noFix(let time?, _) where !time.isReadable: return unreadable += 1
    case .fix, .noFix, .segmentEnd: break
    }
    encoder.encode(event, into: &bytes)
  }

  /// Appends the document's end, after the last event.
  package mutating func finish(into bytes: inout [UInt8]) { encoder.finish(into: &bytes) }
}
