// SPDX-License-Identifier: Apache-2.0

/// Trace events to the bytes of one format, incrementally; nothing is kept but what the next event
/// needs.
package protocol TraceEncoder: Sendable {
  init()
  /// What of every fix the format cannot say, as phrases; what some events lose is counted in `dropped`.
  static var loses: [String] { get }
  /// Whether a fix without a time is left out; not so by default.
  static var needsTimes: Bool { get }
  /// What was not written so far, as a phrase with its count; nothing by default.
  var dropped: [String: Int] { get }
  /// Appends what comes before the first event; nothing by default.
  mutating func begin(into bytes: inout [UInt8])
  /// Appends one event.
  mutating func write(_ event: TraceEvent, into bytes: inout [UInt8])
  /// Appends what comes after the last event; nothing by default.
  mutating func finish(into bytes: inout [UInt8])
}

extension TraceEncoder {
  package static var needsTimes: Bool { false }
  package var dropped: [String: Int] { [:] }
  package mutating func begin(into bytes: inout [UInt8]) {}
  package mutating func finish(into bytes: inout [UInt8]) {}
}
