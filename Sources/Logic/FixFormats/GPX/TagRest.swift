// SPDX-License-Identifier: Apache-2.0

/// The part of a start tag behind its name: attributes, each after at least one blank, and the end. One value serves all
/// tags, as it keeps its memory.
struct TagRest {
  /// The place behind the tag.
  private(set) var position = 0
  private(set) var isEmpty = false
  /// The places of the values of `lat` and `lon`, in the order of the tag: the first bad one is reported.
  private(set) var first: (name: GPXCoordinate, range: Range<Int>)?
  private(set) var second: (name: GPXCoordinate, range: Range<Int>)?
  /// The places of the attributes' names.
  private var names: [Range<Int>] = []

  static let limit = 32

  /// Takes the end of a tag without attributes.
  mutating func end(at position: Int) {
    (self.position, isEmpty) = (position, false)
    (first, second) = (nil, nil)
  }

  /// Reads the rest of a tag, behind its name.
  mutating func readRest(_ bytes: borrowing Span<UInt8>, from start: Int) -> PlainXML.Token {
    end(at: start)
    names.removeAll(keepingCapacity: true)
    while true {
      let blank = position
      while position < bytes.count, PlainText.isBlank(bytes[position]) { position += 1 }
      guard position < bytes.count else { return .cut }
      if bytes[position] == UInt8(ascii: ">") {
        position += 1
        return .taken
      }
      if bytes[position] == UInt8(ascii: "/") {
        guard position + 1 < bytes.count else { return .cut }
        (position, isEmpty) = (position + 2, true)
        return bytes[position - 1] == UInt8(ascii: ">") ? .taken : .unclear
      }
      guard position > blank else { return .unclear }
      let token = readAttribute(bytes)
      guard token == .taken else { return token }
    }
  }

  private mutating func readAttribute(_ bytes: borrowing Span<UInt8>) -> PlainXML.Token {
    let start = position
    while position < bytes.count, RawName.holds(bytes[position]) { position += 1 }
    guard position + 1 < bytes.count else { return .cut }
    let name = start..<position
    let quote = bytes[position + 1]
    guard !name.isEmpty, RawName.begins(with: bytes[start]), bytes[position] == UInt8(ascii: "="),
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), remember(name, bytes)
    else { return .unclear }
    let mark: Unicode.Scalar = quote == UInt8(ascii: "'") ? "'" : "\""
    guard let run = CharacterRun(bytes, from: position + 2, to: mark, odd: "<") else {
      return .cut
    }
    position = run.range.upperBound + 1
    if let coordinate = Self.coordinate(bytes, name) {
      // Its value is used, so it must be literal.
      if run.isOdd { return .unclear }
      if first == nil { first = (coordinate, run.range) } else { second = (coordinate, run.range) }
    } else if run.isOdd, !PlainText.isCertain(bytes, run.range, .attribute) {
      return .unclear
    }
    return .taken
  }

  @inline(__always)
  private static func coordinate(
    _ bytes: borrowing Span<UInt8>, _ name: Range<Int>
  ) -> GPXCoordinate? {
    guard name.count == 3, bytes[name.lowerBound] == UInt8(ascii: "l") else { return nil }
    switch (bytes[name.lowerBound + 1], bytes[name.lowerBound + 2]) {
    case (UInt8(ascii: "a"), UInt8(ascii: "t")): return .latitude
    case (UInt8(ascii: "o"), UInt8(ascii: "n")): return .longitude
    default: return nil
    }
  }

  /// Keeps the name of an attribute; `false` if the tag has it already, or has too many.
  private mutating func remember(_ name: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Bool {
    for other in names where other.count == name.count {
      var isSame = true
      for offset in 0..<name.count
      where bytes[other.lowerBound + offset] != bytes[name.lowerBound + offset] {
        isSame = false
        break
      }
      if isSame { return false }
    }
    names.append(name)
    return names.count <= Self.limit
  }
}
