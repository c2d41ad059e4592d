// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

// Which date a stream day is.

extension StreamCalendar {
  /// The date of `time` by ZDA: within 2 s of it, or any before the first date is known.
  func dayOfZDA(near time: Int64) -> Int64? {
    guard let zda else { return nil }
    var day = zda.day
    var step = time - zda.time
    if step > HalfDay.microseconds {
      step -= Self.day
      day -= 1
    } else if step < -HalfDay.microseconds {
      step += Self.day
      day += 1
    }
    return step.magnitude <= 2_000_000 || base == nil ? day : nil
  }

  mutating func reconcile(
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
    let nearMidnight = time < 10_000_000 || time > Self.day - 10_000_000
    if difference.magnitude == 1 && nearMidnight && !isDoubtful {
      ledger.note(
        "date_lags", "the date changes late or early at midnight; it was ignored", line: line)
      return
    }
    isDoubtful = false
    self.base = base + difference
  }

  mutating func raiseToFloor(line: Int, _ ledger: inout TraceLedger) {
    guard let base, !isUndated else { return }
    let days = rollover.repair(base + streamDay)
    guard days > 0 else { return }
    let date = Self.text(base + streamDay)
    let repaired = Self.text(base + streamDay + days)
    ledger.note(
      "week_rollover",
      "the log says \(date), which is older than its own kind of sentences; with 1,024-week "
        + "rollovers undone it is \(repaired)", line: line)
    // Mostly while events are held; signs that come later cannot mend what was passed on.
    guard options.fixWeekRollover else { return }
    self.base = base + days
    repair += days
  }

  func reportCycles(statedDay: Int64, line: Int, _ ledger: inout TraceLedger) {
    guard let base, !isUndated else { return }
    let expected = base + streamDay
    guard let cycles = WeekRollover.cycles(in: statedDay + repair - expected) else { return }
    let weeks = 1_024 * cycles.magnitude
    ledger.note(
      "week_rollover",
      "the date \(Self.text(statedDay)) lies \(weeks) weeks \(cycles < 0 ? "before" : "after") "
        + "\(Self.text(expected)), which the log had reached", line: line)
  }

  static func text(_ day: Int64) -> String {
    String(UTCInstant(microseconds: day * Self.day).rfc3339.prefix(10))
  }
}
