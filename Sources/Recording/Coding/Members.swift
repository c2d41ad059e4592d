// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

// How values stand in a recording, so that they come back bit for bit:
//
// - a number is the shortest decimal that is the same `Double`; `"nan"`, `"inf"` and `"-inf"` are texts;
// - a whole number beyond 2⁵³, which JSON's readers would round, is a text of its digits;
// - a UTC instant is RFC 3339 with milliseconds, or microseconds where there are any; outside of the
//   years 1 to 9999 it is its microseconds since 1970;
// - unknown is left out.
//
// An enumeration's case without values is its name, one with values an object with the name as its only
// key: `"time_passed"`, `{"fix":{...}}`.

extension JSONWriter {
  mutating func whole(_ name: String, _ value: Int64) {
    key(name)
    whole(value)
  }

  mutating func whole(_ value: Int64) {
    if value.magnitude <= 1 << 53 { integer(Int(value)) } else { string(String(value)) }
  }

  mutating func whole(_ name: String, _ value: UInt64) {
    key(name)
    if value <= 1 << 53 { integer(Int(value)) } else { string(String(value)) }
  }

  mutating func exact(_ name: String, _ value: Double?) {
    guard let value else { return }
    key(name)
    if value.isFinite { return roundTrip(value) }
    string(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
  }

  mutating func time(_ name: String, _ value: UTCInstant?) {
    guard let value else { return }
    key(name)
    if let text = value.exactText { string(text) } else { whole(value.microseconds) }
  }

  mutating func known(_ name: String, _ value: String?) {
    if let value { member(name, value) }
  }
}

extension UTCInstant {
  /// The years 1 to 9999, in microseconds.
  private static let writable: Range<Int64> = -62_135_596_800_000_000..<253_402_300_800_000_000

  /// RFC 3339 with all digits; `nil` outside of the years 1 to 9999.
  fileprivate var exactText: String? {
    guard Self.writable.contains(microseconds) else { return nil }
    let below = microseconds - microseconds.flooredQuotient(1_000) * 1_000
    let text = UTCInstant(microseconds: microseconds - below).rfc3339
    if below == 0 { return text }
    let digits = String(below)
    return text.dropLast() + String(repeating: "0", count: 3 - digits.utf8.count) + digits + "Z"
  }
}

/// Why a line is not of a recording.
package struct RecordingError: Error, Sendable, Equatable {
  /// 1-based; `nil` where no line is to blame.
  package var line: Int?
  /// What is wrong and what to do; no final full stop.
  package let message: String

  package init(line: Int? = nil, _ message: String) {
    self.line = line
    self.message = message
  }
}

/// The members of one object while it is read.
struct Members {
  /// Which object, as errors name it.
  let name: String
  let value: JSONValue

  init(_ value: JSONValue?, _ name: String) throws(RecordingError) {
    guard let value, value.members != nil else {
      throw RecordingError("'\(name)' is not an object")
    }
    self.name = name
    self.value = value
  }

  /// The only member of an object that stands for a case with values, or the name of one without.
  static func choice(
    _ value: JSONValue?, _ name: String
  ) throws(RecordingError) -> (case: String, value: JSONValue?) {
    if let text = value?.string { return (text, nil) }
    guard let members = value?.members, let only = members.first, members.count == 1 else {
      throw RecordingError("'\(name)' is neither a name nor an object with one member")
    }
    return (only.key, only.value)
  }

  func failure(_ key: String, _ what: String) -> RecordingError {
    RecordingError("'\(key)' of '\(name)' is not \(what)")
  }

  func has(_ key: String) -> Bool { value[key] != nil }

  func text(_ key: String) throws(RecordingError) -> String {
    guard let text = value[key]?.string else { throw failure(key, "a text") }
    return text
  }

  func textIfKnown(_ key: String) throws(RecordingError) -> String? {
    has(key) ? try text(key) : nil
  }

  func bool(_ key: String) throws(RecordingError) -> Bool {
    guard let isTrue = value[key]?.bool else { throw failure(key, "true or false") }
    return isTrue
  }

  func number(_ key: String) throws(RecordingError) -> Double {
    switch value[key] {
    case .number(let number)?: return number
    case .string("nan")?: return .nan
    case .string("inf")?: return .infinity
    case .string("-inf")?: return -.infinity
    default: throw failure(key, "a number")
    }
  }

  func numberIfKnown(_ key: String) throws(RecordingError) -> Double? {
    has(key) ? try number(key) : nil
  }

  /// A whole number of any width.
  func whole<Whole: FixedWidthInteger>(
    _ key: String, _ type: Whole.Type = Whole.self
  ) throws(RecordingError) -> Whole {
    switch value[key] {
    case .number(let number)?: if let whole = Whole(exactly: number) { return whole }
    case .string(let text)?: if let whole = Whole(text) { return whole }
    default: break
    }
    throw failure(key, "a whole number")
  }

  /// Differences of two such instants stay within the axis; 36,000 years.
  private static let furthest = UInt64(1) << 60

  func time(_ key: String) throws(RecordingError) -> UTCInstant? {
    guard let time = value[key] else { return nil }
    if let text = time.string, let (instant, _) = RFC3339.parse(text) { return instant }
    let instant = UTCInstant(microseconds: try whole(key))
    guard instant.microseconds.magnitude <= Self.furthest else { throw failure(key, "a time") }
    return instant
  }

  func instant(_ key: String) throws(RecordingError) -> EngineInstant {
    let instant = EngineInstant(microseconds: try whole(key))
    guard instant.microseconds.magnitude <= Self.furthest else {
      throw failure(key, "an instant within 36,000 years")
    }
    return instant
  }

  /// One of an enumeration's raw values.
  func raw<Raw: RawRepresentable<String>>(
    _ key: String, _ type: Raw.Type = Raw.self
  ) throws(RecordingError) -> Raw {
    let text = try text(key)
    guard let raw = Raw(rawValue: text) else {
      throw failure(key, "known here: \(text.prefix(60))")
    }
    return raw
  }

  func app(_ key: String = "app") throws(RecordingError) -> AppID { AppID(try whole(key)) }
}
