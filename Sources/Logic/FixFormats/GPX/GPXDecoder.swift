// SPDX-License-Identifier: Apache-2.0

import CExpat
import JSONText

/// Decodes GPX 1.0 and 1.1 to trace events, without ever holding the document.
///
/// `PlainXML` reads the plain part of a document, expat all else, which begins there or continues where that stops;
/// both fill one `GPXState`, and the results are the same.
///
/// The fields of a point are those of `GPXElement`. A segment, a track and a route each end with `.segmentEnd`.
/// Waypoints count only if the document has no track and no route. A point whose `fix` is `none` is a "no fix" epoch.
///
/// A document that breaks off or is damaged keeps the points before the damage, with a finding; with `strict` it is an
/// error, as it is if no point came before.
///
/// Must not be copied and both copies fed: they would share one parser.
package struct GPXDecoder: TraceDecoder {
  /// The state until expat has it.
  private var plainState: GPXState
  private var plain: PlainXML?
  /// The start of a token, of which `plain` awaits the rest.
  private var waiting: [UInt8] = []
  /// The length at which `waiting` is read again: a long token that comes in small pieces is read as often as it
  /// doubles, not with each piece.
  private var worthReading = 0
  /// Empty memory, which takes turns with `waiting`.
  private var spare: [UInt8] = []
  /// Bytes that `plain` has read.
  private var readBytes = 0
  private var skippedLines = 0
  private var expat: ExpatParser?
  private let isExpatOnly: Bool
  private var isDamaged = false
  private let isStrict: Bool

  /// A longer token is read by expat, which does not need it whole.
  static let waitingLimit = 1 << 16
  /// A waiting token shorter than this is read again with each piece.
  private static let shortToken = 1 << 10

  package init(options: DecodingOptions) { self.init(options: options, isExpatOnly: false) }

  /// With `isExpatOnly` expat reads everything: the oracle for the plain part.
  package init(options: DecodingOptions, isExpatOnly: Bool) {
    plainState = GPXState(options: options)
    isStrict = options.strict
    self.isExpatOnly = isExpatOnly
  }

  private var state: GPXState {
    _read {
      if let expat { yield expat.state } else { yield plainState }
    }
    _modify {
      if let expat { yield &expat.state } else { yield &plainState }
    }
  }

  /// Whether everything read so far is plain.
  package var isPlain: Bool { expat == nil }

  package var ledger: TraceLedger { state.intake.ledger }

  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    if isDamaged { return }
    // The caller's array is lent to the state for the call, so that nothing is copied.
    swap(&events, &state.events)
    defer { swap(&events, &state.events) }
    if expat != nil {
      try parse(bytes)
    } else if waiting.isEmpty {
      try readPlain(bytes)
    } else {
      waiting.append(copying: bytes)
      guard waiting.count >= worthReading else { return }
      var all = spare
      swap(&all, &waiting)
      spare = []
      try readPlain(all.span)
      all.removeAll(keepingCapacity: true)
      spare = all
    }
  }

  package mutating func finish(into events: inout [TraceEvent]) throws(TraceError) {
    swap(&events, &state.events)
    defer { swap(&events, &state.events) }
    if !isDamaged {
      // Expat decides whether the document is whole, and then reads nothing else of it.
      if expat == nil {
        // Moved out, not copied: the new owner empties it.
        var rest: [UInt8] = []
        swap(&rest, &waiting)
        try takeOver(rest.span)
      }
      if !isDamaged { try parseEnd() }
    }
    try state.finishDocument()
  }

  // MARK: - Plain

  private mutating func readPlain(_ bytes: borrowing Span<UInt8>) throws(TraceError) {
    var start = 0
    if plain == nil {
      start = skipBlanks(bytes)
      guard start < bytes.count else { return }
      plain = PlainXML(line: skippedLines + 1)
    }
    guard !isExpatOnly else { return try takeOver(bytes.extracting(start..<bytes.count)) }
    switch plain?.readTokens(bytes.extracting(start..<bytes.count), into: &plainState) {
    case .needsMore(let position):
      readBytes += position
      let rest = bytes.extracting((start + position)..<bytes.count)
      guard rest.count <= Self.waitingLimit else { return try takeOver(rest) }
      waiting.append(copying: rest)
      worthReading = rest.count < Self.shortToken ? 0 : 2 * rest.count
    case .left(let position):
      readBytes += position
      try takeOver(bytes.extracting((start + position)..<bytes.count))
    case .failed, nil:
      if let failure = plainState.failure { throw failure }
    }
  }

  /// Blank lines before the XML declaration are an error to XML but not to people.
  private mutating func skipBlanks(_ bytes: borrowing Span<UInt8>) -> Int {
    var start = 0
    while start < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[start]) {
      if bytes[start] == 0x0A { skippedLines += 1 }
      start += 1
    }
    return start
  }

  // MARK: - Expat

  /// Lets expat continue where `plain` stops, and gives it the rest.
  private mutating func takeOver(_ rest: borrowing Span<UInt8>) throws(TraceError) {
    expat = ExpatParser(
      plainState, behind: readBytes, lines: (plain?.line ?? skippedLines + 1) - 1,
      opening: plain?.opening ?? [])
    // A value with two owners would be copied before it changes.
    plainState = GPXState(options: DecodingOptions())
    waiting = []
    try parse(rest)
  }

  private mutating func parse(_ bytes: borrowing Span<UInt8>) throws(TraceError) {
    // expat counts in Int32; a larger span is handed over in parts.
    var start = 0
    while start < bytes.count, !isDamaged {
      let end = min(bytes.count, start + 1 << 24)
      let damage = expat?.parse(bytes.extracting(start..<end), isFinal: false)
      if let failure = state.failure { throw failure }
      if let damage { try report(damage) }
      start = end
    }
  }

  private mutating func parseEnd() throws(TraceError) {
    let nothing: [UInt8] = []
    let damage = expat?.parse(nothing.span, isFinal: true)
    if let failure = state.failure { throw failure }
    if let damage { try report(damage) }
  }

  /// The code shows whether the end of the bytes is at fault: expat may look at damage only when more bytes come, and
  /// so at the end.
  private mutating func report(_ damage: ExpatParser.Damage) throws(TraceError) {
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
    // Anything after the root is junk, whatever else is wrong with it: expat reports this for a name's first letters,
    // if the bytes end behind them, and else reports a later letter as an invalid character. Its line, too, depends on
    // where the bytes end: the one on which the root ended does not.
    let isJunk = state.isOver && XML_Error(rawValue: damage.code) != XML_ERROR_UNCLOSED_TOKEN
    let words = isJunk ? "junk after document element" : damage.words
    let line = isJunk ? state.endLine ?? damage.line : damage.line
    if damage.isEnd, !isJunk {
      if isStrict || !state.hasPoints {
        throw TraceError(.malformed, line: line, "the document ends early (\(damage.words))")
      }
      state.intake.ledger.note(
        "truncated", "the document ends early; the points before its end were read",
        line: line)
    } else {
      if isStrict || !state.hasPoints {
        throw TraceError(.malformed, line: line, "not well-formed XML (\(words))")
      }
      state.intake.ledger.note(
        "damaged",
        "the XML is damaged here (\(words)); the points before were read, the rest was not",
        line: line)
    }
  }
}

extension TraceFormat {
  package static let gpx = TraceFormat(
    "gpx", name: "GPX", encoder: GPXWriter.self, decoder: GPXDecoder.init(options:)
  ) { $0.xmlRoot?.lowercased() == "gpx" ? .beginning : .none }
}
