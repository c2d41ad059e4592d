// SPDX-License-Identifier: Apache-2.0

/// Splits arriving bytes into lines.
package struct LineBuffer: Sendable {
  private let limit: Int
  private var pending: [UInt8] = []
  /// Where the next line begins, and the offset up to which it has no end.
  private var (begin, searched) = (0, 0)

  /// `limit`: of a line, bytes.
  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    // Once for all lines that were taken.
    if begin > 0 {
      pending.removeSubrange(..<begin)
      (begin, searched) = (0, searched - begin)
    }
    pending += bytes
  }

  /// The next whole line without its end; `nil` if there is none yet.
  package mutating func next() -> [UInt8]? {
    guard let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = pending.count
      return nil
    }
    defer { (begin, searched) = (end + 1, end + 1) }
    return Array(pending[begin..<end])
  }

  /// Whether the unfinished line is longer than the limit; then no more of it is of use.
  package var isOverlong: Bool { searched == pending.count && searched - begin > limit }
  package var isEmpty: Bool { begin == pending.count }
  /// The bytes after the last whole line.
  package var rest: [UInt8] { Array(pending[begin...]) }
}
