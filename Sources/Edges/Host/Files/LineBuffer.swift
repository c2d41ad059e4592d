// SPDX-License-Identifier: Apache-2.0

/// Splits arriving bytes into lines.
package struct LineBuffer: Sendable {
  private let limit: Int
  private var pending: [UInt8] = []
  /// The offset up to which there is no line end.
  private var searched = 0

  /// `limit`: of a line, bytes.
  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ bytes: ArraySlice<UInt8>) { pending += bytes }

  /// The next whole line without its end; `nil` if there is none yet.
  package mutating func next() -> [UInt8]? {
    guard let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = pending.count
      return nil
    }
    defer {
      pending.removeSubrange(...end)
      searched = 0
    }
    return Array(pending[..<end])
  }

  /// Whether the unfinished line is longer than the limit; then no more of it is of use.
  package var isOverlong: Bool { searched == pending.count && searched > limit }
  package var isEmpty: Bool { pending.isEmpty }
  /// The bytes after the last whole line.
  package var rest: [UInt8] { pending }
}
