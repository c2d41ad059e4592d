// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@Suite("Sums that add up in any order")
struct ExactSumsTests {
  /// The same, and rows of them, some of which are the row before once more.
  private static func part(_ draws: inout SplitMix64) -> ExactSums {
    var (sums, row) = (places(&draws), places(&draws))
    for _ in 0..<4 {
      if draws.next() % 2 == 0 { row = places(&draws) }
      sums.appendRow(row)
    }
    return sums
  }

  /// Some of all kinds of summands, drawn.
  private static func places(_ draws: inout SplitMix64) -> ExactSums {
    var walk = SumWalk()
    for _ in 0..<4 {
      // Numbers whose sum as floating point depends on the order.
      var quantity = Double(draws.next() % 1_000_000_007) / 7 * (draws.next() % 2 == 0 ? 1 : 1e-6)
      walk.quantity(&quantity)
    }
    var count = Int(draws.next() % 100)
    walk.count(&count)
    var greatest = Double(draws.next() % 1_000) / 3
    walk.greatest(&greatest)
    var holds = draws.next() % 2 == 0
    walk.all(&holds)
    var bins = (0..<50).map { _ in draws.next() % 3 == 0 ? Double(draws.next() % 100) / 8 : 0 }
    walk.histogram(&bins, unit: 8, .whole)
    var rows = (0..<20).filter { _ in draws.next() % 2 == 0 }.map {
      SumWalk.Row(key: $0, values: [Double(draws.next() % 1_000) / 9, 0])
    }
    walk.rows(&rows, width: 2, limit: 20, .whole)
    return walk.sums
  }

  private static func sum(of parts: [ExactSums], by draws: inout SplitMix64) -> ExactSums {
    var left = parts
    while left.count > 1 {
      let one = left.remove(at: Int(draws.next() % UInt64(left.count)))
      left[Int(draws.next() % UInt64(left.count))] += one
    }
    return left[0]
  }

  @Test("Every tree over every order has the same words, also by way of words", arguments: 1...100)
  func trees(seed: UInt64) throws {
    var draws = SplitMix64(seed: seed)
    let parts = (0..<12).map { _ in Self.part(&draws) }
    let first = Self.sum(of: parts, by: &draws)
    for _ in 0..<10 { #expect(Self.sum(of: parts, by: &draws).words == first.words) }
    let read = try parts.map { try #require(ExactSums($0.words, shape: first)) }
    #expect(read == parts)
    #expect(Self.sum(of: read, by: &draws) == first)
  }

  @Test("A number is told by the change of its length, and the digits behind its first")
  func words() {
    var walk = SumWalk()
    for number in [4, 5, 9, 0] {
      var count = number
      walk.count(&count)
    }
    // By hand: 4 is 3 digits longer than nothing (2 · 3 + 1 = 111₂), 5 as long, 9 a digit longer, 0 four shorter
    // (2 · 4 - 1 + 1 = 1000₂): 00111 00 | 1 01 | 011 001 | 0001000, and zeros.
    #expect(walk.sums.words == [0b00111_00_1_01_011_001_0001000_000000000])
  }

  @Test("A row says of each place whether it is that of the row before")
  func rows() {
    var sums = ExactSums()
    for number in [4, 4, 5] {
      var (walk, count, bins) = (SumWalk(), number, [1.0, 0])
      walk.count(&count)
      if number == 5 { bins[0] = 0 }
      walk.histogram(&bins, unit: 1, .whole)
      sums.appendRow(walk.sums)
    }
    // By hand: 4 as above; the same; another, as long, 01. A table of one run (1 + 1 = 010₂) at 0, 1 long, of 1, which is
    // a digit longer than nothing (2 + 1 = 011₂); the same; another, without runs:
    // 00111 00 | 1 | 0 1 01 | 010 1 010 011 | 1 | 0 1, and zeros.
    #expect(sums.words == [0b0011100_1_0101_0101010011_1_01_0000000])
  }

  @Test("Numbers of any size up to the limit are read as written")
  func sizes() throws {
    var walk = SumWalk()
    for power in 0...50 {
      for var value in [Double(UInt64(1) << power) * 1.3e-7, 0, 1e15] { walk.quantity(&value) }
    }
    #expect(try #require(ExactSums(walk.sums.words, shape: walk.sums)) == walk.sums)
  }

  @Test(
    "Whatever was not written is not read: cut off, longer, or in another form", arguments: 1...20)
  func refused(seed: UInt64) {
    var draws = SplitMix64(seed: seed)
    let sums = Self.part(&draws)
    let words = sums.words
    for end in words.indices { #expect(ExactSums(Array(words[..<end]), shape: sums) == nil) }
    #expect(ExactSums(words + [0], shape: sums) == nil)
    for _ in 0..<500 {
      var changed = words
      changed[Int(draws.next() % UInt64(words.count))] ^= 1 << UInt32(draws.next() % 32)
      guard let read = ExactSums(changed, shape: sums) else { continue }
      #expect(read.words == changed)
    }
  }

  @Test("A sum is restored as the mean of its worlds; a millionth is kept")
  func mean() {
    var sums: ExactSums?
    for world in 1...4 {
      var walk = SumWalk()
      var (seconds, joules, count) = (Double(world), 0.000_001, world)
      walk.quantity(&seconds)
      walk.quantity(&joules, .energy)
      walk.count(&count)
      if sums == nil { sums = walk.sums } else { sums? += walk.sums }
    }
    var walk = SumWalk(restoring: sums ?? ExactSums())
    walk.divide(by: 4, energiesBy: 2)
    var (seconds, joules, count) = (0.0, 0.0, 0)
    walk.quantity(&seconds)
    walk.quantity(&joules, .energy)
    walk.count(&count)
    // (1 + 2 + 3 + 4) / 4; 4 µJ / 2; 10 / 4, rounded.
    #expect(seconds == 2.5 && joules == 0.000_002 && count == 3)
  }
}
