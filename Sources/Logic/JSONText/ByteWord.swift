// SPDX-License-Identifier: Apache-2.0

/// Eight bytes of a text at once, so that a search looks at eight of them in a few instructions.
///
/// The first byte of the text is the lowest of `bits`. *Marks* are a word with 0x80 in each found byte
/// and 0 in all others; `place(of:)` is the place of the first one.
///
/// `init(_:from:to:)` reads within the span for all arguments, or traps like a subscript: callers have no
/// preconditions.
@usableFromInline package struct ByteWord: Sendable, Equatable {
  @usableFromInline package var bits: UInt64

  @inlinable init(bits: UInt64) { self.bits = bits }

  @inlinable package static var length: Int { 8 }

  /// Bytes `start ..< end`, at most eight; missing ones are 0.
  @inline(__always)
  @inlinable package init(_ bytes: borrowing Span<UInt8>, from start: Int, to end: Int) {
    let count = bytes.count
    precondition(start >= 0 && start <= end && end <= count)
    let wanted = UInt64(truncatingIfNeeded: (end &- start) &* 8)
    if start <= count &- 8 {
      let word = Self.load(bytes, start)
      bits = wanted >= 64 ? word : word & (1 &<< wanted &- 1)
    } else if count >= 8 {
      // The last eight bytes, less those before the first wanted one.
      let behind =
        Self.load(bytes, count &- 8) &>> UInt64(truncatingIfNeeded: (start &- count &+ 8) &* 8)
      bits = start == end ? 0 : behind & (1 &<< wanted &- 1)
    } else {
      var word: UInt64 = 0
      for place in 0..<(end - start) { word |= UInt64(bytes[start + place]) << UInt64(place * 8) }
      bits = word
    }
  }

  /// Eight bytes from `start` on; traps like a subscript if there are fewer.
  @inline(__always)
  @inlinable package init(_ bytes: borrowing Span<UInt8>, at start: Int) {
    bits = Self.load(bytes, start)
  }

  /// The caller has checked that `start + 8` is at most `bytes.count`; checked again here.
  @inline(__always)
  @inlinable static func load(_ bytes: borrowing Span<UInt8>, _ start: Int) -> UInt64 {
    // Any eight bytes are an integer, and the load checks its bounds: this cannot fail.
    unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian
  }

  @inline(__always)
  @inlinable static func eight(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// Marks of the bytes that are `byte`.
  @inline(__always)
  @inlinable package func marks(of byte: UInt8) -> UInt64 {
    let difference = bits ^ Self.eight(byte)
    let low = (difference & Self.eight(0x7F)) &+ Self.eight(0x7F)
    return ~(low | difference) & Self.eight(0x80)
  }

  /// Marks of the bytes that are below `limit`, which is 1 to 128.
  @inline(__always)
  @inlinable package func marks(below limit: UInt8) -> UInt64 {
    let sum = (bits & Self.eight(0x7F)) &+ Self.eight(0x80 &- limit)
    return ~(sum | bits) & Self.eight(0x80)
  }

  /// The place of the first mark, 0 to 7; 8 if there is none.
  @inline(__always)
  @inlinable package static func place(of marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }

  /// The number of leading digits, 0 to 8, and their value.
  @inline(__always)
  @inlinable package var digits: (count: Int, value: Int64) {
    // A digit less 0x30 is 0 to 9; other bytes are not.
    let values = Self(bits: bits ^ Self.eight(0x30))
    let count = Self.place(of: values.marksBeyondDigits)
    guard count > 0 else { return (0, 0) }
    // The last digit becomes the highest byte, with zeros before the first.
    return (
      count, Self.value(ofDigits: values.bits &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8))
    )
  }

  /// The values of the three pairs of digits that are the first six bytes, sixteen bits each; `nil` if one is no digit, or
  /// if another byte follows.
  @inline(__always)
  @inlinable package var pairs: UInt64? {
    let values = Self(bits: bits ^ 0x3030_3030_3030)
    guard values.marksBeyondDigits | values.bits >> 48 == 0 else { return nil }
    return (values.bits &* 10 &+ values.bits >> 8) & 0x00FF_00FF_00FF
  }

  /// Marks of the bytes that are not 0 to 9.
  @inline(__always)
  @inlinable var marksBeyondDigits: UInt64 { ~marks(below: 10) & Self.eight(0x80) }

  /// The value of eight digits, each a byte of 0 to 9, the last one the highest.
  @inline(__always)
  @inlinable static func value(ofDigits digits: UInt64) -> Int64 {
    // Pairs, then fours, then all eight: each step adds ten, a hundred, ten thousand times the lower.
    var word = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    word = (word &* 100 &+ word >> 16) & 0x0000_FFFF_0000_FFFF
    word = (word &* 10_000 &+ word >> 32) & 0x0000_0000_FFFF_FFFF
    return Int64(truncatingIfNeeded: word)
  }

  /// The value of one to eight digits, bytes `start ..< end`; `nil` for any other text, and for digits that end within
  /// the first eight bytes of `bytes`.
  @inline(__always)
  @inlinable package static func whole(
    _ bytes: borrowing Span<UInt8>, from start: Int, to end: Int
  ) -> Int64? {
    guard let values = values(bytes, from: start, to: end),
      Self(bits: values).marksBeyondDigits == 0
    else { return nil }
    return value(ofDigits: values)
  }

  /// The same for digits with a point before, among or behind them, eight bytes in all; `decimals` digits stand behind
  /// it.
  @inline(__always)
  @inlinable package static func number(
    _ bytes: borrowing Span<UInt8>, from start: Int, to end: Int
  ) -> (value: Int64, decimals: Int)? {
    guard let values = values(bytes, from: start, to: end) else { return nil }
    let others = Self(bits: values).marksBeyondDigits
    if others == 0 { return (value(ofDigits: values), 0) }
    // One other byte, a point: the digits before it move up.
    let place = UInt64(truncatingIfNeeded: others.trailingZeroBitCount &- 7)
    guard others & (others &- 1) == 0, UInt8(truncatingIfNeeded: values &>> place) == 46 ^ 0x30,
      end &- start > 1
    else { return nil }
    let before = values & (1 &<< place &- 1)
    let behind = values & (~0xFF as UInt64 &<< place)
    return (
      value(ofDigits: before &<< 8 | behind),
      length &- 1 &- Int(truncatingIfNeeded: place &>> 3)
    )
  }

  /// One to eight bytes less 0x30 each, the last one the highest, with zeros before the first.
  @inline(__always)
  @inlinable static func values(
    _ bytes: borrowing Span<UInt8>, from start: Int, to end: Int
  ) -> UInt64? {
    let count = end &- start
    guard count > 0, count <= length, end >= length, end <= bytes.count else { return nil }
    let wanted = ~0 as UInt64 &<< UInt64(truncatingIfNeeded: (length &- count) &* 8)
    return (load(bytes, end &- length) ^ eight(0x30)) & wanted
  }

  /// The first `count` bytes, 0 to 8, and zeros behind them.
  @inline(__always)
  @inlinable package func prefix(_ count: Int) -> Self {
    count >= 8 ? self : Self(bits: bits & (1 &<< UInt64(truncatingIfNeeded: count &* 8) &- 1))
  }

  /// The number of marks.
  @inline(__always)
  @inlinable package static func count(of marks: UInt64) -> Int {
    Int(truncatingIfNeeded: ((marks >> 7) &* eight(1)) >> 56)
  }

  /// The exclusive or of the eight bytes.
  @inlinable package var folded: UInt8 {
    var word = bits
    word ^= word >> 32
    word ^= word >> 16
    word ^= word >> 8
    return UInt8(truncatingIfNeeded: word)
  }
}

extension Array where Element == UInt8 {
  /// Appends a copy of all bytes.
  package mutating func append(copying bytes: borrowing Span<UInt8>) {
    // The pointer is used for this call only.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends a constant text, without making or counting a string.
  package mutating func append(constant words: StaticString) {
    // The pointer is used for this call only.
    words.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }
}

extension Span where Element == UInt8 {
  /// The place of the first `byte` in `start ..< end`; `end` if there is none. `byte` is not 0.
  @inline(__always)
  @inlinable package func first(_ byte: UInt8, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      let marks = ByteWord(self, from: index, to: end).marks(of: byte)
      if marks != 0 { return index &+ ByteWord.place(of: marks) }
      index &+= 8
    }
    return end
  }
}
