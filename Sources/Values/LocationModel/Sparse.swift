// SPDX-License-Identifier: Apache-2.0

/// The usual value of a member.
package protocol UsualValue<Value> {
  associatedtype Value: Codable & Equatable
  static var usual: Value { get }
}

/// A member that is left out at its usual value: most lists of a change of the store are empty.
@propertyWrapper
package struct Sparse<Usual: UsualValue>: Equatable {
  package var wrappedValue: Usual.Value

  package init() { wrappedValue = Usual.usual }

  package init(wrappedValue: Usual.Value) { self.wrappedValue = wrappedValue }
}

extension Sparse: Sendable where Usual.Value: Sendable {}
extension Sparse: Hashable where Usual.Value: Hashable {}

extension Sparse: Codable {
  package init(from decoder: any Decoder) throws { wrappedValue = try Usual.Value(from: decoder) }

  package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// The compiler's `Codable` of a type calls these for its members.

extension KeyedDecodingContainer {
  package func decode<Usual>(_: Sparse<Usual>.Type, forKey key: Key) throws -> Sparse<Usual> {
    Sparse(wrappedValue: try decodeIfPresent(Usual.Value.self, forKey: key) ?? Usual.usual)
  }
}

extension KeyedEncodingContainer {
  package mutating func encode<Usual>(_ value: Sparse<Usual>, forKey key: Key) throws {
    if value.wrappedValue != Usual.usual { try encode(value.wrappedValue, forKey: key) }
  }
}

/// Usually there are none.
extension Array: UsualValue where Element: Codable & Equatable {
  package static var usual: Self { [] }
}

/// Usually false.
extension Bool: UsualValue {
  package static var usual: Bool { false }
}
