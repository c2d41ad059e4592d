// SPDX-License-Identifier: Apache-2.0

/// Sixteen bytes of a text at once, for searches over long stretches; `ByteWord` is for short ones.
@usableFromInline package struct ByteBlock: Sendable, Equatable {
  @usableFromInline var bytes: SIMD16<UInt8>

  @inlinable package static var length: Int { 16 }

  /// Bytes `start ..< start + 16`; traps like a subscript if there are fewer.
  @inline(__always)
  @inlinable package init(_ text: borrowing Span<UInt8>, at start: Int) {
    // Any sixteen bytes are integers, and the load checks its bounds.
    bytes = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self)
  }

  /// Marks of the found ones among the sixteen bytes: four bits for each, the lowest of them set, from the
  /// first byte on.
  @usableFromInline package struct Marks: Sendable {
    @usableFromInline package private(set) var bits: UInt64

    @inlinable init(_ mask: SIMDMask<SIMD16<Int8>>) {
      // A mask is sixteen bytes of 0 or 255. The middle eight bits of two of them are four of each, in their order on
      // machines whose lowest byte is the first.
      let pairs = unsafe unsafeBitCast(mask, to: SIMD8<UInt16>.self)
      let halves = SIMD8<UInt8>(truncatingIfNeeded: pairs &>> 4)
      bits = unsafe unsafeBitCast(halves, to: UInt64.self) & 0x1111_1111_1111_1111
    }

    @inlinable package var isEmpty: Bool { bits == 0 }

    /// The number of marks.
    @inlinable package var count: Int {
      let ones = 0x0101_0101_0101_0101 as UInt64
      return Int(truncatingIfNeeded: (((bits & ones) &+ (bits >> 4 & ones)) &* ones) >> 56)
    }

    /// The place of the first mark, 0 to 15; 16 if there is none.
    @inlinable package var place: Int { bits.trailingZeroBitCount >> 2 }

    /// Removes the first mark.
    @inlinable package mutating func removeFirst() { bits &= bits &- 1 }
  }

  /// Marks of the bytes that are `byte`.
  @inline(__always)
  @inlinable package func marks(of byte: UInt8) -> Marks {
    Marks(bytes .== SIMD16(repeating: byte))
  }

  /// Marks of the bytes that are one of two.
  @inline(__always)
  @inlinable package func marks(of one: UInt8, or other: UInt8) -> Marks {
    Marks((bytes .== SIMD16(repeating: one)) .| (bytes .== SIMD16(repeating: other)))
  }

  /// Marks of the bytes that are one of four.
  @inline(__always)
  @inlinable package func marks(
    of one: UInt8, or other: UInt8, or third: UInt8, or fourth: UInt8
  ) -> Marks {
    Marks(
      (bytes .== SIMD16(repeating: one)) .| (bytes .== SIMD16(repeating: other))
        .| (bytes .== SIMD16(repeating: third)) .| (bytes .== SIMD16(repeating: fourth)))
  }

  @inlinable static var places: SIMD16<UInt8> {
    SIMD16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
  }

  /// The first `count` bytes, 0 to 16, and zeros for the others.
  @inline(__always)
  @inlinable package func prefix(_ count: Int) -> Self {
    let count = SIMD16(repeating: UInt8(truncatingIfNeeded: count))
    return Self(bytes.replacing(with: 0, where: Self.places .>= count))
  }

  /// Zeros for the first `count` bytes, 0 to 16, and the others.
  @inline(__always)
  @inlinable package func suffix(from count: Int) -> Self {
    let count = SIMD16(repeating: UInt8(truncatingIfNeeded: count))
    return Self(bytes.replacing(with: 0, where: Self.places .< count))
  }

  /// The exclusive or of the sixteen bytes.
  @inlinable package var folded: UInt8 {
    let words = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    return ByteWord(bits: words[0] ^ words[1]).folded
  }

  /// Compares two words: the standard library compares byte by byte.
  @inline(__always)
  @inlinable package static func == (a: Self, b: Self) -> Bool {
    let words = unsafe unsafeBitCast(a.bytes ^ b.bytes, to: SIMD2<UInt64>.self)
    return words[0] | words[1] == 0
  }

  /// Sixteen zeros.
  @inlinable package static var none: Self { Self(SIMD16(repeating: 0)) }

  @inlinable init(_ bytes: SIMD16<UInt8>) { self.bytes = bytes }

  @inline(__always)
  @inlinable package mutating func formExclusiveOr(_ other: Self) { bytes ^= other.bytes }
}
