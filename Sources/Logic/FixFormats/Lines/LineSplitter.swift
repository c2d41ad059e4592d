// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Cuts a stream of bytes into lines, in bounded memory.
///
/// A line ends at LF, at CR LF or at a bare CR; several CRs before an LF (text-mode Windows loggers) are one end. A
/// line that lies whole in a chunk is read in place; only the part cut off by the end of a chunk is copied. Only the
/// first `limit` bytes of a longer line are kept, and `isCut` says so. A UTF-8 byte order mark before the first line is
/// dropped.
package struct LineSplitter: Sendable {
  package let limit: Int
  /// The 1-based number of the current line.
  package private(set) var number = 0
  /// Whether it is longer than `limit`.
  package private(set) var isCut = false
  /// Whether it was the last of the file without an end: its writer may have been stopped within it.
  package private(set) var isUnterminated = false
  /// The range of the current line in the chunk; `nil` if it lies in `carried`.
  private(set) var range: Range<Int>?
  /// The beginning of a line whose end has not been seen yet.
  private(set) var carried: [UInt8] = []
  private var isComplete = false
  private var endedWithReturn = false

  package init(limit: Int) { self.limit = limit }

  /// Reads on from `position`; `true` if a line is complete, `false` if more bytes are needed.
  package mutating func next(_ bytes: borrowing Span<UInt8>, from position: inout Int) -> Bool {
    if isComplete { beginLine() }
    let end = bytes.count
    guard passEnd(bytes, from: &position) else { return false }
    let start = position
    let index = Self.lineEnd(bytes, from: start)
    guard index < end else {
      keep(bytes, start..<end)
      position = end
      return false
    }
    endedWithReturn = bytes[index] == 13
    position = index + 1
    if carried.isEmpty {
      isCut = index - start > limit
      range = start..<(isCut ? start + limit : index)
    } else {
      keep(bytes, start..<index)
    }
    complete(bytes)
    return true
  }

  /// Skips the rest of the last line's end; `false` if that may continue in the next chunk.
  private mutating func passEnd(
    _ bytes: borrowing Span<UInt8>, from position: inout Int
  ) -> Bool {
    guard endedWithReturn else { return true }
    while position < bytes.count, bytes[position] == 13 { position += 1 }
    guard position < bytes.count else { return false }
    if bytes[position] == 10 { position += 1 }
    endedWithReturn = false
    return true
  }

  /// Whether a line begins at `position`, which skips the rest of the end before it.
  @inline(__always)
  mutating func beginsLine(_ bytes: borrowing Span<UInt8>, at position: inout Int) -> Bool {
    if isComplete { beginLine() }
    return carried.isEmpty && passEnd(bytes, from: &position) && position < bytes.count
  }

  /// Counts a line that its reader has found behind `beginsLine`, with its end: one that begins with no byte order
  /// mark.
  mutating func pass() { number += 1 }

  /// The place of the next LF or CR, or the end of the bytes.
  private static func lineEnd(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    var index = start
    while bytes.count - index >= ByteBlock.length {
      let marks = ByteBlock(bytes, at: index).marks(of: 10, or: 13)
      if !marks.isEmpty { return index + marks.place }
      index += ByteBlock.length
    }
    while index < bytes.count, bytes[index] != 10, bytes[index] != 13 { index += 1 }
    return index
  }

  /// Ends the bytes; `true` if a last line without an end is pending.
  package mutating func last() -> Bool {
    if isComplete { beginLine() }
    guard !carried.isEmpty else { return false }
    let nothing: [UInt8] = []
    complete(nothing.span)
    isUnterminated = true
    return true
  }

  /// A copy of the next line; `nil` if more bytes are needed.
  package mutating func nextLine(
    _ bytes: borrowing Span<UInt8>, from position: inout Int
  ) -> [UInt8]? { next(bytes, from: &position) ? line(of: bytes) : nil }

  /// Ends the bytes; returns the last line if it has no end.
  package mutating func lastLine() -> [UInt8]? { last() ? carried : nil }

  /// A copy of the current line, which `next` found in `bytes`.
  package func line(of bytes: borrowing Span<UInt8>) -> [UInt8] {
    guard let range else { return carried }
    return Array(copying: bytes.extracting(range))
  }

  private mutating func beginLine() {
    isComplete = false
    isCut = false
    range = nil
    if !carried.isEmpty { carried.removeAll(keepingCapacity: true) }
  }

  private mutating func complete(_ bytes: borrowing Span<UInt8>) {
    isComplete = true
    number += 1
    if number == 1 { dropByteOrderMark(bytes) }
  }

  private mutating func dropByteOrderMark(_ bytes: borrowing Span<UInt8>) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    guard let range else {
      if carried.starts(with: mark) { carried.removeFirst(3) }
      return
    }
    let isMarked =
      range.count >= 3 && mark.indices.allSatisfy { bytes[range.lowerBound + $0] == mark[$0] }
    if isMarked { self.range = (range.lowerBound + 3)..<range.upperBound }
  }

  private mutating func keep(_ bytes: borrowing Span<UInt8>, _ part: Range<Int>) {
    let room = min(part.count, limit - carried.count)
    isCut = isCut || room < part.count
    for index in part.lowerBound..<(part.lowerBound + room) { carried.append(bytes[index]) }
  }
}

extension Array where Element == UInt8 {
  init(copying bytes: borrowing Span<UInt8>) {
    self = []
    append(copying: bytes)
  }
}
