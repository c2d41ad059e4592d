// SPDX-License-Identifier: Apache-2.0

// Bytes -> LineFramer -> SentenceScanner -> Sentences/*.parse -> EpochAssembler -> StreamCalendar
//
// Checksums: a sentence without one is taken as long as no sentence of the same log had a right one.
// A log begins at the start of the bytes and at a header: a line that begins with `#` or `*` (gpsd's
// headers, banners of loggers). So a log without checksums may follow one with them if a header
// stands between; a mere step of time does not make a new log here, for it may be a broken sentence.
//
// A line counts once, however many sentences it holds: as used if one of them was, else as skipped
// for the reason of the first.

/// Reads NMEA 0183: RMC, GGA, GNS, GLL, VTG, GSA, GSV, GST and ZDA of any talker; other sentences are
/// counted and skipped.
///
/// Sentences of one epoch make one fix, or one "no fix" epoch. Memory is bounded: a line of 1,024
/// bytes, two open epochs, 4,096 events that wait for a date.
///
/// Horizontal accuracy is GST's sqrt(σ_lat² + σ_lon²), else HDOP × `rangeError`, else unknown.
package struct NMEADecoder: TraceDecoder {
  private let options: DecodingOptions
  private var framer = LineFramer()
  private var line = 0
  private var used = 0
  private var skipped = [Int](repeating: 0, count: SkipReason.allCases.count)
  private var census = SentenceCensus()
  private var sky = SkyTally()
  private var assembler = EpochAssembler()
  private var calendar: StreamCalendar
  private var account = TraceLedger(unit: .lines)
  private var habit = Talker.none
  private var logHasChecksums = false
  private var logHasSentences = false
  private var hasSentence = false
  /// The first bytes, kept until a sentence is seen, to tell a binary protocol.
  private var head: [UInt8] = []
  private static let headLimit = 8_192

  package init(options: DecodingOptions) {
    self.options = options
    calendar = StreamCalendar(options: options)
  }

  package var ledger: TraceLedger {
    var ledger = account
    ledger.read = line
    ledger.used = used
    for (index, reason) in SkipReason.allCases.enumerated() where skipped[index] > 0 {
      ledger.skip(reason.rawValue, times: skipped[index])
    }
    census.write(to: &ledger)
    return ledger
  }

  package mutating func decode(_ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent])
    throws(TraceError)
  {
    if !hasSentence && head.count < Self.headLimit {
      for index in 0..<min(bytes.count, Self.headLimit - head.count) { head.append(bytes[index]) }
    }
    var position = 0
    while let next = framer.next(bytes, at: &position) {
      switch next {
      case .inChunk(let range): try read(bytes, range, into: &events)
      case .carried: try readCarried(into: &events)
      case .tooLong: try refuse(.tooLong)
      }
    }
  }

  package mutating func finish(into events: inout [TraceEvent]) throws(TraceError) {
    switch framer.last() {
    case .carried, .inChunk: try readCarried(into: &events)
    case .tooLong: try refuse(.tooLong)
    case nil: break
    }
    if !hasSentence, let binary = BinaryProtocol.recognise(head.span) { throw binary.refusal }
    assembler.closeAll()
    try drain(into: &events)
    try calendar.finish(&account, into: &events)
  }

  // MARK: - Lines

  private mutating func readCarried(into events: inout [TraceEvent]) throws(TraceError) {
    let copy = framer.carry
    try read(copy.span, 0..<copy.count, into: &events)
  }

  private mutating func refuse(_ reason: SkipReason) throws(TraceError) {
    line += 1
    try settle(reason, nil)
  }

  /// Counts the line as skipped, or stops if the user asked for that.
  private mutating func settle(_ reason: SkipReason, _ sentence: SentenceScanner.Sentence?)
    throws(TraceError)
  {
    for (index, candidate) in SkipReason.allCases.enumerated() where candidate == reason {
      skipped[index] += 1
    }
    switch reason {
    case .blank, .comment, .otherSentence, .thirdReceiver: return
    case .checksumWrong:
      account.note("checksum_wrong", "a checksum does not fit its sentence", line: line)
    case .checksumMissing, .malformed, .noTime, .garbage, .tooLong: break
    }
    guard options.strict else { return }
    throw TraceError(.malformed, line: line, reason.complaint(sentence))
  }

  private mutating func read(
    _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    line += 1
    guard let start = firstVisible(bytes, range) else { return try settle(.blank, nil) }
    if bytes[start] == 35 || bytes[start] == 42 {
      if logHasSentences {
        logHasChecksums = false
        logHasSentences = false
      }
      if bytes[start] == 35 { return try settle(.comment, nil) }
    }
    var scanner = SentenceScanner(start..<range.upperBound)
    var isUsed = false
    var reason: SkipReason?
    var culprit: SentenceScanner.Sentence?
    while let sentence = scanner.next(bytes) {
      if let failure = try take(sentence, bytes) {
        if reason == nil {
          reason = failure
          culprit = sentence
        }
      } else {
        isUsed = true
      }
      if !assembler.closed.isEmpty { try drain(into: &events) }
    }
    if isUsed {
      used += 1
    } else {
      try settle(reason ?? .garbage, culprit)
    }
  }

  private func firstVisible(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound, bytes[index] == 32 || bytes[index] == 9 { index += 1 }
    return index < range.upperBound ? index : nil
  }

  // MARK: - Sentences

  /// `nil` where the sentence was used.
  private mutating func take(
    _ sentence: SentenceScanner.Sentence, _ bytes: borrowing Span<UInt8>
  ) throws(TraceError) -> SkipReason? {
    guard let address = SentenceAddress(sentence, bytes) else {
      guard let stated = sentence.stated else { return .garbage }
      return stated == sentence.computed ? .malformed : .checksumWrong
    }
    if let stated = sentence.stated {
      guard stated == sentence.computed else { return .checksumWrong }
      logHasChecksums = true
    } else if address.kind != nil && logHasChecksums {
      return .checksumMissing
    }
    logHasSentences = true
    hasSentence = true
    census.count(address.packed)
    guard let kind = address.kind else { return .otherSentence }
    let previous = assembler.note(kind)
    var reader = FieldReader(address.fields..<sentence.body.upperBound)
    let talker = address.talker
    calendar.rollover.see(talker)
    switch kind {
    case .rmc: return add(RMC.parse(&reader, bytes), talker)
    case .gga: return add(GGA.parse(&reader, bytes), talker)
    case .gns: return add(GNS.parse(&reader, bytes), talker)
    case .gll: return add(GLL.parse(&reader, bytes), talker)
    case .gst: return add(GST.parse(&reader, bytes), talker)
    case .vtg:
      guard let vtg = VTG.parse(&reader, bytes) else { return .malformed }
      assembler.add(vtg, talker, line: line)
    case .gsa:
      guard let gsa = GSA.parse(&reader, bytes) else { return .malformed }
      if gsa.hasSystem { calendar.rollover.seeModernField() }
      assembler.add(gsa, talker, after: previous, line: line)
    case .gsv:
      guard let gsv = GSV.parse(&reader, bytes) else { return .malformed }
      if gsv.number == 1 { sky.take(gsv, from: talker) }
      for index in 0..<4 where gsv.signals[index] > 0 {
        account.signal.include(Double(gsv.signals[index]))
      }
    case .zda:
      guard let zda = ZDA.parse(&reader, bytes) else { return .malformed }
      calendar.take(zda, line: line, &account)
    }
    return nil
  }

  private mutating func add(_ sentence: RMC?, _ talker: Talker) -> SkipReason? {
    guard let sentence else { return .malformed }
    if sentence.hasNavigationalStatus { calendar.rollover.seeModernField() }
    let habit = habit
    return assembler.add(
      .rmc, talker, time: sentence.time, claim: sentence.isValid ? .valid : .void, line: line
    ) { $0.take(sentence, talker, habit: habit) }
  }

  private mutating func add(_ sentence: GGA?, _ talker: Talker) -> SkipReason? {
    guard let sentence else { return .malformed }
    let habit = habit
    return assembler.add(
      .gga, talker, time: sentence.time, claim: sentence.isValid ? .valid : .void, line: line
    ) { $0.take(sentence, talker, habit: habit) }
  }

  private mutating func add(_ sentence: GNS?, _ talker: Talker) -> SkipReason? {
    guard let sentence else { return .malformed }
    let habit = habit
    let claim: EpochAssembler.Claim =
      switch sentence.isValid {
      case true?: .valid
      case false?: .void
      case nil: .silent
      }
    return assembler.add(.gns, talker, time: sentence.time, claim: claim, line: line) {
      $0.take(sentence, talker, habit: habit)
    }
  }

  private mutating func add(_ sentence: GLL?, _ talker: Talker) -> SkipReason? {
    guard let sentence else { return .malformed }
    let habit = habit
    return assembler.add(
      .gll, talker, time: sentence.time, claim: sentence.isValid ? .valid : .void, line: line
    ) { $0.take(sentence, talker, habit: habit) }
  }

  private mutating func add(_ sentence: GST?, _ talker: Talker) -> SkipReason? {
    guard let sentence else { return .malformed }
    return assembler.add(.gst, talker, time: sentence.time, claim: .silent, line: line) {
      $0.horizontal = sentence.horizontal ?? $0.horizontal
      $0.vertical = sentence.vertical ?? $0.vertical
    }
  }

  // MARK: - Epochs

  private mutating func drain(into events: inout [TraceEvent]) throws(TraceError) {
    if let line = assembler.repeatedLine {
      account.note("duplicate_sentence", "a sentence comes twice for one time", line: line)
    }
    if let line = assembler.backwardLine {
      account.note("time_backwards", "time runs backwards", line: line)
    }
    for index in assembler.closed.indices {
      let epoch = assembler.closed[index]
      sky.settle(&account.satellitesInView)
      guard epoch.isStated else { continue }
      if let chosen = epoch.chosen(habit: habit.receiver), let time = epoch.time,
        let fix = chosen.fix(rangeError: options.rangeError)
      {
        habit = chosen.positionTalker
        let day = chosen.day ?? (epoch.second.isValid ? epoch.second.day : nil)
        try calendar.add(
          fix, time: time, statedDay: day, line: epoch.line, &account, into: &events)
      } else {
        let day = epoch.first.day ?? epoch.second.day
        try calendar.addVoid(
          time: epoch.time, statedDay: day, line: epoch.line, &account, into: &events)
      }
    }
    assembler.forgetClosed()
  }
}
