// SPDX-License-Identifier: Apache-2.0

import JSONText

/// A decoder of a line format.
package protocol LineDecoder: TraceDecoder {
  var lines: LineSplitter { get set }
  /// Takes one line of any kind; `lines` has its number.
  mutating func read(line: borrowing Span<UInt8>, into events: inout [TraceEvent])
    throws(TraceError)
  /// Appends the events that wait for more lines, of which there are none.
  mutating func close(into events: inout [TraceEvent]) throws(TraceError)
}

extension LineDecoder {
  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) { try takeLines(bytes, into: &events) }

  /// Takes the lines that end in `bytes`.
  mutating func takeLines(
    _ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    var position = 0
    while try takeLine(bytes, from: &position, into: &events) {}
  }

  /// Takes the next line that ends in `bytes`; `false` if none does.
  mutating func takeLine(
    _ bytes: borrowing Span<UInt8>, from position: inout Int, into events: inout [TraceEvent]
  ) throws(TraceError) -> Bool {
    guard lines.next(bytes, from: &position) else { return false }
    if let range = lines.range {
      try read(line: bytes.extracting(range), into: &events)
    } else {
      try takeCarried(into: &events)
    }
    return true
  }

  package mutating func finish(into events: inout [TraceEvent]) throws(TraceError) {
    if lines.last() { try takeCarried(into: &events) }
    try close(into: &events)
  }

  private mutating func takeCarried(into events: inout [TraceEvent]) throws(TraceError) {
    let line = lines.carried
    try read(line: line.span, into: &events)
  }
}

/// A decoder of a format in which each line stands for itself, or for a point.
///
/// It handles the common cases: blank lines and `#` comments are counted and skipped, a line longer
/// than the splitter's limit is refused.
package protocol PointLineDecoder: LineDecoder {
  var intake: PointIntake { get set }
  /// Takes a line that is whole and neither blank nor a comment.
  mutating func takeLine(_ line: borrowing Span<UInt8>, into events: inout [TraceEvent])
    throws(TraceError)
  /// Whether the line continues the one before; then it may be blank. Never by default.
  var isInRow: Bool { get }
  /// Appends the events that wait for more lines; nothing by default.
  mutating func takeEnd(into events: inout [TraceEvent]) throws(TraceError)
}

extension PointLineDecoder {
  package var ledger: TraceLedger { intake.ledger }

  package var isInRow: Bool { false }

  package mutating func takeEnd(into events: inout [TraceEvent]) throws(TraceError) {}

  package mutating func close(into events: inout [TraceEvent]) throws(TraceError) {
    try takeEnd(into: &events)
    try intake.finish(into: &events)
  }

  package mutating func read(
    line: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    var start = 0
    while start < line.count, line[start] <= 0x20 { start += 1 }
    if !isInRow {
      if start == line.count { return intake.skip("blank") }
      if line[0] == UInt8(ascii: "#") { return intake.skip("comment") }
    }
    if lines.isCut {
      let (number, limit) = (lines.number, lines.limit)
      return try intake.refuse(
        "line too long", line: number, "the line is longer than \(limit) bytes")
    }
    try takeLine(line, into: &events)
  }

  /// The JSON value of a line; `nil` if it is none, which is then counted.
  mutating func json(_ line: borrowing Span<UInt8>) throws(TraceError) -> JSONValue? {
    let damage: SyntaxError
    do throws(SyntaxError) { return try JSONValue.parse(line) } catch { damage = error }
    let number = lines.number
    try intake.refuse(
      "malformed JSON", line: number, "\(damage.message) at byte \(damage.offset + 1)")
    return nil
  }
}
