// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

// Times of day to instants. The rules:
//
// - The stream counts its own days: day 0 at first; a time of day more than 12 h before the last one
//   is the next day; a step from just after midnight to at most 60 s before it is the day before.
//   Smaller backward steps are no midnight. Month and year ends need no care, as days are numbers.
// - A date (RMC; ZDA within 2 s of a fix) fixes the date of a stream day. Events before the first date
//   are held, at most `heldLimit`, and dated by it. Without any until then: `--date` is the day of the
//   first fix; else the log is read undated; else that is an error. A log's own date always wins.
// - The date of a void sentence is not believed: it dates only a log that has no other.
// - The clock of a void epoch is believed if it continues from the last one by at most 10 minutes, or
//   if its date makes it at most 7 days later. Else its time is unknown, and it moves nothing.
// - A step back of more than 12 h with a gap of more than an hour, in a log that states dates, may be
//   another log as well as midnight: the following events are held until the next date.
// - A date that is one day off within 10 s of midnight is a receiver that changes it late: ignored.
//
//                 date, --date                     step back > 12 h after a gap
//     undated  ------------------>  dated  <------------------------------------>  doubtful
//     (held)                     (passed on)            date, limit                  (held)

struct StreamCalendar: Sendable {
  private static let heldLimit = 4_096

  private let options: DecodingOptions
  private var rollover = WeekRollover()

  /// The day since 1970 of stream day 0.
  private var base: Int64?
  private var streamDay: Int64 = 0
  private var clock: Int64?
  private var hasFix = false
  /// The stream day of the first fix, which `--date` dates.
  private var firstFixDay: Int64 = 0
  private var fixesSeen = 0
  private var isDoubtful = false
  private var statesDates = false
  private var isUndated = false
  /// Days added to every stated date by a repair.
  private var repair: Int64 = 0
  private var zda: (time: Int64, day: Int64)?
  /// A base that only void sentences suggest.
  private var hint: Int64?
  /// Times count from stream day 0.
  private var held: [TraceEvent] = []
  private var last: Int64?

  init(options: DecodingOptions) { self.options = options }

  /// The instant on the stream's axis and its date, if both are known.
  private var here: Int64? {
    guard let clock else { return nil }
    return streamDay * TimeOfDay.day + clock
  }

  // MARK: - Input

  mutating func see(_ talker: Talker) { rollover.see(talker) }

  mutating func seeModernField() { rollover.seeModernField() }

  /// Takes the date and the time of day of a sentence without other content.
  mutating func see(day: Int64, at time: Int64, line: Int, _ ledger: inout TraceLedger) {
    zda = (time, day)
    reportCycles(statedDay: day, line: line, &ledger)
  }

  mutating func observe(
    _ fix: Fix, time: Int64, statedDay: Int64?, line: Int, _ ledger: inout TraceLedger,
    into events: inout [TraceEvent]
  ) throws(TraceError) {
    if !hasFix { beginFixes(time) }
    let stated = statedDay ?? dayOfZDA(near: time)
    advance(to: time, isStated: stated != nil)
    if let stated, !isUndated { reconcile(stated, time: time, line: line, &ledger) }
    if !hasFix { firstFixDay = streamDay }
    hasFix = true
    fixesSeen += 1
    raiseToFloor(line: line, &ledger)
    let instant = streamDay * TimeOfDay.day + time
    if held.isEmpty, !isHolding { return deliver(fix, instant, line, &ledger, into: &events) }
    var placed = fix
    placed.time = UTCInstant(microseconds: instant)
    try pass(.fix(placed, line: line), &ledger, into: &events)
  }

  mutating func addVoid(
    time: Int64?, statedDay: Int64?, line: Int, _ ledger: inout TraceLedger,
    into events: inout [TraceEvent]
  ) throws(TraceError) {
    var instant: UTCInstant?
    if let time, believe(voidTime: time, statedDay: statedDay) {
      instant = here.map { UTCInstant(microseconds: $0) }
    }
    if let statedDay {
      reportCycles(statedDay: statedDay, line: line, &ledger)
      hint = statedDay - streamDay
    }
    try pass(.noFix(time: instant, line: line), &ledger, into: &events)
  }

  mutating func finishLog(_ ledger: inout TraceLedger, into events: inout [TraceEvent])
    throws(TraceError)
  {
    if base == nil {
      if let time = clock, let day = dayOfZDA(near: time) { base = day - streamDay }
      base = base ?? hint
      if base == nil { try dateWithoutSentences(&ledger) }
    }
    release(&ledger, into: &events)
  }

  // MARK: - Clock

  /// Begins the fixes: the time of earlier void epochs is kept only if it leads here.
  private mutating func beginFixes(_ time: Int64) {
    guard let clock else { return }
    let step = TimeOfDay.step(from: clock, to: time).micros
    if step < 0 || step > Self.voidStep { restartVoidClock() }
  }

  private static let voidStep: Int64 = 600_000_000

  private mutating func restartVoidClock() {
    clock = nil
    streamDay = 0
    hint = nil
    for index in held.indices {
      if case .noFix(_, let line) = held[index] { held[index] = .noFix(time: nil, line: line) }
    }
  }

  private mutating func advance(to time: Int64, isStated: Bool) {
    defer { clock = time }
    guard let clock else { return }
    let step = time - clock
    if step < -TimeOfDay.halfDay {
      streamDay += 1
      if statesDates && !isStated && step + TimeOfDay.day > 3_600_000_000 { isDoubtful = true }
    } else if step > TimeOfDay.day - 60_000_000 {
      streamDay -= 1
    }
  }

  /// Whether the time of a void epoch is believed; if so, the clock has moved to it.
  private mutating func believe(voidTime time: Int64, statedDay: Int64?) -> Bool {
    guard let clock, let here else {
      self.clock = time
      return true
    }
    let (step, midnights) = TimeOfDay.step(from: clock, to: time)
    if step >= 0 && step <= Self.voidStep {
      self.clock = time
      streamDay += midnights
      return true
    }
    guard hasFix else {
      restartVoidClock()
      self.clock = time
      return true
    }
    guard let statedDay, let base else { return false }
    let target = statedDay + repair - base
    let ahead = target * TimeOfDay.day + time - here
    guard ahead >= 0 && ahead <= 7 * TimeOfDay.day else { return false }
    streamDay = target
    self.clock = time
    return true
  }

  // MARK: - Dates

  /// The date of `time` by ZDA: within 2 s of it, or any before the first date is known.
  private func dayOfZDA(near time: Int64) -> Int64? {
    guard let zda else { return nil }
    let (step, midnights) = TimeOfDay.step(from: zda.time, to: time)
    return step.magnitude <= 2_000_000 || base == nil ? zda.day + midnights : nil
  }

  private mutating func reconcile(
    _ stated: Int64, time: Int64, line: Int, _ ledger: inout TraceLedger
  ) {
    statesDates = true
    guard let base else {
      self.base = stated - streamDay
      return
    }
    var difference = stated + repair - base - streamDay
    if difference == 0 {
      isDoubtful = false
      return
    }
    if let cycles = WeekRollover.cycles(in: difference) {
      reportCycles(statedDay: stated, line: line, &ledger)
      let days = cycles * WeekRollover.cycle
      if options.fixWeekRollover && (cycles < 0 || repair >= days) {
        repair -= days
        difference -= days
      }
    }
    // Late after midnight it is still the day before, early before midnight already the day after.
    let lags =
      difference == -1 && time < 10_000_000
      || difference == 1 && time > TimeOfDay.day - 10_000_000
    if lags && !isDoubtful {
      ledger.note(
        "date_lags", "the date changes late or early at midnight; it was ignored", line: line)
      return
    }
    isDoubtful = false
    self.base = base + difference
  }

  private mutating func raiseToFloor(line: Int, _ ledger: inout TraceLedger) {
    guard let base, !isUndated else { return }
    let days = rollover.repair(base + streamDay)
    guard days > 0 else { return }
    let date = Self.text(base + streamDay)
    let repaired = Self.text(base + streamDay + days)
    ledger.note(
      "week_rollover",
      "the log says \(date), which is older than its own kind of sentences; with 1,024-week "
        + "rollovers undone it is \(repaired)", line: line)
    // Mostly while events are held; later signs cannot correct events already passed on.
    guard options.fixWeekRollover else { return }
    self.base = base + days
    repair += days
  }

  private func reportCycles(statedDay: Int64, line: Int, _ ledger: inout TraceLedger) {
    guard let base, !isUndated else { return }
    let expected = base + streamDay
    guard let cycles = WeekRollover.cycles(in: statedDay + repair - expected) else { return }
    let weeks = 1_024 * cycles.magnitude
    ledger.note(
      "week_rollover",
      "the date \(Self.text(statedDay)) lies \(weeks) weeks \(cycles < 0 ? "before" : "after") "
        + "\(Self.text(expected)), which the log had reached", line: line)
  }

  private static func text(_ day: Int64) -> String {
    String(UTCInstant(microseconds: day * TimeOfDay.day).rfc3339.prefix(10))
  }

  // MARK: - Output

  private var isHolding: Bool {
    if base == nil || !hasFix || isDoubtful { return true }
    // A repair of the whole log needs the signs in the first sentences of each kind.
    guard options.fixWeekRollover, let base, fixesSeen < 16 else { return false }
    return base + streamDay < WeekRollover.greatestFloor && repair == 0
  }

  private mutating func pass(
    _ event: TraceEvent, _ ledger: inout TraceLedger, into events: inout [TraceEvent]
  ) throws(TraceError) {
    let holding = isHolding
    if !holding && held.isEmpty {
      deliver(event, &ledger, into: &events)
      return
    }
    held.append(event)
    if !holding {
      release(&ledger, into: &events)
    } else if held.count >= Self.heldLimit {
      if !hasFix {
        // Over an hour without a fix: the oldest go without a time, as nothing dates them yet.
        for index in 0..<(held.count / 2) {
          if case .noFix(_, let line) = held[index] {
            deliver(.noFix(time: nil, line: line), &ledger, into: &events)
          }
        }
        held.removeFirst(held.count / 2)
      } else {
        if base == nil { base = hint }
        if base == nil { try dateWithoutSentences(&ledger) }
        isDoubtful = false
        release(&ledger, into: &events)
      }
    }
  }

  private mutating func dateWithoutSentences(_ ledger: inout TraceLedger) throws(TraceError) {
    guard let first = held.first else { return }
    if hasFix, let date = options.date {
      base = date.daysSince1970 - firstFixDay
      ledger.note("no_date", "no sentence states a date; the given one was used", line: first.line)
      return
    }
    ledger.isDated = false
    guard hasFix else {
      restartVoidClock()
      return
    }
    guard options.allowsUndated else {
      throw TraceError(
        .noDate,
        "the log states times of day but no date (no RMC or ZDA does); "
          + "give the day of its first fix with --date YYYY-MM-DD")
    }
    base = 0
    isUndated = true
    ledger.note(
      "no_date", "no sentence states a date; times count from 1970-01-01", line: first.line)
  }

  private mutating func release(_ ledger: inout TraceLedger, into events: inout [TraceEvent]) {
    for event in held { deliver(event, &ledger, into: &events) }
    held.removeAll()
  }

  private mutating func deliver(
    _ event: TraceEvent, _ ledger: inout TraceLedger, into events: inout [TraceEvent]
  ) {
    switch event {
    case .fix(let fix, let line):
      deliver(fix, fix.time?.microseconds ?? 0, line, &ledger, into: &events)
    case .noFix(let time, let line):
      ledger.noFixEpochs += 1
      let dated = time.map { UTCInstant(microseconds: $0.microseconds + shift) }
      events.append(.noFix(time: dated, line: line))
    case .segmentEnd:
      events.append(event)
    }
  }

  /// Microseconds from stream day 0 to the epoch of dates.
  private var shift: Int64 { (base ?? 0) * TimeOfDay.day }

  /// Delivers a fix at an instant on the stream's axis.
  private mutating func deliver(
    _ fix: Fix, _ instant: Int64, _ line: Int, _ ledger: inout TraceLedger,
    into events: inout [TraceEvent]
  ) {
    let time = instant + shift
    if let last { compare(time, with: last, line: line, &ledger, into: &events) }
    last = time
    ledger.fixes += 1
    if let satellites = fix.satellites { ledger.satellites.include(Double(satellites)) }
    var dated = fix
    dated.time = UTCInstant(microseconds: time)
    events.append(.fix(dated, line: line))
  }

  /// A step back of more than a minute is another log, unrelated to the one before.
  func compare(
    _ time: Int64, with last: Int64, line: Int, _ ledger: inout TraceLedger,
    into events: inout [TraceEvent]
  ) {
    if time == last {
      ledger.note("duplicate_epoch", "a second fix has the same time", line: line)
    } else if time < last {
      ledger.note("time_backwards", "time runs backwards", line: line)
      if last - time > 60_000_000 { events.append(.segmentEnd(line: line)) }
    }
  }
}

extension TraceEvent {
  /// The line of the file concerned.
  var line: Int {
    switch self {
    case .fix(_, let line), .noFix(_, let line), .segmentEnd(let line): line
    }
  }
}
