// SPDX-License-Identifier: Apache-2.0

/// Bytes to trace events, incrementally.
///
/// Any chunking of the same bytes gives the same events; memory is bounded for all inputs.
package protocol TraceDecoder: Sendable {
  /// Takes the next bytes; appends the completed events.
  mutating func decode(_ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent])
    throws(TraceError)
  /// Ends the bytes; appends the pending events.
  mutating func finish(into events: inout [TraceEvent]) throws(TraceError)
  /// The account so far; complete after `finish`.
  var ledger: TraceLedger { get }
}
