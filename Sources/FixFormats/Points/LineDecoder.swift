// SPDX-License-Identifier: Apache-2.0

/// A decoder of a format in which each line stands for itself.
///
/// What lines have in common is decided here: blank ones and `#` comments are counted and passed over,
/// a line longer than the splitter's limit is refused.
package protocol LineDecoder: TraceDecoder {
  var lines: LineSplitter { get set }
  var intake: PointIntake { get set }
  /// Takes `lines.line`, which is whole and neither blank nor a comment.
  mutating func takeLine(into events: inout [TraceEvent]) throws(TraceError)
  /// Appends what waits for more lines, of which there are none; nothing by default.
  mutating func close(into events: inout [TraceEvent]) throws(TraceError)
}

extension LineDecoder {
  package var ledger: TraceLedger { intake.ledger }

  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    var position = 0
    while lines.next(bytes, from: &position) { try takeAny(into: &events) }
  }

  package mutating func finish(into events: inout [TraceEvent]) throws(TraceError) {
    if lines.last() { try takeAny(into: &events) }
    try close(into: &events)
    try intake.finish(into: &events)
  }

  package mutating func close(into events: inout [TraceEvent]) throws(TraceError) {}

  private mutating func takeAny(into events: inout [TraceEvent]) throws(TraceError) {
    if lines.line.allSatisfy({ $0 <= 0x20 }) { return intake.skip("blank") }
    if lines.line[0] == UInt8(ascii: "#") { return intake.skip("comment") }
    if lines.isCut {
      let (number, limit) = (lines.number, lines.limit)
      return try intake.refuse(
        "line too long", line: number, "the line is longer than \(limit) bytes")
    }
    try takeLine(into: &events)
  }
}
