// SPDX-License-Identifier: Apache-2.0

/// An optional number in the eight bytes of the number: unknown is a NaN in memory, and `nil` to all who ask.
///
/// A fix is copied in every second of every run, and an `Optional<Double>` takes sixteen bytes. A NaN that is set is
/// `nil` from then on, so that none travels.
@propertyWrapper
@frozen @usableFromInline package struct NaNCoded: Sendable {
  @usableFromInline var number: Double

  @inlinable package init(wrappedValue: Double?) { number = wrappedValue ?? .nan }

  @inlinable package var wrappedValue: Double? {
    get { number.isNaN ? nil : number }
    set { number = newValue ?? .nan }
  }
}

extension NaNCoded: Equatable {
  @inlinable package static func == (a: Self, b: Self) -> Bool {
    a.number == b.number || a.number.isNaN && b.number.isNaN
  }
}

extension NaNCoded: Codable {
  @usableFromInline package init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(Double.self))
  }

  @usableFromInline package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

// What is unknown is left out, as that of an optional is.

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
