// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into lines, in bounded memory.
///
/// A line ends at LF; a CR before it is dropped. Of a line that is longer than `limit` only the first
/// `limit` bytes are kept, and `isCut` says so. A UTF-8 byte order mark before the first line is
/// dropped.
package struct LineSplitter: Sendable {
  package let limit: Int
  /// The current line, valid after `next` returned true.
  package private(set) var line: [UInt8] = []
  /// Its 1-based number.
  package private(set) var number = 0
  /// Whether it was longer than `limit`.
  package private(set) var isCut = false
  /// Whether it was the last of the file and had no LF: its writer may have been stopped within it.
  package private(set) var isUnterminated = false
  private var isComplete = true
  private var hasBytes = false

  package init(limit: Int) { self.limit = limit }

  /// Reads on from `position`; `true` where a line is complete, `false` where more bytes are needed.
  package mutating func next(_ bytes: borrowing Span<UInt8>, from position: inout Int) -> Bool {
    begin()
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      hasBytes = true
      if byte == 0x0A {
        complete()
        return true
      }
      if line.count < limit { line.append(byte) } else { isCut = true }
    }
    return false
  }

  /// Says that no more bytes follow; `true` where a last line without LF is pending.
  package mutating func last() -> Bool {
    begin()
    if !hasBytes { return false }
    complete()
    isUnterminated = true
    return true
  }

  private mutating func begin() {
    guard isComplete else { return }
    isComplete = false
    hasBytes = false
    isCut = false
    line.removeAll(keepingCapacity: true)
  }

  private mutating func complete() {
    isComplete = true
    number += 1
    if line.last == 0x0D { line.removeLast() }
    if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
  }
}
