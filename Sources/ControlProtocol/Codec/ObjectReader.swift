// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

/// Reads the members of one JSON object; an error names the object, the member and the value.
package struct ObjectReader {
  /// What the object is called in errors: `?START`, `STATUS.gpsd`.
  let name: String
  private let value: JSONValue

  init(_ value: JSONValue, name: String) throws(ProtocolError) {
    guard value.members != nil else {
      throw ProtocolError("\(name) is \(Quoted.value(value)), not an object")
    }
    self.name = name
    self.value = value
  }

  /// Refuses members that the message does not have, so that a misspelt one is not overlooked.
  func allow(_ names: [String]) throws(ProtocolError) {
    for member in value.members ?? [] where !names.contains(member.key) && member.key != "id" {
      let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
      throw ProtocolError("\(name) has no member '\(Quoted.text(member.key))'; \(known)")
    }
  }

  /// The member's value; absent and `null` are both `nil`.
  func optional(_ key: String) -> JSONValue? {
    guard let member = value[key], member != .null else { return nil }
    return member
  }

  private func required(_ key: String) throws(ProtocolError) -> JSONValue {
    guard let member = optional(key) else {
      throw ProtocolError("\(name) needs the member '\(key)'")
    }
    return member
  }

  private func wrong(_ key: String, _ value: JSONValue, _ expected: String) -> ProtocolError {
    ProtocolError("\(name): \(key) is \(Quoted.value(value)), not \(expected)")
  }

  // Strings --------------------------------------------------------------------------------------

  func string(_ key: String) throws(ProtocolError) -> String {
    let value = try required(key)
    guard let string = value.string else { throw wrong(key, value, "a string") }
    return string
  }

  func optionalString(_ key: String) throws(ProtocolError) -> String? {
    optional(key) == nil ? nil : try string(key)
  }

  func strings(_ key: String) throws(ProtocolError) -> [String] {
    let value = try required(key)
    var strings: [String] = []
    for element in value.array ?? [] {
      guard let string = element.string else { throw wrong(key, element, "a string") }
      strings.append(string)
    }
    guard value.array != nil else { throw wrong(key, value, "an array of strings") }
    return strings
  }

  func optionalStrings(_ key: String) throws(ProtocolError) -> [String]? {
    optional(key) == nil ? nil : try strings(key)
  }

  /// One of a closed list of words.
  func word<T: RawRepresentable>(
    _ key: String, _ words: [T]
  ) throws(ProtocolError) -> T where T.RawValue == String {
    let value = try required(key)
    if let string = value.string, let word = words.first(where: { $0.rawValue == string }) {
      return word
    }
    throw wrong(key, value, "one of " + words.map(\.rawValue).joined(separator: ", "))
  }

  func optionalWord<T: RawRepresentable>(
    _ key: String, _ words: [T]
  ) throws(ProtocolError) -> T? where T.RawValue == String {
    optional(key) == nil ? nil : try word(key, words)
  }

  func instant(_ key: String) throws(ProtocolError) -> UTCInstant {
    let value = try required(key)
    guard let text = value.string, let parsed = RFC3339.parse(text) else {
      throw wrong(key, value, "a time as 2026-05-04T07:08:09.000Z")
    }
    return parsed.instant
  }

  func optionalInstant(_ key: String) throws(ProtocolError) -> UTCInstant? {
    optional(key) == nil ? nil : try instant(key)
  }

  // Numbers --------------------------------------------------------------------------------------

  func number(
    _ key: String, in range: ClosedRange<Double> = -1e15...1e15
  ) throws(ProtocolError) -> Double {
    let value = try required(key)
    guard let number = value.number, range.contains(number) else {
      throw wrong(key, value, "a number\(Self.words(range))")
    }
    return number
  }

  func optionalNumber(
    _ key: String, in range: ClosedRange<Double> = -1e15...1e15
  ) throws(ProtocolError) -> Double? {
    optional(key) == nil ? nil : try number(key, in: range)
  }

  /// A whole number; 2⁵³ − 1 is the largest that JSON carries exactly (RFC 8259, section 6).
  func integer(
    _ key: String, in range: ClosedRange<Int64> = -9_007_199_254_740_991...9_007_199_254_740_991
  ) throws(ProtocolError) -> Int64 {
    let value = try required(key)
    guard let number = value.number, let integer = Int64(exactly: number), range.contains(integer)
    else {
      throw wrong(
        key, value, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  func optionalInteger(_ key: String) throws(ProtocolError) -> Int64? {
    optional(key) == nil ? nil : try integer(key)
  }

  /// A count or a sequence number.
  /// `nil` where the member is not there, or is null.
  func optionalCount(_ key: String) throws(ProtocolError) -> UInt64? {
    optional(key) == nil ? nil : try count(key)
  }

  func count(_ key: String) throws(ProtocolError) -> UInt64 {
    UInt64(try integer(key, in: 0...9_007_199_254_740_991))
  }

  private static func words(_ range: ClosedRange<Double>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (-1e15, 1e15): ""
    case (let low, 1e15), (let low, .greatestFiniteMagnitude):
      " of \(Decimal.text(low, decimals: 3, trimmed: true)) or more"
    case (let low, let high):
      " from \(Decimal.text(low, decimals: 3, trimmed: true)) to "
        + Decimal.text(high, decimals: 3, trimmed: true)
    }
  }

  // Others ---------------------------------------------------------------------------------------

  func bool(_ key: String) throws(ProtocolError) -> Bool {
    let value = try required(key)
    guard let bool = value.bool else { throw wrong(key, value, "true or false") }
    return bool
  }

  func optionalBool(_ key: String) throws(ProtocolError) -> Bool? {
    optional(key) == nil ? nil : try bool(key)
  }

  /// The object of a member.
  func object(_ key: String) throws(ProtocolError) -> ObjectReader {
    try ObjectReader(try required(key), name: "\(name).\(key)")
  }

  func optionalObject(_ key: String) throws(ProtocolError) -> ObjectReader? {
    optional(key) == nil ? nil : try object(key)
  }

  /// The objects of an array.
  func objects(_ key: String) throws(ProtocolError) -> [ObjectReader] {
    let value = try required(key)
    guard let elements = value.array else { throw wrong(key, value, "an array") }
    var objects: [ObjectReader] = []
    for (index, element) in elements.enumerated() {
      objects.append(try ObjectReader(element, name: "\(name).\(key)[\(index)]"))
    }
    return objects
  }
}
