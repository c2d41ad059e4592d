// SPDX-License-Identifier: Apache-2.0

import JSONText

// Numbers, truth, dates and times: a run of letters, digits and a few signs, judged as a whole.

extension TOMLReader {
  mutating func scalar() throws(SyntaxError) -> JSONValue {
    let start = at
    skipToken()
    // One blank may separate a date and its time.
    if TOMLDate.isDate(bytes[start..<at]), next == UInt8(ascii: " "), at + 3 < bytes.count,
      Self.isDigit(bytes[at + 1]), Self.isDigit(bytes[at + 2]), bytes[at + 3] == UInt8(ascii: ":")
    {
      at += 1
      skipToken()
    }
    let token = Array(bytes[start..<at])
    let text = String(decoding: token, as: UTF8.self)
    switch text {
    case "": throw failure("a value was expected")
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "inf", "+inf", "-inf", "nan", "+nan", "-nan":
      throw SyntaxError(start, "not a finite number; no setting means inf or nan")
    default: break
    }
    if let date = TOMLDate.text(of: token) { return .string(date) }
    if let number = Self.integer(token) ?? Self.decimal(token) {
      guard number.isFinite else {
        throw SyntaxError(start, "the number is too large")
      }
      return .number(number)
    }
    let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
    throw SyntaxError(
      start, "'\(shown)' is no number, date, true or false; a text stands in quotes")
  }

  private mutating func skipToken() {
    while let byte = next, Self.isToken(byte) { at += 1 }
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    isBare(byte) || [UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: ":")].contains(byte)
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A whole number of 64 bits; infinite if it is larger, `nil` if it is no number.
  private static func integer(_ token: [UInt8]) -> Double? {
    let radixes: [UInt8: Int] = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2]
    if token.count > 2, token[0] == UInt8(ascii: "0"), let radix = radixes[token[1]] {
      guard let digits = plain(token[2...], radix) else { return nil }
      return Int64(digits, radix: radix).map(Double.init) ?? .infinity
    }
    let (sign, rest) = signed(token[...])
    guard let digits = plain(rest, 10), rest.count == 1 || rest.first != UInt8(ascii: "0")
    else { return nil }
    return Int64(sign + digits).map(Double.init) ?? .infinity
  }

  /// A number with a fraction, an exponent, or both.
  private static func decimal(_ token: [UInt8]) -> Double? {
    let (sign, rest) = signed(token[...])
    let parts = rest.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E")
    }
    let mantissa = parts[0].split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = plain(mantissa[0], 10),
      mantissa[0].count == 1 || mantissa[0].first != UInt8(ascii: "0")
    else { return nil }
    var text = sign + whole
    if mantissa.count == 2 {
      guard let fraction = plain(mantissa[1], 10) else { return nil }
      text += "." + fraction
    }
    if parts.count == 2 {
      let (sign, rest) = signed(parts[1])
      guard let exponent = plain(rest, 10) else { return nil }
      text += "e" + sign + exponent
    }
    return Double(text)
  }

  private static func signed(_ token: ArraySlice<UInt8>) -> (sign: String, rest: ArraySlice<UInt8>)
  {
    switch token.first {
    case UInt8(ascii: "+"): ("", token.dropFirst())
    case UInt8(ascii: "-"): ("-", token.dropFirst())
    default: ("", token)
    }
  }

  /// The digits without their underscores, which are allowed only between digits; `nil` if anything else is there, or
  /// nothing.
  private static func plain(_ part: ArraySlice<UInt8>, _ radix: Int) -> String? {
    var digits: [UInt8] = []
    var wasDigit = false
    for byte in part {
      if byte == UInt8(ascii: "_"), wasDigit {
        wasDigit = false
      } else {
        guard isHexadecimal(byte), let value = Int(String(Unicode.Scalar(byte)), radix: 16),
          value < radix
        else { return nil }
        digits.append(byte)
        wasDigit = true
      }
    }
    return wasDigit ? String(decoding: digits, as: UTF8.self) : nil
  }
}

/// Dates and times in RFC 3339, whole or in part.
enum TOMLDate {
  /// `2026-05-04`, whatever its numbers.
  static func isDate(_ token: ArraySlice<UInt8>) -> Bool { fits(token, "dddd-dd-dd") }

  /// The text with a T between date and time and a Z for UTC; `nil` if it is no date or time.
  static func text(of token: [UInt8]) -> String? {
    var rest = token[...]
    var text = ""
    if isDate(rest.prefix(10)) {
      guard let date = takeDate(&rest) else { return nil }
      text = date
      if rest.isEmpty { return text }
      let separators = [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")]
      guard let separator = rest.popFirst(), separators.contains(separator) else { return nil }
      text += "T"
      guard let time = takeTime(&rest), let offset = takeOffset(&rest) else { return nil }
      text += time + offset
    } else {
      guard let time = takeTime(&rest) else { return nil }
      text = time
    }
    return rest.isEmpty ? text : nil
  }

  private static func fits(_ token: ArraySlice<UInt8>, _ pattern: String) -> Bool {
    token.count == pattern.utf8.count
      && zip(token, pattern.utf8).allSatisfy { byte, sign in
        sign == UInt8(ascii: "d") ? TOMLReader.isDigit(byte) : byte == sign
      }
  }

  private static func number(_ token: ArraySlice<UInt8>, _ from: Int, _ count: Int) -> Int {
    token.dropFirst(from).prefix(count).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func takeDate(_ rest: inout ArraySlice<UInt8>) -> String? {
    let (year, month, day) = (number(rest, 0, 4), number(rest, 5, 2), number(rest, 8, 2))
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...days[month - 1]).contains(day) else { return nil }
    return take(10, from: &rest)
  }

  private static func takeTime(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard fits(rest.prefix(8), "dd:dd:dd"), number(rest, 0, 2) < 24, number(rest, 3, 2) < 60,
      number(rest, 6, 2) < 60
    else { return nil }
    var time = take(8, from: &rest)
    guard rest.first == UInt8(ascii: ".") else { return time }
    let digits = rest.dropFirst().prefix(while: TOMLReader.isDigit).count
    guard digits > 0 else { return nil }
    time += take(digits + 1, from: &rest)
    return time
  }

  /// Empty if none is stated.
  private static func takeOffset(_ rest: inout ArraySlice<UInt8>) -> String? {
    switch rest.first {
    case nil: return ""
    case UInt8(ascii: "Z"), UInt8(ascii: "z"):
      rest = rest.dropFirst()
      return "Z"
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      guard fits(rest.dropFirst().prefix(5), "dd:dd"), number(rest, 1, 2) < 24,
        number(rest, 4, 2) < 60
      else { return nil }
      return take(6, from: &rest)
    default: return nil
    }
  }

  private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) -> String {
    defer { rest = rest.dropFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }
}
