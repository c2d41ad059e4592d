// SPDX-License-Identifier: Apache-2.0

import JSONText

/// The name of an element as the document writes it, including the prefix, of at most 32 bytes: equal words
/// are equal names.
struct RawName: Equatable {
  private var words = SIMD4<UInt64>.zero
  let count: Int

  static let longest = 32

  /// The bytes of a name, `longest` of them at most; none of them is 0.
  @inline(__always)
  init(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    count = range.count
    words[0] = ByteWord(bytes, from: range.lowerBound, to: Self.prefixEnd(range, 8)).bits
    if count > 8 {
      words[1] = ByteWord(bytes, from: range.lowerBound + 8, to: Self.prefixEnd(range, 16)).bits
      if count > 16 {
        words[2] = ByteWord(bytes, from: range.lowerBound + 16, to: Self.prefixEnd(range, 24)).bits
        if count > 24 {
          words[3] = ByteWord(bytes, from: range.lowerBound + 24, to: range.upperBound).bits
        }
      }
    }
  }

  private static func prefixEnd(_ range: Range<Int>, _ places: Int) -> Int {
    min(range.lowerBound + places, range.upperBound)
  }

  // Names with other characters than these are left to expat.

  @inline(__always)
  static func begins(with byte: UInt8) -> Bool {
    byte | 0x20 &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
  }

  @inline(__always)
  static func holds(_ byte: UInt8) -> Bool {
    byte | 0x20 &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  /// The place of the first byte from `start` on that ends a name in a tag, a blank, `/` or `>`, or that is not ASCII;
  /// behind all bytes if there is none.
  @inline(__always)
  static func nameEnd(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end + ByteBlock.length <= bytes.count {
      let found = ByteBlock(bytes, at: end)
        .marks(outside: 0x21..<0x80, or: UInt8(ascii: ">"), or: UInt8(ascii: "/"))
      if !found.isEmpty { return end + found.place }
      end += ByteBlock.length
    }
    while end < bytes.count, (0x21..<0x80).contains(bytes[end]), bytes[end] != UInt8(ascii: ">"),
      bytes[end] != UInt8(ascii: "/")
    { end += 1 }
    return end
  }

  var bytes: [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: words[$0 >> 3] >> UInt64(($0 & 7) * 8)) }
  }

  /// 0 to 63, usually different for different names.
  var slot: Int {
    let mixed = (words[0] ^ words[1] ^ words[2] ^ words[3]) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 58)
  }
}

/// The elements' names and their known meanings, remembered, as a document has few names and each of them often.
struct NameMemory {
  struct Entry {
    let raw: RawName
    /// `nil` if it is longer than any known one.
    let name: ElementName?
    let element: GPXElement
  }

  private var entries = [Entry?](repeating: nil, count: 64)

  /// `nil` if it is not remembered, or no longer.
  subscript(raw: RawName) -> Entry? {
    guard let entry = entries[raw.slot], entry.raw == raw else { return nil }
    return entry
  }

  /// Remembers the name at `range`, in the place of another one; `nil` if it is none.
  mutating func learn(
    _ raw: RawName, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>
  ) -> Entry? {
    guard RawName.begins(with: bytes[range.lowerBound]) else { return nil }
    for place in range where !RawName.holds(bytes[place]) { return nil }
    let name = ElementName(raw.bytes)
    let entry = Entry(raw: raw, name: name, element: name.map(GPXElement.named) ?? .other)
    entries[raw.slot] = entry
    return entry
  }
}
