// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@testable import StateStore

@Suite("Bytes as their difference to others")
struct BlobChangeTests {
  private static func there(_ blob: Data, after base: Data) throws -> (back: Data, size: Int) {
    var writer = RecentWriter()
    BlobChange.encode(blob: blob, after: base, to: &writer)
    var reader = RecentReader(writer.bytes[...])
    let back = try BlobChange.readBlob(&reader, after: base)
    #expect(reader.isAtEnd)
    return (back, writer.bytes.count)
  }

  @Test(
    "Whatever was cut out, put in or repeated, it comes back",
    arguments: 1...40 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func bytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8(random.below(seed % 2 == 0 ? 256 : 3)) }
    }
    let base = bytes(random.below(600))
    var new = base
    for _ in 0..<random.below(6) {
      let (a, b) = (random.below(new.count + 1), random.below(new.count + 1))
      switch random.below(3) {
      case 0: new.removeSubrange(min(a, b)..<max(a, b))
      case 1: new.insert(contentsOf: bytes(random.below(30)), at: a)
      default: new.insert(contentsOf: Array(new[min(a, b)...].prefix(100)), at: a)
      }
    }
    #expect(try Self.there(Data(new), after: Data(base)).back == Data(new))
  }

  @Test("What is as it was takes some bytes, whatever its length")
  func same() throws {
    let base = Data((0..<5_000).map { "\($0)," }.joined().utf8)
    #expect(try Self.there(base, after: base).size < 12)
    #expect(try Self.there(Data(), after: base).size == 1)
    #expect(try Self.there(base, after: Data()).back == base)
  }

  @Test("A copy from beyond the end is no record", arguments: [(90, 20), (101, 1), (0, 0)])
  func malformed(start: Int, length: Int) {
    var writer = RecentWriter()
    writer.whole(200)
    writer.blob([])
    writer.whole(UInt64(start))
    writer.whole(UInt64(length))
    var reader = RecentReader(writer.bytes[...])
    #expect(throws: RecentReader.Malformed.self) {
      try BlobChange.readBlob(&reader, after: Data(count: 100))
    }
  }

  @Test(
    "Each number comes back bit by bit",
    arguments: [
      0, -0.0, 1, -1, 5, 52.003_412_345, -179.999_999_999, 0.1 + 0.2, 1e300, .leastNonzeroMagnitude,
      .infinity,
      -.infinity, .nan, 4e15, 3_999_999_999_999.999,
    ] as [Double])
  func numbers(value: Double) throws {
    for unit in [1_000, 1e6, 1e9] {
      var writer = RecentWriter()
      writer.number(value, unit: unit)
      var reader = RecentReader(writer.bytes[...])
      #expect(try reader.number(unit: unit).bitPattern == value.bitPattern)
    }
  }

  @Test(
    "Whole numbers of any size come back, and cut ones are none",
    arguments: [0, 1, 127, 128, 16_383, 16_384, UInt64(Int64.max), .max - 1, .max] as [UInt64])
  func wholes(value: UInt64) throws {
    var writer = RecentWriter()
    writer.whole(value)
    writer.signed(Int64(bitPattern: value))
    var reader = RecentReader(writer.bytes[...])
    #expect(try reader.whole() == value)
    #expect(try reader.signed() == Int64(bitPattern: value))
    for count in 0..<writer.bytes.count {
      var cut = RecentReader(writer.bytes.prefix(count))
      #expect(throws: RecentReader.Malformed.self) {
        _ = try cut.whole()
        _ = try cut.signed()
      }
    }
  }
}
