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
    var odds: UInt64 = 0
    while true {
      guard end < bytes.count else { return nil }
      let word = ByteWord(bytes, from: end, to: bytes.count)
      let found = word.marks(of: UInt8(ascii: mark))
      let here =
        word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "&"))
        | word.marks(of: UInt8(ascii: odd)) | word.marksBeyondASCII
      guard found == 0 else {
        // Those before the first mark: below its lowest bit.
        odds |= here & (found & (0 &- found) &- 1)
        end += ByteWord.place(of: found)
        break
      }
      odds |= here
      end += ByteWord.length
    }
    (range, isOdd) = (start..<end, odds != 0)
  }
}
