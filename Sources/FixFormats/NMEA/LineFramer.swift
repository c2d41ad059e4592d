// SPDX-License-Identifier: Apache-2.0

// Lines end with LF, CR LF or a bare CR; several CRs before an LF (text-mode Windows loggers) are one
// end. A line that lies whole in a chunk is handed on where it lies; only what a chunk's end cuts off
// is copied, into a buffer of at most `limit` bytes. A longer line is counted and its bytes dropped.

/// Where the next line of a chunk lies.
enum FramedLine {
  /// In the chunk itself.
  case inChunk(Range<Int>)
  /// In `carry`: it began in an earlier chunk.
  case carried
  /// It was longer than `limit`.
  case tooLong
}

struct LineFramer: Sendable, Equatable {
  /// Longest line that is looked at, in bytes. NMEA 0183 allows 82, joined lines and logger prefixes
  /// make them longer.
  static let limit = 1_024

  /// The beginning of a line that no end was seen of.
  private(set) var carry: [UInt8] = []
  private var overflowed = false
  private var endedWithReturn = false
  private var carryIsDone = false

  /// The next complete line at or after `position`, or `nil` where the chunk holds no further end;
  /// what remains is kept for the next chunk. `position` moves on.
  mutating func next(_ bytes: borrowing Span<UInt8>, at position: inout Int) -> FramedLine? {
    if carryIsDone { forget() }
    let end = bytes.count
    if endedWithReturn {
      while position < end, bytes[position] == 13 { position += 1 }
      guard position < end else { return nil }
      if bytes[position] == 10 { position += 1 }
      endedWithReturn = false
    }
    let start = position
    var index = start
    while index < end {
      let byte = bytes[index]
      if byte < 14 && (byte == 10 || byte == 13) { break }
      index += 1
    }
    guard index < end else {
      keep(bytes, start..<end)
      position = end
      return nil
    }
    endedWithReturn = bytes[index] == 13
    position = index + 1
    if carry.isEmpty && !overflowed {
      return index - start > Self.limit ? .tooLong : .inChunk(start..<index)
    }
    keep(bytes, start..<index)
    carryIsDone = true
    return overflowed ? .tooLong : .carried
  }

  /// The last line, where the bytes did not end with a line's end.
  mutating func last() -> FramedLine? {
    if carryIsDone { forget() }
    if overflowed { return .tooLong }
    return carry.isEmpty ? nil : .carried
  }

  private mutating func forget() {
    carry.removeAll(keepingCapacity: true)
    overflowed = false
    carryIsDone = false
  }

  private mutating func keep(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    guard carry.count + range.count <= Self.limit else {
      overflowed = true
      return
    }
    for index in range { carry.append(bytes[index]) }
  }
}
