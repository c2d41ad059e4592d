// SPDX-License-Identifier: Apache-2.0

import JSONText

/// The characters up to a certain one, and whether any of them needs a second look.
struct CharacterRun {
  let range: Range<Int>
  /// Whether there is one below a blank, beyond ASCII, `&` or `odd` among them.
  let isOdd: Bool

  /// `nil` if the bytes end before.
  @inline(__always)
  init?(
    _ bytes: borrowing Span<UInt8>, from start: Int, to mark: Unicode.Scalar, odd: Unicode.Scalar
  ) {
    var end = start
    var isOdd = false
    while end &+ ByteBlock.length <= bytes.count {
      let block = ByteBlock(bytes, at: end)
      let found = block.marks(of: UInt8(ascii: mark))
      let odds = block.marks(
        outside: 0x20..<0x80, or: UInt8(ascii: "&"), or: UInt8(ascii: odd))
      if !found.isEmpty {
        self.range = start..<(end &+ found.place)
        self.isOdd = isOdd || odds.place < found.place
        return
      }
      isOdd = isOdd || !odds.isEmpty
      end &+= ByteBlock.length
    }
    while end < bytes.count, bytes[end] != UInt8(ascii: mark) {
      let byte = bytes[end]
      isOdd =
        isOdd || byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "&")
        || byte == UInt8(ascii: odd)
      end &+= 1
    }
    guard end < bytes.count else { return nil }
    (range, self.isOdd) = (start..<end, isOdd)
  }
}
