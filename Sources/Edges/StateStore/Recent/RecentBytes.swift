// SPDX-License-Identifier: Apache-2.0

import Foundation

// The number formats of the recent file. Whole numbers have 7 bits a byte, the lowest first, with the highest bit set
// in all bytes but the last; signed ones are zigzag (0, −1, 1, −2 … as 0, 1, 2, 3 …). A `Double` that is a decimal of
// few digits, as are nearly all values from receivers, is a whole number of units; any other is its 8 bytes. All are
// restored bit for bit.

/// Appends values to bytes.
struct RecentWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func whole(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func signed(_ value: Int64) { whole(Self.zigzag(value)) }

  /// Appends `count` bytes of a number, the lowest first.
  mutating func fixed(_ value: UInt64, count: Int) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0.prefix(count)) }
  }

  /// Appends a decimal in units of `1/unit`: 0 and its bytes, or its units, which are never 0.
  mutating func number(_ value: Double, unit: Double) {
    let units = (value * unit).rounded()
    if abs(units) < 4e15 {
      let count = Int64(units)
      // −0 would come back as 0, so its bytes are written.
      if (Double(count) / unit).bitPattern == value.bitPattern {
        return whole(Self.zigzag(count) + 1)
      }
    }
    byte(0)
    fixed(value.bitPattern, count: 8)
  }

  mutating func text(_ text: String) { blob(Array(text.utf8)) }

  mutating func blob(_ data: some Collection<UInt8>) {
    whole(UInt64(data.count))
    bytes += data
  }

  private static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: (value << 1) ^ (value >> 63))
  }
}

/// Reads values back. A missing value throws: the record is malformed.
struct RecentReader {
  struct Malformed: Error {}

  private let bytes: ArraySlice<UInt8>
  private var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var isAtEnd: Bool { place == bytes.endIndex }

  mutating func byte() throws(Malformed) -> UInt8 {
    guard place < bytes.endIndex else { throw Malformed() }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func whole() throws(Malformed) -> UInt64 {
    var (value, shift) = (UInt64(0), UInt64(0))
    while true {
      let next = try byte()
      guard shift < 63 || shift == 63 && next <= 1 else { throw Malformed() }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
    }
  }

  mutating func signed() throws(Malformed) -> Int64 { Self.unzigzag(try whole()) }

  mutating func number(unit: Double) throws(Malformed) -> Double {
    let found = try whole()
    guard found == 0 else { return Double(Self.unzigzag(found - 1)) / unit }
    return Double(bitPattern: try fixed(count: 8))
  }

  /// Reads a number of `count` bytes, 8 at most, the lowest first.
  mutating func fixed(count: Int) throws(Malformed) -> UInt64 {
    var value = UInt64(0)
    for place in 0..<count { value |= UInt64(try byte()) << (8 * UInt64(place)) }
    return value
  }

  mutating func text() throws(Malformed) -> String {
    guard let text = String(validating: try blob(), as: UTF8.self) else { throw Malformed() }
    return text
  }

  mutating func blob() throws(Malformed) -> ArraySlice<UInt8> { try bytes(count: try whole()) }

  /// Reads the next `count` bytes.
  mutating func bytes(count: UInt64) throws(Malformed) -> ArraySlice<UInt8> {
    guard count <= UInt64(bytes.endIndex - place) else { throw Malformed() }
    defer { place += Int(count) }
    return bytes[place..<place + Int(count)]
  }

  private static func unzigzag(_ value: UInt64) -> Int64 {
    Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
