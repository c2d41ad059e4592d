// SPDX-License-Identifier: Apache-2.0

import CExpat
package import FixFormats

/// GPX 1.0 and 1.1 to trace events, by expat, without ever holding the document.
///
/// What is read of a point: `ele`, `time`, `speed`, `course`, `geoidheight`, `fix`, `sat`, `hdop`,
/// `vdop`, `src`, and speed, course and accuracies in extensions of any prefix. A segment, a track
/// and a route each end with `.segmentEnd`. Waypoints count only where the document has no track and
/// no route. A point whose `fix` is `none` is a "no fix" epoch.
///
/// A document that breaks off or is damaged keeps the points before the damage, with a finding; with
/// `strict` it is an error, as it is where no point came before.
///
/// Must not be copied and both copies fed: they would share one parser.
package struct GPXDecoder: TraceDecoder {
  private let parser: ExpatParser
  private var isDamaged = false

  package init(options: DecodingOptions) {
    parser = ExpatParser(options: options)
    isStrict = options.strict
  }

  private let isStrict: Bool

  package var ledger: TraceLedger { parser.state.intake.ledger }

  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    if isDamaged { return }
    // The caller's array is lent to the parser for the call, so that nothing is copied.
    swap(&events, &parser.state.events)
    defer { swap(&events, &parser.state.events) }
    // expat counts in Int32; a larger span is handed over in parts.
    var start = 0
    while start < bytes.count, !isDamaged {
      let end = min(bytes.count, start + 1 << 24)
      let damage = parser.parse(bytes.extracting(start..<end), isFinal: false)
      if let failure = parser.state.failure { throw failure }
      if let damage { try report(damage, isFinal: false) }
      start = end
    }
  }

  package mutating func finish(into events: inout [TraceEvent]) throws(TraceError) {
    swap(&events, &parser.state.events)
    defer { swap(&events, &parser.state.events) }
    if !isDamaged {
      let nothing: [UInt8] = []
      let damage = parser.parse(nothing.span, isFinal: true)
      if let failure = parser.state.failure { throw failure }
      if let damage { try report(damage, isFinal: true) }
    }
    try parser.state.finish()
  }

  private mutating func report(
    _ damage: ExpatParser.Damage, isFinal: Bool
  ) throws(TraceError) {
    isDamaged = true
    switch XML_Error(rawValue: damage.code) {
    case XML_ERROR_UNKNOWN_ENCODING:
      throw TraceError(
        .malformed, line: damage.line,
        "the encoding that the XML declaration names is not known here; convert the file to UTF-8 "
          + "(iconv does)")
    case XML_ERROR_NO_MEMORY, XML_ERROR_AMPLIFICATION_LIMIT_BREACH:
      throw TraceError(.limit, line: damage.line, "the document asks for too much: \(damage.words)")
    default: break
    }
    if isFinal {
      if isStrict || !parser.state.hasPoints {
        throw TraceError(.malformed, line: damage.line, "the document ends early (\(damage.words))")
      }
      parser.state.intake.ledger.note(
        "truncated", "the document ends early; the points before its end were read",
        line: damage.line)
    } else {
      if isStrict || !parser.state.hasPoints {
        throw TraceError(.malformed, line: damage.line, "not well-formed XML (\(damage.words))")
      }
      parser.state.intake.ledger.note(
        "damaged",
        "the XML is damaged here (\(damage.words)); the points before were read, the rest was not",
        line: damage.line)
    }
  }
}
