// SPDX-License-Identifier: Apache-2.0

public import CVector

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

  /// Marks of the found ones among the sixteen bytes: a bit for each, the lowest for the first byte.
  @usableFromInline package struct Marks: Sendable, Equatable {
    @usableFromInline package private(set) var bits: UInt16

    @inlinable init(_ mask: SIMDMask<SIMD16<Int8>>) {
      // A mask is sixteen bytes of 0 or 255.
      bits = bits_of(unsafe unsafeBitCast(mask, to: SIMD16<UInt8>.self))
    }

    @inlinable package var isEmpty: Bool { bits == 0 }

    /// The number of marks.
    @inlinable package var count: Int { bits.nonzeroBitCount }

    /// The place of the first mark, 0 to 15; 16 if there is none.
    @inlinable package var place: Int { bits.trailingZeroBitCount }

    /// The marks that are none of `other`.
    @inlinable package func without(_ other: Self) -> Self {
      var marks = self
      marks.bits &= ~other.bits
      return marks
    }

    /// The marks before the first one of `other`, and that one.
    @inlinable package func through(_ other: Self) -> Self {
      let first = other.bits & (0 &- other.bits)
      var marks = self
      marks.bits = bits & (first &- 1) | first
      return marks
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

  /// Marks of the bytes that are one of four.
  @inline(__always)
  @inlinable package func marks(
    of one: UInt8, or other: UInt8, or third: UInt8, or fourth: UInt8
  ) -> Marks {
    Marks(
      (bytes .== SIMD16(repeating: one)) .| (bytes .== SIMD16(repeating: other))
        .| (bytes .== SIMD16(repeating: third)) .| (bytes .== SIMD16(repeating: fourth)))
  }

  /// Marks of the bytes that are below `limit`, which is not 0.
  @inline(__always)
  @inlinable package func marks(below limit: UInt8) -> Marks {
    Marks(bytes .<= SIMD16(repeating: limit &- 1))
  }

  /// Marks of the bytes that are not in `range`, or are one of two.
  @inline(__always)
  @inlinable package func marks(outside range: Range<UInt8>, or one: UInt8, or other: UInt8)
    -> Marks
  {
    let inside = SIMD16(repeating: range.upperBound &- range.lowerBound)
    return Marks(
      ((bytes &- SIMD16(repeating: range.lowerBound)) .>= inside)
        .| (bytes .== SIMD16(repeating: one)) .| (bytes .== SIMD16(repeating: other)))
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

  /// The exclusive or of the sixteen bytes.
  @inlinable package var folded: UInt8 {
    let words = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    return ByteWord(bits: words[0] ^ words[1]).folded
  }

  @inline(__always)
  @inlinable package static func == (a: Self, b: Self) -> Bool {
    Marks(a.bytes .!= b.bytes).isEmpty
  }

  /// Sixteen zeros.
  @inlinable package static var none: Self { Self(SIMD16(repeating: 0)) }

  @inlinable init(_ bytes: SIMD16<UInt8>) { self.bytes = bytes }

  @inline(__always)
  @inlinable package mutating func formExclusiveOr(_ other: Self) { bytes ^= other.bytes }
}
