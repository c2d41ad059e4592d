// SPDX-License-Identifier: Apache-2.0

/// Receivers' binary protocols, recognised in order to be refused: gpsd reads them all.
package enum BinaryProtocol: String, Sendable, CaseIterable {
  case sirf = "SiRF binary"
  case ubx = "u-blox UBX"
  case skytraq = "Skytraq binary"
  case novatel = "NovAtel binary"

  /// The protocol of a whole frame in `prefix` (header, length, and checksum or end mark), or `nil`. Looks at every
  /// place, so text in front (`#` headers) does not hide it.
  package static func recognise(_ prefix: borrowing Span<UInt8>) -> BinaryProtocol? {
    var sums = PrefixSums()
    var index = 0
    while index + 1 < prefix.count {
      switch (prefix[index], prefix[index + 1]) {
      case (0xA0, 0xA2): if isSiRF(prefix, index) { return .sirf }
      case (0xB5, 0x62): if isUBX(prefix, index, &sums) { return .ubx }
      case (0xA0, 0xA1): if isSkytraq(prefix, index, &sums) { return .skytraq }
      case (0xAA, 0x44): if isNovAtel(prefix, index) { return .novatel }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// The message to the user.
  package var refusal: TraceError {
    TraceError(
      .binary,
      "this is \(rawValue), a binary protocol that Milepost does not read; play it through gpsd "
        + "(gpsfake, or gpsd with the receiver) and record that with gpspipe -r or gpspipe -w")
  }

  /// A0 A2, length (15 bits), payload, sum of the payload (15 bits), B0 B3.
  private static func isSiRF(_ bytes: borrowing Span<UInt8>, _ start: Int) -> Bool {
    guard start + 4 <= bytes.count else { return false }
    let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
    let end = start + 4 + length
    guard length > 0, length < 1_024, end + 4 <= bytes.count else { return false }
    var sum = 0
    for index in (start + 4)..<end { sum = (sum + Int(bytes[index])) & 0x7FFF }
    return bytes[end + 2] == 0xB0 && bytes[end + 3] == 0xB3
      && sum == Int(bytes[end]) << 8 | Int(bytes[end + 1])
  }

  /// B5 62, class, id, length (little-endian), payload, two bytes of an 8-bit Fletcher sum.
  private static func isUBX(
    _ bytes: borrowing Span<UInt8>, _ start: Int, _ sums: inout PrefixSums
  ) -> Bool {
    guard start + 6 <= bytes.count else { return false }
    let end = start + 6 + (Int(bytes[start + 5]) << 8 | Int(bytes[start + 4]))
    guard end + 2 <= bytes.count else { return false }
    let (first, second) = sums.fletcher(bytes, (start + 2)..<end)
    return bytes[end] == first && bytes[end + 1] == second
  }

  /// A0 A1, length, payload, its exclusive or, 0D 0A.
  private static func isSkytraq(
    _ bytes: borrowing Span<UInt8>, _ start: Int, _ sums: inout PrefixSums
  ) -> Bool {
    guard start + 4 <= bytes.count else { return false }
    let end = start + 4 + (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
    guard end > start + 4, end + 3 <= bytes.count else { return false }
    return bytes[end] == sums.exclusiveOr(bytes, (start + 4)..<end) && bytes[end + 1] == 0x0D
      && bytes[end + 2] == 0x0A
  }

  /// AA 44 12 and a header length of 28.
  private static func isNovAtel(_ bytes: borrowing Span<UInt8>, _ start: Int) -> Bool {
    start + 4 <= bytes.count && bytes[start + 2] == 0x12 && bytes[start + 3] == 28
  }
}

/// Checksums of any part of the bytes at the cost of two look-ups: if every byte seems to begin a frame, all of them
/// together are read once, and not once for each.
private struct PrefixSums {
  /// For all bytes before a place: their sum, the sum of their sums, and their exclusive or, all modulo 256.
  private var before: [(sum: UInt8, sums: UInt8, xor: UInt8)] = []

  /// The sum of the bytes, and the sum of the sums of the first one, the first two …
  mutating func fletcher(
    _ bytes: borrowing Span<UInt8>, _ range: Range<Int>
  ) -> (UInt8, UInt8) {
    fill(bytes)
    let (start, end) = (before[range.lowerBound], before[range.upperBound])
    let count = UInt8(truncatingIfNeeded: range.count)
    return (end.sum &- start.sum, end.sums &- start.sums &- count &* start.sum)
  }

  mutating func exclusiveOr(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> UInt8 {
    fill(bytes)
    return before[range.lowerBound].xor ^ before[range.upperBound].xor
  }

  private mutating func fill(_ bytes: borrowing Span<UInt8>) {
    guard before.isEmpty else { return }
    before.reserveCapacity(bytes.count + 1)
    before.append((0, 0, 0))
    var (sum, sums, xor) = (0 as UInt8, 0 as UInt8, 0 as UInt8)
    for index in bytes.indices {
      sum &+= bytes[index]
      sums &+= sum
      xor ^= bytes[index]
      before.append((sum, sums, xor))
    }
  }
}
