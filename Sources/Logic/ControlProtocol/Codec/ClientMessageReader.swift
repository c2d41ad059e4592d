// SPDX-License-Identifier: Apache-2.0

import JSONText

// Theory
// ======
//
// A client's bytes are cut into messages as in gpsd: several may stand on one line, white space and
// surplus `;` between them mean nothing, and an object ends its message even without a `;`. A line end
// always ends a message, so that a broken one never costs more than its line.
//
//            space ;                    ; or line end: message
//            ┌───┐      any other     ┌────────────────────────┐
//            ▼   │    ┌────────────▶ name ──── { ───▶ object ──┤ closing brace or line end: message
//          between ───┘               │                  │     ▼
//            ▲                        │ over the limit   │   between
//            └──── line end ──── skipping ◀──────────────┘
//
// An acknowledgement in its usual spelling, the most frequent message by far, is read at once.
//
// Braces and `;` inside a JSON string are text. The bytes of a message over the limit are dropped up to
// the line end, with one error. No more than the limit and one chunk are ever held.

/// Cuts a client's bytes into messages and decodes them, in whatever pieces the bytes arrive.
package struct ClientMessageReader: Sendable {
  /// The greatest size of a message, bytes.
  package let limit: Int
  private var buffer: [UInt8] = []
  /// The start of the open message in `buffer`, and the place up to which it was read.
  private var start = 0
  private var position = 0
  private var place = Place.between
  /// The setting that `?WATCH;` reports: it asks for the setting, and is read as setting the present one.
  private var isWatching = false

  private enum Place: Sendable, Equatable {
    /// Between two messages.
    case between
    /// In a message, before an object.
    case name
    /// Within `depth` braces, and within a string in them, behind a backslash.
    case object(depth: Int, isText: Bool, isEscaped: Bool)
    /// In the rest of an overlong line.
    case skipping
  }

  package init(limit: Int = 65_536) { self.limit = limit }

  /// Bytes received that are not part of an answer yet.
  package var held: Int { buffer.count - start }

  package mutating func append(_ bytes: borrowing Span<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      position -= start
      start = 0
    }
    buffer.append(copying: bytes)
  }

  /// A message, or its fault, and the client's name for it.
  package struct Request: Sendable {
    package let message: Result<ClientMessage, ProtocolError>
    package let id: String?
  }

  /// The next message, or its fault; `nil` if more bytes are needed.
  package mutating func next() -> Request? {
    while position < buffer.count {
      let byte = buffer[position]
      position += 1
      switch place {
      case .between:
        start = position - 1
        if byte == UInt8(ascii: ";") || Self.isSpace(byte) {
          start = position
        } else if let request = acknowledgement() {
          return request
        } else {
          place = .name
        }
      case .skipping:
        start = position
        if byte == 0x0A { place = .between }
      case .name:
        if byte == UInt8(ascii: ";") || byte == 0x0A { return finish(before: position - 1) }
        if byte == UInt8(ascii: "{") {
          place = .object(depth: 1, isText: false, isEscaped: false)
        }
      case .object(let depth, let isText, let isEscaped):
        if byte == 0x0A { return finish(before: position - 1) }
        place = Self.after(byte, depth: depth, isText: isText, isEscaped: isEscaped)
        if case .object(depth: 0, _, _) = place, position - start <= limit {
          return finish(before: position)
        }
      }
      if place != .skipping, position - start > limit { return refuse() }
    }
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 4_096)
      start = 0
      position = 0
    }
    return nil
  }

  private static let acknowledgement = Array(#"?ACK={"sequence":"#.utf8)

  /// Takes the message at `start`, if it is an acknowledgement without a space or an id that is whole in the buffer; the
  /// result is that of reading it like any other.
  private mutating func acknowledgement() -> Request? {
    guard let (number, end) = plainAcknowledgement() else { return nil }
    position = end
    start = end
    return Request(message: .success(.acknowledge(number)), id: nil)
  }

  private func plainAcknowledgement() -> (number: UInt64, end: Int)? {
    let (usual, bytes) = (Self.acknowledgement.span, buffer.span)
    let first = start + usual.count
    // Its 17 bytes are two words and a colon.
    guard first < bytes.count, ByteWord(bytes, at: start) == ByteWord(usual, at: 0),
      ByteWord(bytes, at: start + 8) == ByteWord(usual, at: 8), bytes[first - 1] == usual[16]
    else { return nil }
    var (end, number) = (first, UInt64(0))
    // A number of 15 digits is exact in JSON, and 0 begins no other.
    while end < bytes.count, end - first < 15, case let digit = bytes[end] &- 0x30, digit <= 9 {
      (number, end) = (number * 10 + UInt64(digit), end + 1)
    }
    guard end > first, bytes[first] != 0x30, end < bytes.count,
      bytes[end] == UInt8(ascii: "}"), end + 1 - start <= limit
    else { return nil }
    return (number, end + 1)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte) || byte == 0
  }

  private static func after(_ byte: UInt8, depth: Int, isText: Bool, isEscaped: Bool) -> Place {
    if isText {
      let ends = !isEscaped && byte == UInt8(ascii: "\"")
      let escapes = !isEscaped && byte == UInt8(ascii: "\\")
      return .object(depth: depth, isText: !ends, isEscaped: escapes)
    }
    switch byte {
    case UInt8(ascii: "\""): return .object(depth: depth, isText: true, isEscaped: false)
    case UInt8(ascii: "{"): return .object(depth: depth + 1, isText: false, isEscaped: false)
    case UInt8(ascii: "}"): return .object(depth: depth - 1, isText: false, isEscaped: false)
    default: return .object(depth: depth, isText: false, isEscaped: false)
    }
  }

  private mutating func finish(before end: Int) -> Request {
    let message = Array(buffer[start..<end])
    place = .between
    start = position
    let request = ClientMessage.request(in: message.span, watching: isWatching)
    switch request.message {
    case .success(.gpsd(.watch(let isOn))): isWatching = isOn
    case .success(.gpsd(.watchSentences(let json))): isWatching = json
    case .success, .failure: break
    }
    return request
  }

  private mutating func refuse() -> Request {
    let text = Quoted.bytes(buffer[start..<position].span)
    place = .skipping
    start = position
    let error = ProtocolError(
      "the message that begins with '\(text)' is longer than \(limit) bytes; the rest of the line "
        + "was dropped", code: .tooLong)
    return Request(message: .failure(error), id: nil)
  }
}
