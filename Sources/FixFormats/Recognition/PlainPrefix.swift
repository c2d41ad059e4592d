// SPDX-License-Identifier: Apache-2.0

/// The first bytes of an input without byte order mark and leading blanks; UTF-16 narrowed to ASCII.
struct PlainPrefix {
  private(set) var bytes: [UInt8] = []
  private(set) var isUTF16 = false

  init(_ prefix: borrowing Span<UInt8>) {
    let isLittle = Self.begins(prefix, [0xFF, 0xFE]) || Self.begins(prefix, [0x3C, 0x00])
    let isBig = Self.begins(prefix, [0xFE, 0xFF]) || Self.begins(prefix, [0x00, 0x3C])
    isUTF16 = isLittle || isBig
    if isUTF16 {
      var index = 0
      while index + 1 < prefix.count {
        let (low, high) = isLittle ? (0, 1) : (1, 0)
        let unit = UInt16(prefix[index + high]) << 8 | UInt16(prefix[index + low])
        index += 2
        if unit != 0xFEFF { bytes.append(unit < 0x80 ? UInt8(unit) : UInt8(ascii: "?")) }
      }
    } else {
      for index in (Self.begins(prefix, [0xEF, 0xBB, 0xBF]) ? 3 : 0)..<prefix.count {
        bytes.append(prefix[index])
      }
    }
    let blanks = bytes.prefix { Self.isBlank($0) }.count
    bytes.removeFirst(blanks)
  }

  /// The first byte that is not blank.
  var firstByte: UInt8? { bytes.first }

  /// The lines that are neither blank nor `#` comments, without leading blanks and line ends.
  var lines: [ArraySlice<UInt8>] {
    bytes.split(separator: 0x0A).compactMap { line in
      let text = line.drop(while: Self.isBlank)
      guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
      return text.last == 0x0D ? text.dropLast() : text
    }
  }

  /// Whether more than one byte in ten is a control character that no text holds.
  var looksBinary: Bool {
    let odd = bytes.count { $0 < 0x20 && !Self.isBlank($0) || $0 == 0x7F }
    return odd * 10 > bytes.count || bytes.contains(0)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private static func begins(_ prefix: borrowing Span<UInt8>, _ bytes: [UInt8]) -> Bool {
    guard prefix.count >= bytes.count else { return false }
    for index in bytes.indices where prefix[index] != bytes[index] { return false }
    return true
  }
}
