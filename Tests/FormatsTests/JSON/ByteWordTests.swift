// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Testing

/// Bytes, many of which are the searched ones and their neighbours.
private func text(_ dice: inout SplitMix64, count: Int) -> [UInt8] {
  let usual: [UInt8] = [0, 1, 10, 13, 14, 36, 42, 44, 60, 61, 127, 128, 172, 255]
  return (0..<count).map { _ in
    dice.next() % 3 == 0
      ? UInt8(truncatingIfNeeded: dice.next())
      : usual[Int(dice.next() % UInt64(usual.count))]
  }
}

struct ByteWordTests {
  /// All lengths up to three words and all parts of them: each way in which a word is loaded.
  @Test func aWordIsItsBytesAndZerosWhereverItStands() {
    var dice = SplitMix64(seed: 1)
    for count in 0...24 {
      let bytes = text(&dice, count: count)
      for start in 0...count {
        for end in start...min(count, start + 8) {
          let word = ByteWord(bytes.span, from: start, to: end)
          let read = (0..<8).map { UInt8(truncatingIfNeeded: word.bits >> UInt64($0 * 8)) }
          let wanted = Array(bytes[start..<end])
          #expect(read == wanted + [UInt8](repeating: 0, count: 8 - wanted.count))
        }
      }
    }
  }

  @Test func aWordThatReachesFurtherIsCutAtEight() {
    let bytes: [UInt8] = Array(1...20)
    #expect(ByteWord(bytes.span, from: 2, to: 20).bits == 0x0A09_0807_0605_0403)
  }

  @Test func marksAreOnTheBytesThatAreMeantAndOnNoOthers() {
    var dice = SplitMix64(seed: 2)
    for _ in 0..<100 {
      let bytes = text(&dice, count: 8)
      let word = ByteWord(bytes.span, from: 0, to: 8)
      func marked(_ test: (UInt8) -> Bool) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | (test($1) ? 0x80 : 0) }
      }
      for byte in [UInt8](0...255) { #expect(word.marks(of: byte) == marked { $0 == byte }) }
      for limit in [UInt8](1...128) { #expect(word.marks(below: limit) == marked { $0 < limit }) }
      #expect(ByteWord.count(of: word.marks(of: 10)) == bytes.count { $0 == 10 })
      #expect(word.folded == bytes.reduce(0, ^))
      for count in 0...8 { #expect(word.prefix(count).folded == bytes.prefix(count).reduce(0, ^)) }
    }
  }

  /// The expected digits are put together one by one.
  @Test func aNumberIsReadInAnyPlaceAndNothingElseIsOne() {
    var dice = SplitMix64(seed: 5)
    let usual = Array("0123456789..x- /:".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<20).map { _ in usual[Int(dice.next() % UInt64(usual.count))] }
      let start = 8 + Int(dice.next() % 10)
      let end = start + Int(dice.next() % UInt64(21 - start))
      let text = bytes[start..<end]
      let digits = text.filter { $0 != 46 }
      let isNumber =
        (1...8).contains(text.count) && text.count - digits.count <= 1 && !digits.isEmpty
        && digits.allSatisfy { (48...57).contains($0) }
      let read = ByteWord.number(bytes.span, from: start, to: end)
      #expect((read != nil) == isNumber)
      let isWhole = isNumber && digits.count == text.count
      #expect((ByteWord.whole(bytes.span, from: start, to: end) != nil) == isWhole)
      guard let read, isNumber else { continue }
      #expect(read.value == digits.reduce(0) { $0 * 10 + Int64($1 - 48) })
      if isWhole {
        #expect(ByteWord.whole(bytes.span, from: start, to: end) == read.value)
      }
      #expect(read.decimals == (text.firstIndex(of: 46).map { end - $0 - 1 } ?? 0))
    }
  }

  @Test func aNumberNeedsEightBytesBeforeItsEnd() {
    let bytes = Array("1234567890".utf8)
    #expect(ByteWord.number(bytes.span, from: 6, to: 7) == nil)
    #expect(ByteWord.number(bytes.span, from: 6, to: 8)?.value == 78)
    #expect(ByteWord.number(bytes.span, from: 9, to: 11) == nil)
    #expect(ByteWord.number(bytes.span, from: 9, to: 9) == nil)
  }

  @Test func pairsAreThreeOfSixDigitsAndNothingBehindThem() {
    func pairs(_ text: String) -> [Int]? {
      let bytes = Array(text.utf8)
      return ByteWord(bytes.span, from: 0, to: bytes.count).pairs.map { pairs in
        (0..<4).map { Int(pairs >> UInt64($0 * 16) & 0xFFFF) }
      }
    }
    #expect(pairs("235960") == [23, 59, 60, 0])
    #expect(pairs("009907") == [0, 99, 7, 0])
    for text in ["", "23596", "2359607", "23596.", "2359/0", "2359:0", "a35960"] {
      #expect(pairs(text) == nil)
    }
  }

  @Test func thePlaceOfMarksIsThatOfTheFirst() {
    #expect(ByteWord.place(of: 0) == 8)
    for place in 0..<8 {
      let mark = UInt64(0x80) << UInt64(place * 8)
      #expect(ByteWord.place(of: mark) == place)
      #expect(ByteWord.place(of: mark | 0x80 << 56) == place)
    }
  }

  @Test func theFirstOfAByteIsFoundInAnyPart() {
    var dice = SplitMix64(seed: 3)
    for _ in 0..<300 {
      let bytes = text(&dice, count: Int(dice.next() % 40))
      let start = Int(dice.next() % UInt64(bytes.count + 1))
      let end = start + Int(dice.next() % UInt64(bytes.count - start + 1))
      for byte: UInt8 in [10, 42, 44, 60, 128, 255] {
        let wanted = bytes[start..<end].firstIndex(of: byte) ?? end
        #expect(bytes.span.first(byte, from: start, to: end) == wanted)
      }
    }
  }

  @Test func aCopyIsAppendedBehindWhatIsThere() {
    var bytes: [UInt8] = [1, 2]
    let more: [UInt8] = [3, 4, 5]
    bytes.append(copying: more.span.extracting(1..<3))
    #expect(bytes == [1, 2, 4, 5])
  }

  @Test func aBlockFindsItsBytesInTheirOrder() {
    var dice = SplitMix64(seed: 4)
    for _ in 0..<300 {
      let bytes = text(&dice, count: 16 + Int(dice.next() % 9))
      let start = Int(dice.next() % UInt64(bytes.count - 15))
      let part = Array(bytes[start..<(start + 16)])
      let block = ByteBlock(bytes.span, at: start)
      let (one, other) = (part[Int(dice.next() % 16)], UInt8(truncatingIfNeeded: dice.next()))
      let marks = block.marks(of: one)
      func places(_ marks: ByteBlock.Marks) -> [Int] {
        (0..<16).filter { marks.bits >> UInt16($0) & 1 == 1 }
      }
      #expect(places(marks) == part.indices.filter { part[$0] == one })
      let four = block.marks(of: one, or: other, or: 10, or: 13)
      #expect(four.count == part.count { [one, other, 10, 13].contains($0) })
      #expect(
        (block == ByteBlock(part.span, at: 0)) && (block == block.prefix(15)) == (part[15] == 0))
      #expect(marks.count == part.count { $0 == one })
      #expect(marks.place == part.firstIndex(of: one))
      let both = block.marks(of: one, or: other)
      #expect(both.count == part.count { $0 == one || $0 == other })
      #expect(block.marks(of: 3).place == part.firstIndex(of: 3) ?? 16)
      #expect(block.marks(of: 3).isEmpty == !part.contains(3))
      #expect(places(block.marks(below: 45)) == part.indices.filter { part[$0] < 45 })
      #expect(
        places(block.marks(outside: 32..<128, or: one, or: 60))
          == part.indices.filter { !(32..<128).contains(part[$0]) || [one, 60].contains(part[$0]) })
      let low = block.marks(below: 45)
      #expect(places(low.without(marks)) == places(low).filter { part[$0] != one })
      #expect(
        places(low.through(marks)) == places(low).filter { $0 < marks.place } + [marks.place])
      for place in 0...16 {
        let head = block.prefix(place)
        // Zeros stand for the bytes outside of the part.
        let found = head.marks(of: one).count - (one == 0 ? 16 - place : 0)
        #expect(found == part.prefix(place).count { $0 == one })
        #expect(head.folded == part.prefix(place).reduce(0, ^))
      }
    }
  }

  @Test func theBlocksOfALongTextAddUpToItsExclusiveOr() {
    var dice = SplitMix64(seed: 9)
    let bytes = text(&dice, count: 160)
    var sum = ByteBlock.none
    for start in stride(from: 0, to: 160, by: 16) {
      sum.formExclusiveOr(ByteBlock(bytes.span, at: start))
    }
    #expect(sum.folded == bytes.reduce(0, ^))
  }
}
