// SPDX-License-Identifier: Apache-2.0

/// Sixteen bytes of a text at once, for searches over long stretches; `ByteWord` is for short ones.
@usableFromInline package struct ByteBlock: Sendable {
  @usableFromInline var bytes: SIMD16<UInt8>

  @inlinable package static var length: Int { 16 }

  /// Bytes `start ..< start + 16`; traps as a subscript does where there are fewer.
  @inline(__always)
  @inlinable package init(_ text: borrowing Span<UInt8>, at start: Int) {
    // Any sixteen bytes are integers, and the load checks its bounds.
    bytes = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self)
  }

  /// Marks in the first eight bytes and in the last; see `ByteWord`.
  @usableFromInline package struct Marks: Sendable {
    @usableFromInline package var low: UInt64
    @usableFromInline package var high: UInt64

    @inlinable init(_ mask: SIMDMask<SIMD16<Int8>>) {
      // A mask is sixteen bytes of 0 or 255.
      let words = unsafe unsafeBitCast(mask, to: SIMD2<UInt64>.self)
      low = words[0].littleEndian & 0x8080_8080_8080_8080
      high = words[1].littleEndian & 0x8080_8080_8080_8080
    }

    @inlinable package var isEmpty: Bool { low | high == 0 }

    /// How many marks there are.
    @inlinable package var count: Int { ByteWord.count(of: low) &+ ByteWord.count(of: high) }

    /// Where the first mark is, 0 to 15; 16 where there is none.
    @inlinable package var place: Int {
      low != 0 ? ByteWord.place(of: low) : 8 &+ ByteWord.place(of: high)
    }
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

  /// Sixteen zeros.
  @inlinable package static var none: Self { Self(SIMD16(repeating: 0)) }

  @inlinable init(_ bytes: SIMD16<UInt8>) { self.bytes = bytes }

  @inline(__always)
  @inlinable package mutating func formExclusiveOr(_ other: Self) { bytes ^= other.bytes }
}
