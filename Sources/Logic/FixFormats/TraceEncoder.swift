// SPDX-License-Identifier: Apache-2.0

/// Trace events to the bytes of one format, incrementally; it keeps only the state that the next event needs.
package protocol TraceEncoder: Sendable {
  init()
  /// The values that the format loses from every fix, as phrases; `dropped` counts losses of some events.
  static var loses: [String] { get }
  /// Whether a fix without a time is left out; false by default.
  static var needsTimes: Bool { get }
  /// The events not written so far, as a phrase with its count; nothing by default.
  var dropped: [String: Int] { get }
  /// Appends the text before the first event; nothing by default.
  mutating func begin(into bytes: inout [UInt8])
  /// Appends one event.
  mutating func encode(_ event: TraceEvent, into bytes: inout [UInt8])
  /// Appends the text after the last event; nothing by default.
  mutating func finish(into bytes: inout [UInt8])
}

extension TraceEncoder {
  package static var needsTimes: Bool { false }
  package var dropped: [String: Int] { [:] }
  package mutating func begin(into bytes: inout [UInt8]) {}
  package mutating func finish(into bytes: inout [UInt8]) {}
}
