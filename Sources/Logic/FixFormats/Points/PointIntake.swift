// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel

/// Turns the points of a text format into events: it handles missing times, the order of times, and the account.
///
/// Theory. A point without a time is handled in one of three ways, by the user's options:
///
/// - `pointInterval`: it gets the time of the point before it plus the interval. Points before the
///   first that has a time are held (at most `holdLimit`) and counted back from that one; if none has,
///   they count from midnight of `--date`, else from 1970-01-01T00:00:00Z, and a finding says so.
/// - `allowsUndated`: it is passed on with `time` nil. So `info` shows all points of a file in which
///   only some have a time.
/// - else: it is skipped as `no time`, counted and noted. If no point at all had a time, `finish`
///   throws `noTimes`.
///
/// Times that repeat or run backwards are noted and passed on as they are: the engine decides.
package struct PointIntake: Sendable {
  package var ledger: TraceLedger
  private let options: DecodingOptions
  /// Whether an event came since the last end of a segment.
  package private(set) var isInSegment = false
  private var last: UTCInstant?
  private var held: [TraceEvent] = []
  private var untimed = 0
  private var hasStatedTime = false

  /// The number of events held until the first time is known; some 2 MB.
  package static let holdLimit = 8_192
  /// 1980-01-06T00:00:00Z, where GPS time begins (IS-GPS-200, section 3.3.4).
  private static let firstGPSTime = UTCInstant(microseconds: 315_964_800_000_000)

  package init(unit: TraceLedger.Unit, options: DecodingOptions) {
    ledger = TraceLedger(unit: unit)
    self.options = options
  }

  /// Counts units (lines or points) that were used.
  package mutating func countUsed(_ units: Int = 1) {
    ledger.read += units
    ledger.used += units
  }

  /// Counts units that made nothing, for `reason`.
  package mutating func skip(_ reason: String, units: Int = 1) {
    ledger.read += units
    for _ in 0..<units { ledger.skip(reason) }
  }

  /// Counts one malformed unit; with `--strict` it is an error with the text `message`.
  package mutating func refuse(
    _ reason: String, line: Int, units: Int = 1, _ message: @autoclosure () -> String
  ) throws(TraceError) {
    skip(reason, units: units)
    try ledger.keepFault(line: line, strict: options.strict, message())
    // The reasons are a closed list of phrases; as a word each is the finding's kind.
    let kind = String(reason.lowercased().map { $0 == " " ? "_" : $0 })
    ledger.note(kind, "skipped: \(reason)", line: line)
  }

  /// Reports a value left out of its point; with `--strict` it is an error.
  package mutating func leaveOut(_ value: UnreadValue, line: Int) throws(TraceError) {
    if options.strict { throw TraceError(.malformed, line: line, value.words) }
    let kind = String(value.name.map { $0 == " " ? "_" : $0 })
    ledger.note("unread_\(kind)", "left out: \(value.words)", line: line)
  }

  /// Takes the next point, made from `units` lines or points of the file, or refuses a draft without a
  /// valid coordinate.
  package mutating func admit(
    _ draft: FixDraft, line: Int, units: Int = 1, into events: inout [TraceEvent]
  ) throws(TraceError) {
    guard let coordinate = draft.coordinate else {
      if draft.latitude == nil || draft.longitude == nil {
        return try refuse(
          "no coordinate", line: line, units: units, "the point has no latitude or no longitude")
      }
      return try refuse(
        "coordinate out of range", line: line, units: units,
        """
        latitude \(NumberText.text(draft.latitude ?? 0)), longitude \
        \(NumberText.text(draft.longitude ?? 0)): latitudes go from -90 to 90 and longitudes from \
        -180 to 180
        """)
    }
    for value in draft.implausible { try leaveOut(value, line: line) }
    if ledger.utcOffset == nil { ledger.utcOffset = draft.utcOffset }
    let fix = draft.fix(at: coordinate, rangeError: options.rangeError)
    admit(fix, line: line, units: units, into: &events)
  }

  private mutating func admit(
    _ fix: Fix, line: Int, units: Int, into events: inout [TraceEvent]
  ) {
    if fix.coordinate.latitude == 0 && fix.coordinate.longitude == 0 {
      ledger.note(
        "null_island", "position 0, 0: right for a ship, else a sign of no fix", line: line)
    }
    guard let time = fix.time else {
      return takeUntimed(fix, line: line, units: units, into: &events)
    }
    hasStatedTime = true
    if time < Self.firstGPSTime {
      ledger.note(
        "early_time", "times before 1980, when GPS began (bare numbers are counted from 1970)",
        line: line)
    }
    if !held.isEmpty { releaseHeld(before: time, into: &events) }
    if let last {
      if time < last {
        ledger.note("time_backwards", "the time runs backwards", line: line)
      } else if time == last {
        ledger.note(
          "duplicate_time", "the time is the same as that of the point before", line: line)
      }
    }
    last = time
    countFix(fix, units)
    events.append(.fix(fix, line: line))
  }

  /// Takes an epoch without a position.
  package mutating func takeNoFix(
    time: UTCInstant?, line: Int, units: Int = 1, into events: inout [TraceEvent]
  ) {
    countUsed(units)
    ledger.noFixEpochs += 1
    append(event: .noFix(time: time, line: line), to: &events)
  }

  /// Takes the end of a segment; counts nothing. An end with nothing before it is skipped.
  package mutating func endSegment(line: Int, into events: inout [TraceEvent]) {
    guard isInSegment else { return }
    isInSegment = false
    append(event: .segmentEnd(line: line), to: &events)
  }

  /// Ends the account; throws `noTimes` if there were points and none could be placed in time.
  package mutating func finish(into events: inout [TraceEvent]) throws(TraceError) {
    releaseHeldFromStart(into: &events)
    ledger.isDated = untimed == 0 || hasStatedTime || options.date != nil
    if untimed > 0, ledger.fixes == 0 {
      throw TraceError(
        .noTimes,
        "none of the \(untimed) points has a time; say how far apart they are with "
          + "--point-interval SECONDS (Xcode plays such a file at 1)")
    }
  }

  private mutating func append(event: TraceEvent, to events: inout [TraceEvent]) {
    if case .segmentEnd = event {} else { isInSegment = true }
    if held.isEmpty { events.append(event) } else { held.append(event) }
  }

  private mutating func countFix(_ fix: Fix, _ units: Int) {
    countUsed(units)
    ledger.fixes += 1
    isInSegment = true
    if let satellites = fix.satellites { ledger.satellites.include(Double(satellites)) }
  }

  private mutating func takeUntimed(
    _ fix: Fix, line: Int, units: Int, into events: inout [TraceEvent]
  ) {
    untimed += 1
    guard let interval = options.pointInterval else {
      if options.allowsUndated {
        ledger.note("no_time", "points without a time", line: line)
        countFix(fix, units)
        return append(event: .fix(fix, line: line), to: &events)
      }
      skip("no time", units: units)
      ledger.note(
        "no_time", "points without a time were skipped; --point-interval SECONDS gives them one",
        line: line)
      return
    }
    countFix(fix, units)
    if held.count >= Self.holdLimit { releaseHeldFromStart(into: &events) }
    guard let last else { return held.append(.fix(fix, line: line)) }
    ledger.note(
      "times_given",
      "points without a time were given one, \(NumberText.text(interval)) s after the point before",
      line: line)
    var timed = fix
    timed.time = last.advanced(bySeconds: interval)
    self.last = timed.time
    events.append(.fix(timed, line: line))
  }

  /// Gives the held points times that count back from `time`, the first that the file states.
  private mutating func releaseHeld(before time: UTCInstant, into events: inout [TraceEvent]) {
    let count = held.reduce(into: 0) { if case .fix = $1 { $0 += 1 } }
    release(
      from: time.advanced(bySeconds: -Double(count) * (options.pointInterval ?? 0)), into: &events)
  }

  private mutating func releaseHeldFromStart(into events: inout [TraceEvent]) {
    if held.isEmpty { return }
    let start = options.date.map { UTCInstant(date: $0, microsecondOfDay: 0) }
    release(from: start ?? UTCInstant(microseconds: 0), into: &events)
  }

  private mutating func release(from start: UTCInstant, into events: inout [TraceEvent]) {
    let interval = options.pointInterval ?? 0
    var place = 0
    for event in held {
      guard case .fix(var fix, let line) = event else {
        events.append(event)
        continue
      }
      if place == 0 {
        ledger.note(
          "times_given",
          "points without a time were given one every \(NumberText.text(interval)) s, "
            + "from \(start.rfc3339) on", line: line)
      }
      fix.time = start.advanced(bySeconds: Double(place) * interval)
      last = fix.time
      place += 1
      events.append(.fix(fix, line: line))
    }
    held.removeAll(keepingCapacity: false)
  }
}
