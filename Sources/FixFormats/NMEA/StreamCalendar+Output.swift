// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

// Events that are held until they can be dated, and what is said about their order.

extension StreamCalendar {
  var isHolding: Bool {
    if base == nil || !hasFix || isDoubtful { return true }
    // A repair of the whole log needs the signs that come with the first sentences of each kind.
    guard options.fixWeekRollover, let base, fixesSeen < 16 else { return false }
    return base + streamDay < WeekRollover.greatestFloor && repair == 0
  }

  mutating func pass(
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

  mutating func dateWithoutSentences(_ ledger: inout TraceLedger) throws(TraceError) {
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

  mutating func release(_ ledger: inout TraceLedger, into events: inout [TraceEvent]) {
    for event in held { deliver(event, &ledger, into: &events) }
    held.removeAll()
  }

  mutating func deliver(
    _ event: TraceEvent, _ ledger: inout TraceLedger, into events: inout [TraceEvent]
  ) {
    let shift = (base ?? 0) * Self.day
    switch event {
    case .fix(var fix, let line):
      let time = (fix.time?.microseconds ?? 0) + shift
      if let last { compare(time, with: last, line: line, &ledger, into: &events) }
      last = time
      fix.time = UTCInstant(microseconds: time)
      ledger.fixes += 1
      if let satellites = fix.satellites { ledger.satellites.include(Double(satellites)) }
      events.append(.fix(fix, line: line))
    case .noFix(let time, let line):
      ledger.noFixEpochs += 1
      let dated = time.map { UTCInstant(microseconds: $0.microseconds + shift) }
      events.append(.noFix(time: dated, line: line))
    case .segmentEnd:
      events.append(event)
    }
  }

  /// A step back of more than a minute is another log: nothing connects it with what came before.
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
  /// The line of the file that it is about.
  var line: Int {
    switch self {
    case .fix(_, let line), .noFix(_, let line), .segmentEnd(let line): line
    }
  }
}
