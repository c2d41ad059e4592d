// SPDX-License-Identifier: Apache-2.0

/// Cuts a GeoJSON text into its features, byte by byte, so that never more than one is in memory.
///
/// Theory. Three places: *outside* any document; *in a head*, the members of a document's outermost
/// object; *in a list*, the array behind its key `features`, or `locations` as in Overland's
/// messages. In the head all bytes are kept; if the object ends there, it was a feature or a bare
/// geometry itself, and is returned whole. Once such a key and `[` are seen at depth 1 the head is
/// dropped, and each object of the list is returned. The rest after the list, up to the end of its
/// document, is skipped. Several documents, one after another or one per line, with or without record
/// separators (RFC 8142), are read alike.
package struct FeatureSplitter: Sendable {
  private enum Place {
    case outside
    case head
    case list
    case tail
  }

  /// The keys of a list of features: GeoJSON's, and that of Overland's messages.
  package static let features = ["features", "locations"]

  private let lists: [[UInt8]]
  /// The length of a key that matters: one more than that of the longest list's.
  private let keyLength: Int

  /// The object, valid after `next` returned true.
  package private(set) var object: [UInt8] = []
  /// The 1-based line on which it ended.
  package private(set) var line = 1
  /// Whether an object was longer than `limit`.
  package private(set) var isTooLong = false

  let limit: Int
  private var place = Place.outside
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The last string read at depth 1.
  private var key: [UInt8] = []
  /// Whether that is one of `lists`, and nothing but a colon followed.
  private var isListKey = false
  private var isHandedOut = false

  /// `lists` are the keys of lists whose objects are wanted.
  package init(limit: Int, lists: [String] = Self.features) {
    self.limit = limit
    self.lists = lists.map { Array($0.utf8) }
    keyLength = 1 + (self.lists.map(\.count).max() ?? 0)
  }

  /// Whether the text ended inside a document.
  package var isOpen: Bool { place != .outside }

  /// Reads on from `position`; `true` if an object is complete.
  package mutating func next(_ bytes: borrowing Span<UInt8>, from position: inout Int) -> Bool {
    if isHandedOut {
      object.removeAll(keepingCapacity: object.count < 65_536)
      isHandedOut = false
    }
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == 0x0A { line += 1 }
      if place == .outside && byte != UInt8(ascii: "{") { continue }
      if place == .head || (place == .list && depth > 1) || (byte == UInt8(ascii: "{")) {
        if place != .tail { keep(byte) }
      }
      if isTooLong { return false }
      if isInString {
        takeInString(byte)
      } else if accept(byte) {
        isHandedOut = true
        return true
      }
    }
    return false
  }

  private mutating func keep(_ byte: UInt8) {
    if object.count < limit { object.append(byte) } else { isTooLong = true }
  }

  private mutating func takeInString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
      isListKey = place == .head && depth == 1 && lists.contains(key)
    } else if place == .head, depth == 1, key.count < keyLength {
      key.append(byte)
    }
  }

  /// Takes a byte outside strings; `true` if it completes an object.
  private mutating func accept(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      key.removeAll(keepingCapacity: true)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if place == .outside {
        place = .head
      } else if place == .head, isListKey, byte == UInt8(ascii: "[") {
        place = .list
        object.removeAll(keepingCapacity: true)
        depth = 0
      }
      depth += 1
      isListKey = false
    case UInt8(ascii: "}"), UInt8(ascii: "]"): return closeBracket()
    case UInt8(ascii: ","): isListKey = false
    default: break
    }
    return false
  }

  private mutating func closeBracket() -> Bool {
    depth -= 1
    switch place {
    case .head where depth == 0:
      place = .outside
      return true
    case .list where depth == 1: return true
    case .list where depth == 0:
      place = .tail
      depth = 1
    case .tail where depth == 0: place = .outside
    default: break
    }
    return false
  }
}
