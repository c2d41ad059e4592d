// SPDX-License-Identifier: Apache-2.0

/// An optional number in the eight bytes of the number: unknown is a special NaN in memory, and `nil` to all readers. A
/// fix is copied in every second of every run, and an `Optional<Double>` takes sixteen bytes.
@propertyWrapper
@frozen @usableFromInline package struct NaNCoded: Sendable {
  @usableFromInline var bits: UInt64

  /// A NaN that no arithmetic yields; other NaNs are kept, and are judged as impossible numbers.
  @inlinable static var unknown: UInt64 { 0x7FF8_0000_4E6F_6E65 }

  @inlinable package init(wrappedValue: Double?) {
    bits = wrappedValue?.bitPattern ?? Self.unknown
  }

  @inlinable package var wrappedValue: Double? {
    get { bits == Self.unknown ? nil : Double(bitPattern: bits) }
    set { bits = newValue?.bitPattern ?? Self.unknown }
  }
}

extension NaNCoded: Equatable {
  @inline(__always)
  @inlinable package static func == (a: Self, b: Self) -> Bool {
    // Unknown is a NaN, so it equals no number.
    Double(bitPattern: a.bits) == Double(bitPattern: b.bits)
      || a.bits == unknown && b.bits == unknown
  }
}

extension NaNCoded: Codable {
  @usableFromInline package init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Double.self))
  }

  @usableFromInline package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

// An unknown value is left out, like that of an optional.

extension KeyedDecodingContainer {
  func decode(_: NaNCoded.Type, forKey key: Key) throws -> NaNCoded {
    NaNCoded(wrappedValue: try decodeIfPresent(Double.self, forKey: key))
  }
}

extension KeyedEncodingContainer {
  mutating func encode(_ value: NaNCoded, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}
