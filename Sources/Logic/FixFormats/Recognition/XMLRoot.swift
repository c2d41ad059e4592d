// SPDX-License-Identifier: Apache-2.0

/// The kind of an XML document.
enum XMLRoot {
  /// The local name of the first element, past declarations, comments and the document type.
  static func name(_ bytes: [UInt8]) -> String? {
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "<"), index + 1 < bytes.count else {
        index += 1
        continue
      }
      switch bytes[index + 1] {
      case UInt8(ascii: "?"): index = end(of: "?>", in: bytes, from: index)
      case UInt8(ascii: "!"):
        let isComment = bytes[index...].starts(with: Array("<!--".utf8))
        if isComment {
          index = end(of: "-->", in: bytes, from: index + 4)
        } else {
          index = endOfDocumentType(in: bytes, from: index)
        }
      default:
        let name = bytes[(index + 1)...].prefix { $0 > 0x20 && $0 != 0x3E && $0 != 0x2F }
        let local = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last
        return local.map { String(decoding: $0, as: UTF8.self) }
      }
    }
    return nil
  }

  private static func end(of mark: String, in bytes: [UInt8], from start: Int) -> Int {
    let mark = Array(mark.utf8)
    var index = start
    while index + mark.count <= bytes.count {
      if bytes[index...].starts(with: mark) { return index + mark.count }
      index += 1
    }
    return bytes.count
  }

  /// The place behind `>`, past an internal subset in brackets.
  private static func endOfDocumentType(in bytes: [UInt8], from start: Int) -> Int {
    var depth = 0
    for index in start..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">") where depth <= 0: return index + 1
      default: break
      }
    }
    return bytes.count
  }
}
