// SPDX-License-Identifier: Apache-2.0

internal import FixFormats
package import JSONText
internal import LocationModel

/// Reads activities from JSON lines, in pieces of any size; see ActivityLog.swift for the format.
///
/// It stops at the first faulty line: a log with a hole would give meaningless joules.
package struct ActivityLogReader: Sendable {
  /// Longer lines are refused.
  package static let lineLimit = 4096

  /// Whether the log has an end record. A log without one is metered up to its last record, and the
  /// caller should say so.
  package private(set) var hasEnd = false
  private var lines = LineSplitter(limit: lineLimit)
  private var last = EngineInstant.zero

  package init() {}

  /// Reads the complete lines received so far and keeps the rest.
  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into activities: inout [Activity]
  ) throws(InputError) {
    var position = 0
    while let line = lines.nextLine(bytes, from: &position) {
      try takeLine(line, into: &activities)
    }
  }

  /// Reads a last line without a line feed.
  package mutating func finish(into activities: inout [Activity]) throws(InputError) {
    if let line = lines.lastLine() { try takeLine(line, into: &activities) }
  }

  private func fail(_ message: String) -> InputError {
    InputError(line: lines.number, message)
  }

  private mutating func takeLine(
    _ line: [UInt8], into activities: inout [Activity]
  ) throws(InputError) {
    guard !lines.isCut else { throw fail("a line has at most \(Self.lineLimit) bytes") }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    guard let first = line.first(where: { !isBlank($0) }), first != UInt8(ascii: "#") else {
      return
    }
    let value: JSONValue
    do {
      value = try JSONValue.parse(line.span)
    } catch {
      throw fail("this is not JSON: byte \(error.offset + 1), \(error.message)")
    }
    guard value.members != nil else { throw fail("a JSON object was expected") }
    guard !hasEnd else { throw fail("a record follows after \"end\"") }
    let at = try instant(value)
    let event = try ActivityRecord(value: value, fail: fail).event()
    guard at >= last else {
      throw fail(
        "at_s runs backwards, from \(ActivityLogWriter.seconds(last.microseconds)) to "
          + ActivityLogWriter.seconds(at.microseconds))
    }
    last = at
    hasEnd = event == .end
    activities.append(Activity(at: at, event))
  }

  private func instant(_ value: JSONValue) throws(InputError) -> EngineInstant {
    guard let seconds = value["at_s"]?.number, seconds >= 0, seconds <= 1e9 else {
      throw fail("\"at_s\" must be a number of seconds from 0 to 1000000000")
    }
    return EngineInstant(microseconds: Int64((seconds * 1e6).rounded()))
  }
}
