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
    words[0] = ByteWord(bytes, from: range.lowerBound, to: Self.end(range, 8)).bits
    if count > 8 {
      words[1] = ByteWord(bytes, from: range.lowerBound + 8, to: Self.end(range, 16)).bits
      if count > 16 {
        words[2] = ByteWord(bytes, from: range.lowerBound + 16, to: Self.end(range, 24)).bits
        if count > 24 {
          words[3] = ByteWord(bytes, from: range.lowerBound + 24, to: range.upperBound).bits
        }
      }
    }
  }

  private static func end(_ range: Range<Int>, _ places: Int) -> Int {
    min(range.lowerBound + places, range.upperBound)
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

  mutating func entry(_ raw: RawName) -> Entry {
    let slot = raw.slot
    if let entry = entries[slot], entry.raw == raw { return entry }
    let name = ElementName(raw.bytes)
    let entry = Entry(raw: raw, name: name, element: name.map(GPXElement.named) ?? .other)
    entries[slot] = entry
    return entry
  }
}
