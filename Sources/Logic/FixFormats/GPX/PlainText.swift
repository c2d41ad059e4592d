// SPDX-License-Identifier: Apache-2.0

/// The characters between tags, in quotes and in comments that are certainly valid and literal.
enum PlainText {
  /// The place of the characters.
  enum Place {
    /// Between tags, without a collected field.
    case text
    /// Between tags, as the value of a field.
    case field
    /// In the quotes of an attribute whose value is not used.
    case attribute
    /// In a comment or in CDATA, where references have no meaning.
    case literal
  }

  /// Whether expat would take these characters. `false` means unknown.
  static func isCertain(
    _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, _ place: Place
  ) -> Bool {
    var isASCII = true
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      switch byte {
      case 0x09, 0x0A: break
      case 0x0D: if place == .field { return false }
      case 0..<0x20: return false
      case UInt8(ascii: "<"): if place == .attribute { return false }
      case UInt8(ascii: "&") where place != .literal:
        guard place != .field, let end = reference(bytes, at: index, before: range.upperBound)
        else { return false }
        index = end
        continue
      case UInt8(ascii: "]") where place == .text || place == .field:
        // `]]>` is an error here.
        if index + 2 < range.upperBound, bytes[index + 1] == UInt8(ascii: "]"),
          bytes[index + 2] == UInt8(ascii: ">")
        {
          return false
        }
      case 0x80...: isASCII = false
      default: break
      }
      index += 1
    }
    return isASCII || isUTF8(bytes, range)
  }

  /// The place after a reference to one of the five characters that XML names, or `nil`.
  private static func reference(
    _ bytes: borrowing Span<UInt8>, at start: Int, before end: Int
  ) -> Int? {
    for name in ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"] as [StaticString] {
      let length = name.utf8CodeUnitCount
      if start + length <= end, has(name, bytes, at: start) { return start + length }
    }
    return nil
  }

  /// Whether the bytes are characters of XML in UTF-8: shortest forms, no surrogates, not U+FFFE or U+FFFF.
  private static func isUTF8(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      // The range of the second byte, and the number of bytes after the first (Unicode 15, table 3-7).
      let (low, high, count): (UInt8, UInt8, Int)
      switch byte {
      case ..<0x80: (low, high, count) = (0, 0, 0)
      case 0xC2...0xDF: (low, high, count) = (0x80, 0xBF, 1)
      case 0xE0: (low, high, count) = (0xA0, 0xBF, 2)
      case 0xED: (low, high, count) = (0x80, 0x9F, 2)
      case 0xE1...0xEF: (low, high, count) = (0x80, 0xBF, 2)
      case 0xF0: (low, high, count) = (0x90, 0xBF, 3)
      case 0xF1...0xF3: (low, high, count) = (0x80, 0xBF, 3)
      case 0xF4: (low, high, count) = (0x80, 0x8F, 3)
      default: return false
      }
      guard index + count < range.upperBound else { return false }
      for offset in 0..<count {
        let next = bytes[index + 1 + offset]
        guard next >= (offset == 0 ? low : 0x80), next <= (offset == 0 ? high : 0xBF) else {
          return false
        }
      }
      if byte == 0xEF, bytes[index + 1] == 0xBF, bytes[index + 2] >= 0xBE { return false }
      index += 1 + count
    }
    return true
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  static let standalone = Array("<?xml version=\"1.0\" standalone=\"yes\"?>".utf8)

  /// The declarations that count as plain, none of which begins another, and whether they state that the document
  /// stands alone. Android's serializer writes those with a blank before the end, Java's the others.
  private static let declarations: [(text: StaticString, isStandalone: Bool)] = [
    ("<?xml version=\"1.0\" encoding=\"utf-8\"?>", false),
    ("<?xml version='1.0' encoding='utf-8'?>", false),
    ("<?xml version=\"1.0\"?>", false), ("<?xml version='1.0'?>", false),
    ("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\"?>", false),
    ("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\" ?>", false),
    ("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>", true),
    ("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\" ?>", true),
    ("<?xml version='1.0' encoding='utf-8' standalone='yes'?>", true),
    ("<?xml version='1.0' encoding='utf-8' standalone='yes' ?>", true),
  ]

  enum Declaration {
    case read(length: Int, isStandalone: Bool)
    /// The bytes end within one.
    case cut
    case other
  }

  static func declaration(_ bytes: borrowing Span<UInt8>, at position: Int) -> Declaration {
    for (text, isStandalone) in declarations {
      let utf8 = text.utf8CodeUnitCount
      var length = 0
      while length < utf8, position + length < bytes.count,
        isSame(bytes[position + length], text, length)
      { length += 1 }
      if length == utf8 { return .read(length: length, isStandalone: isStandalone) }
      if position + length == bytes.count { return .cut }
    }
    return .other
  }

  /// Whether `byte` is the one at `place` of `text`, in which letters of the encoding's name may be capitals.
  private static func isSame(_ byte: UInt8, _ text: StaticString, _ place: Int) -> Bool {
    let wanted = text.byte(at: place)
    if byte == wanted { return true }
    let isOfEncoding = (30..<35).contains(place) && wanted &- UInt8(ascii: "a") < 26
    return isOfEncoding && byte | 0x20 == wanted
  }

  static func has(_ text: StaticString, _ bytes: borrowing Span<UInt8>, at start: Int) -> Bool {
    for place in 0..<text.utf8CodeUnitCount where bytes[start + place] != text.byte(at: place) {
      return false
    }
    return true
  }
}

extension StaticString {
  func byte(at place: Int) -> UInt8 { unsafe utf8Start[place] }
}
