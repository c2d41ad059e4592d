// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

// Times of day to instants. The rules:
//
// - The stream counts its own days: day 0 at first; a time of day more than 12 h before the last one
//   is the next day; a step from just after midnight to at most 60 s before it is the day before.
//   Smaller backward steps are no midnight. Month and year ends need no care, as days are numbers.
// - A date (RMC; ZDA within 2 s of a fix) says which date a stream day is. Events before the first
//   date are held, at most `heldLimit`, and dated by it. Without any until then: `--date` is the day of
//   the first fix; else the log is read undated; else that is an error. A log's own date always wins.
// - The date of a void sentence is not believed: it dates nothing but a log that has no other.
// - The clock of a void epoch is believed where it goes on from the last one by at most 10 minutes, or
//   where its own date makes it at most 7 days later. Else its time is unknown, and it moves nothing.
// - A step back of more than 12 h with a gap of more than an hour, in a log that states dates, may be
//   another log as well as midnight: what follows is held until the next date.
// - A date that is one day off within 10 s of midnight is a receiver that changes it late: ignored.
//
//                 date, --date                     step back > 12 h after a gap
//     undated  ------------------>  dated  <------------------------------------>  doubtful
//     (held)                     (passed on)            date, limit                  (held)

struct StreamCalendar: Sendable, Equatable {
  static let heldLimit = 4_096
  static let day = UTCInstant.dayLength

  let options: DecodingOptions
  var rollover = WeekRollover()

  /// The day since 1970 of stream day 0.
  var base: Int64?
  var streamDay: Int64 = 0
  var clock: Int64?
  var hasFix = false
  /// The stream day of the first fix, which `--date` dates.
  var firstFixDay: Int64 = 0
  var fixesSeen = 0
  var isDoubtful = false
  var statesDates = false
  var isUndated = false
  /// Days added to every stated date by a repair.
  var repair: Int64 = 0
  var zda: (time: Int64, day: Int64)? { zdaTime < 0 ? nil : (zdaTime, zdaDay) }
  var zdaTime: Int64 = -1
  var zdaDay: Int64 = 0
  /// A base that only void sentences suggest.
  var hint: Int64?
  /// Times count from stream day 0.
  var held: [TraceEvent] = []
  var last: Int64?

  init(options: DecodingOptions) { self.options = options }

  /// The instant on the stream's axis and its date, where both are known.
  var here: Int64? {
    guard let clock else { return nil }
    return streamDay * Self.day + clock
  }

  // MARK: - Input

  mutating func take(_ sentence: ZDA, line: Int, _ ledger: inout TraceLedger) {
    guard let time = sentence.time, let day = sentence.day else { return }
    zdaTime = time
    zdaDay = day
    reportCycles(statedDay: day, line: line, &ledger)
  }

  mutating func add(
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
    var placed = fix
    placed.time = UTCInstant(microseconds: streamDay * Self.day + time)
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

  mutating func finish(_ ledger: inout TraceLedger, into events: inout [TraceEvent])
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

  /// At the first fix: what void epochs before it said of the time is kept only if it leads here.
  mutating func beginFixes(_ time: Int64) {
    guard let clock else { return }
    var step = time - clock
    if step < -HalfDay.microseconds { step += Self.day }
    if step < 0 || step > Self.voidStep { restartVoidClock() }
  }

  static let voidStep: Int64 = 600_000_000

  mutating func restartVoidClock() {
    clock = nil
    streamDay = 0
    hint = nil
    for index in held.indices {
      if case .noFix(_, let line) = held[index] { held[index] = .noFix(time: nil, line: line) }
    }
  }

  mutating func advance(to time: Int64, isStated: Bool) {
    defer { clock = time }
    guard let clock else { return }
    let step = time - clock
    if step < -HalfDay.microseconds {
      streamDay += 1
      if statesDates && !isStated && step + Self.day > 3_600_000_000 { isDoubtful = true }
    } else if step > Self.day - 60_000_000 {
      streamDay -= 1
    }
  }

  /// Whether the time of a void epoch is believed; if so, the clock has moved to it.
  mutating func believe(voidTime time: Int64, statedDay: Int64?) -> Bool {
    guard let clock, let here else {
      self.clock = time
      return true
    }
    var step = time - clock
    let wraps = step < -HalfDay.microseconds
    if wraps { step += Self.day }
    if step >= 0 && step <= Self.voidStep {
      self.clock = time
      if wraps { streamDay += 1 }
      return true
    }
    guard hasFix else {
      restartVoidClock()
      self.clock = time
      return true
    }
    guard let statedDay, let base else { return false }
    let target = statedDay + repair - base
    let ahead = target * Self.day + time - here
    guard ahead >= 0 && ahead <= 7 * Self.day else { return false }
    streamDay = target
    self.clock = time
    return true
  }
}
