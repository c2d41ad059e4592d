// SPDX-License-Identifier: Apache-2.0

internal import FixFormats
package import JSONText

/// Reads a power analyser's CSV in pieces of any size.
///
/// Times must rise. A step of more than ten times the usual one (the median of the first hundred) is a gap: the power
/// meanwhile is unknown. It stops at the first faulty line, for an energy with a hole would mean nothing.
package struct PowerTraceReader: Sendable {
  /// Longer lines are refused.
  package static let lineLimit = 4096
  /// The largest sample, W: no battery-powered device draws more.
  static let most = 1e4
  private static let firstSteps = 100

  private struct Sample {
    let line: Int
    let time: Double
    let watts: Double
  }

  /// Volts for a file that states currents only.
  private let volts: Double?
  private var columns: PowerTraceColumns?
  private var lines = LineSplitter(limit: lineLimit)
  private var last: Sample?
  /// Samples held until the usual step is known.
  private var waiting: [Sample] = []
  private var longestStep = 0.0
  private var trace: PowerTrace?

  package init(volts: Double?) { self.volts = volts }

  /// Whether a file that begins like this is a power analyser's CSV.
  package static func recognises(_ beginning: String) -> Bool {
    PowerTraceColumns(String(beginning.prefix { !$0.isNewline })).isComplete
  }

  /// Reads the complete lines received so far and keeps the rest.
  package mutating func decode(_ bytes: borrowing Span<UInt8>) throws(InputError) {
    var position = 0
    while let line = lines.nextLine(bytes, from: &position) { try takeLine(line) }
  }

  /// Ends the file; the energy is known up to the last sample.
  package mutating func finishTrace() throws(InputError) -> PowerTrace {
    if let line = lines.lastLine() { try takeLine(line) }
    try useWaiting()
    guard columns != nil else {
      throw InputError("an empty file; expected a power analyser's CSV")
    }
    guard let trace, trace.measuredSeconds > 0 else {
      throw InputError("fewer than two samples; export the whole recording")
    }
    return trace
  }

  private func fail(_ message: String) -> InputError {
    InputError(line: lines.number, message)
  }

  private mutating func takeLine(_ line: [UInt8]) throws(InputError) {
    if line.isEmpty { return }
    guard !lines.isCut else { throw fail("a line has at most \(Self.lineLimit) bytes") }
    guard let columns else { return try takeHeading(line) }
    let time = try number(columns.time, of: line, "time", most: 1e12)
    let watts: Double
    if columns.power != nil {
      watts = try number(columns.power, of: line, "power", most: Self.most)
    } else {
      let amperes = try number(columns.current, of: line, "current", most: Self.most)
      let stated =
        columns.voltage == nil
        ? nil : try number(columns.voltage, of: line, "voltage", most: Self.most)
      watts = amperes * (volts ?? stated ?? 0)
    }
    try use(sample: Sample(line: lines.number, time: time, watts: watts))
  }

  private mutating func takeHeading(_ line: [UInt8]) throws(InputError) {
    let found = PowerTraceColumns(String(decoding: line, as: UTF8.self))
    guard found.isComplete else {
      throw fail(
        "the first line names no time and current, as in \"Timestamp(ms),Current(uA)\" (Nordic PPK2) "
          + "or \"Time (s),Main Avg Current (mA)\" (Monsoon)")
    }
    guard found.statesPower || volts != nil else {
      throw fail("this file states currents only; say at which voltage: --voltage 3.7")
    }
    columns = found
  }

  /// The number of a column of the line, in s, A, V or W.
  private func number(
    _ column: PowerTraceColumns.Column?, of line: [UInt8], _ name: String, most: Double
  ) throws(InputError) -> Double {
    guard let column else { throw fail("the \(name) is missing") }
    var index = 0
    var begin = 0
    while index < column.index, let comma = line[begin...].firstIndex(of: 0x2C) {
      begin = comma + 1
      index += 1
    }
    guard index == column.index else {
      throw fail("the \(name) is missing: it is column \(column.index + 1)")
    }
    var end = line[begin...].firstIndex(of: 0x2C) ?? line.count
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    while begin < end, isBlank(line[begin]) { begin += 1 }
    while begin < end, isBlank(line[end - 1]) { end -= 1 }
    guard let value = Decimal.value(line.span.extracting(begin..<end)), value.isFinite,
      (value * column.scale).magnitude <= most
    else {
      let text = String(decoding: line[begin..<end].prefix(40), as: UTF8.self)
      throw fail("the \(name) \"\(text)\" is no number that can be")
    }
    return value * column.scale
  }

  private mutating func use(sample: Sample) throws(InputError) {
    if let last, sample.time <= last.time {
      throw fail(
        "the time \(Decimal.shortest(sample.time)) s does not come after "
          + "\(Decimal.shortest(last.time)) s")
    }
    guard longestStep == 0 else {
      try add(sample: sample)
      return
    }
    last = sample
    waiting.append(sample)
    if waiting.count > Self.firstSteps { try useWaiting() }
  }

  /// Settles the usual step and adds the waiting samples.
  private mutating func useWaiting() throws(InputError) {
    guard longestStep == 0, let first = waiting.first, waiting.count > 1 else { return }
    let steps = zip(waiting.dropFirst(), waiting).map { $0.time - $1.time }.sorted()
    longestStep = 10 * steps[steps.count / 2]
    trace = PowerTrace(start: first.time)
    last = first
    for sample in waiting.dropFirst() { try add(sample: sample) }
    waiting = []
  }

  /// Adds the last sample's span up to this one.
  private mutating func add(sample: Sample) throws(InputError) {
    defer { last = sample }
    guard let last, sample.time - last.time <= longestStep else { return }
    guard trace?.add(watts: last.watts, from: last.time, to: sample.time) == true else {
      throw InputError(
        line: sample.line,
        "the recording is longer than 27.7 h; export a part of it")
    }
  }
}
