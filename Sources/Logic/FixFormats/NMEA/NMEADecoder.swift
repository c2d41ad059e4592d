// SPDX-License-Identifier: Apache-2.0

// Bytes -> LineSplitter -> SentenceScanner -> Sentences/* -> EpochAssembler -> StreamCalendar
//
// A line that is one sentence with its checksum, as nearly all are, is found by the scanner itself: its end stands
// behind the checksum, so no byte is looked at twice. Any other line is cut first, then scanned.
//
// Checksums: a sentence without one is taken as long as no sentence of the same log had a right one.
// A log begins at the start of the bytes and at a header: a line that begins with `#` or `*` (gpsd's
// headers, banners of loggers). So a log without checksums may follow one with them if a header
// stands between; a mere step of time does not make a new log here, for it may be a broken sentence.
//
// A line counts once, however many sentences it holds: as used if one of them was, else as skipped
// for the reason of the first.

/// Reads NMEA 0183: the sentences of `SentenceCatalogue.all`, of any talker; others are counted and skipped.
///
/// Sentences of one epoch make one fix, or one "no fix" epoch. Memory is bounded: a line of 1,024
/// bytes, two open epochs, 4,096 events that wait for a date.
///
/// Horizontal accuracy is GST's sqrt(σ_lat² + σ_lon²), else HDOP × `rangeError`, else unknown.
package struct NMEADecoder: LineDecoder {
  package var lines = LineSplitter(limit: Self.lineLimit)
  private let options: DecodingOptions
  private let catalogue: SentenceCatalogue
  private var skipped: [SkipReason: Int] = [:]
  private var addresses: AddressBook
  private var scanner = SentenceScanner()
  private var assembler = EpochAssembler()
  private var log: LogFacts
  private var logHasChecksums = false
  private var logHasSentences = false
  private var hasSentence = false
  /// The first bytes, kept until a sentence is seen, to recognise a binary protocol.
  private var head: [UInt8] = []

  /// Longest line that is read, in bytes. NMEA 0183 allows 82, joined lines and logger prefixes make them longer.
  static let lineLimit = 1_024
  private static let headLimit = 8_192

  package init(options: DecodingOptions) {
    self.options = options
    catalogue = SentenceCatalogue()
    addresses = AddressBook(catalogue)
    log = LogFacts(calendar: StreamCalendar(options: options))
  }

  package var ledger: TraceLedger {
    var ledger = log.ledger
    ledger.read = lines.number
    ledger.used = lines.number - skipped.values.reduce(0, +)
    for (reason, count) in skipped { ledger.skip(reason.rawValue, times: count) }
    addresses.record(in: &ledger)
    ledger.signal = log.sky.signal
    return ledger
  }

  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    if !hasSentence {
      for index in 0..<min(bytes.count, Self.headLimit - head.count) { head.append(bytes[index]) }
    }
    var position = 0
    while true {
      if try takeSentence(bytes, from: &position, into: &events) { continue }
      guard try takeLine(bytes, from: &position, into: &events) else { return }
    }
  }

  package mutating func close(into events: inout [TraceEvent]) throws(TraceError) {
    if !hasSentence, let binary = BinaryProtocol.recognise(head.span) { throw binary.refusal }
    assembler.closeAll()
    try drain(into: &events)
    try log.calendar.finishLog(&log.ledger, into: &events)
  }

  // MARK: - Lines

  /// Takes a line that is one sentence with a checksum and nothing else; `false` for any other.
  @inline(__always)
  private mutating func takeSentence(
    _ bytes: borrowing Span<UInt8>, from position: inout Int, into events: inout [TraceEvent]
  ) throws(TraceError) -> Bool {
    guard lines.beginsLine(bytes, at: &position),
      let sentence = scanner.wholeLine(bytes, from: position)
    else { return false }
    position = scanner.position
    lines.pass()
    log.line = lines.number
    let failure = read(sentence: sentence, bytes)
    if failure == nil, scanner.fields.isDamaged { try leaveOut() }
    if assembler.hasClosed { try drain(into: &events) }
    if let failure { try skip(failure, sentence) }
    return true
  }

  package mutating func read(
    line: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    log.line = lines.number
    if lines.isCut { return try skip(.tooLong) }
    guard let start = firstVisible(line) else { return try skip(.blank) }
    if line[start] == 35 || line[start] == 42 {
      if logHasSentences {
        logHasChecksums = false
        logHasSentences = false
      }
      if line[start] == 35 { return try skip(.comment) }
    }
    scanner.begin(line: start..<line.count)
    var isUsed = false
    var reason: SkipReason?
    var culprit: SentenceScanner.Sentence?
    while let sentence = scanner.next(line) {
      if let failure = read(sentence: sentence, line) {
        if reason == nil { (reason, culprit) = (failure, sentence) }
      } else {
        isUsed = true
        if scanner.fields.isDamaged { try leaveOut() }
      }
      if assembler.hasClosed { try drain(into: &events) }
    }
    if !isUsed { try skip(reason ?? .garbage, culprit) }
  }

  /// Counts the line as skipped, or stops if the user asked for that.
  private mutating func skip(
    _ reason: SkipReason, _ sentence: SentenceScanner.Sentence? = nil
  ) throws(TraceError) {
    skipped[reason, default: 0] += 1
    switch reason {
    case .blank, .comment, .otherSentence, .thirdReceiver, .repeatedPosition, .repeatedSentence:
      return
    case .checksumWrong:
      log.ledger.note(
        "checksum_wrong", "a checksum does not fit its sentence", line: log.line)
    case .malformed: log.ledger.note("malformed", reason.complaint(nil), line: log.line)
    case .checksumMissing, .noTime, .garbage, .tooLong: break
    }
    try log.ledger.keepFault(
      line: log.line, strict: options.strict, reason.complaint(sentence))
  }

  /// Reports a value left out of a sentence that does not need it; with `--strict` it is an error.
  private mutating func leaveOut() throws(TraceError) {
    let words = "a value of the sentence cannot be read"
    if options.strict { throw TraceError(.malformed, line: log.line, words) }
    log.ledger.note("unread_value", "left out: \(words)", line: log.line)
  }

  private func firstVisible(_ line: borrowing Span<UInt8>) -> Int? {
    var index = 0
    while index < line.count, line[index] == 32 || line[index] == 9 { index += 1 }
    return index < line.count ? index : nil
  }

  // MARK: - Sentences

  /// `nil` if the sentence was used.
  @inline(__always)
  private mutating func read(
    sentence: SentenceScanner.Sentence, _ bytes: borrowing Span<UInt8>
  ) -> SkipReason? {
    let isRight = sentence.stated == nil || sentence.stated == sentence.computed
    let length = scanner.fields.addressLength
    guard isRight, let place = addresses.place(of: sentence, length: length, bytes) else {
      if !isRight { return .checksumWrong }
      return sentence.stated == nil ? .garbage : .malformed
    }
    let known = addresses.kind(at: place)
    if sentence.stated != nil {
      logHasChecksums = true
    } else if known != nil && logHasChecksums {
      return .checksumMissing
    } else if known != nil && lines.isUnterminated {
      log.ledger.noteOpenEnd(line: log.line)
    }
    logHasSentences = true
    hasSentence = true
    let isFirst = addresses.count(place)
    guard let kind = known else { return .otherSentence }
    let talker = addresses.talker(at: place)
    if isFirst { log.calendar.see(talker) }
    return catalogue[kind].read(
      fields: &scanner.fields, bytes, as: kind, from: talker, into: &assembler, &log)
  }

  // MARK: - Epochs

  private mutating func drain(into events: inout [TraceEvent]) throws(TraceError) {
    if let line = assembler.repeatedLine {
      log.ledger.note("duplicate_sentence", "a sentence comes twice for one time", line: line)
    }
    assembler.forgetOddities()
    while let outcome = assembler.nextClosed(rangeError: options.rangeError) {
      log.sky.settleSum(into: &log.ledger.satellitesInView)
      switch outcome {
      case .fix(let fix, _, let time, let day, let line):
        try log.calendar.observe(
          fix, time: time, statedDay: day, line: line, &log.ledger, into: &events)
      case .void(let time, let day, let line):
        try log.calendar.addVoid(
          time: time, statedDay: day, line: line, &log.ledger, into: &events)
      case .nothing: break
      }
    }
  }
}

extension TraceFormat {
  package static let nmea = TraceFormat(
    "nmea", name: "NMEA 0183", encoder: NMEAWriter.self, decoder: NMEADecoder.init(options:)
  ) { sample in NMEASniffer.recognises(sample.raw.span) ? .pieces : .none }
}
