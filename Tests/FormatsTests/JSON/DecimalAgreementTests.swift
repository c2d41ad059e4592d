// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Testing

/// The standard library's conversions are the oracle for the fast paths of `Decimal`.
struct DecimalAgreementTests {
  /// The standard library's text, without an exponent and without `.0`; `nil` if it has an exponent.
  private func described(_ value: Double) -> String? {
    let text = value.description
    if text.contains("e") { return nil }
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  @Test func theShortestTextIsTheStandardLibrarysWhateverTheNumber() {
    var dice = SplitMix64(seed: 5)
    var few = 0
    for _ in 0..<200_000 {
      let digits = Double(dice.next() % 10_000_000_000_000_000 >> (dice.next() % 50))
      let value: Double =
        switch dice.next() % 4 {
        // A limited number of decimals, as receivers report them.
        case 0: digits / [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9][Int(dice.next() % 10)]
        // A minute's part of a degree: as many digits as there are.
        case 1: Double(dice.next() % 5_400_000_000_000) / 60e9
        case 2: Double(bitPattern: dice.next())
        // The neighbour of a number with few digits has many.
        default: (digits / 1e5).nextUp
        }
      guard value.isFinite, let wanted = described(value) else { continue }
      #expect(Decimal.shortest(value) == wanted)
      if wanted.utf8.count < 16 { few += 1 }
    }
    #expect(few > 50_000)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (1, "1"), (-12.5, "-12.5"), (0.1, "0.1"), (0.0001, "0.0001"),
    (0.00005, "0.00005"), (1e-9, "0.000000001"), (0.1 + 0.2, "0.30000000000000004"),
    (999_999_999_999_999, "999999999999999"), (1e15, "1000000000000000"), (100, "100"),
    (123_456.789_012_345, "123456.789012345"), (.infinity, ""), (.nan, ""),
  ])
  func numbersAreWrittenAsPeopleDo(value: Double, text: String) {
    #expect(Decimal.shortest(value) == text)
  }

  @Test func aNumberIsReadAsTheStandardLibraryReadsIt() {
    var dice = SplitMix64(seed: 6)
    for _ in 0..<100_000 {
      let whole = (0..<Int(dice.next() % 11)).map { _ in "\(dice.next() % 10)" }.joined()
      let part = (0..<Int(dice.next() % 11)).map { _ in "\(dice.next() % 10)" }.joined()
      let sign = ["", "-", "+"][Int(dice.next() % 3)]
      let text = sign + whole + ["", "."][Int(dice.next() % 2)] + part
      let bytes = Array(text.utf8)
      // The standard library wants a digit on both sides of a point.
      let full = sign + "0" + whole + (text.contains(".") ? "." : "") + part
      let wanted = (whole + part).isEmpty ? nil : Double(full.hasSuffix(".") ? full + "0" : full)
      #expect(Decimal.value(bytes.span)?.bitPattern == wanted?.bitPattern, "\(text)")
    }
  }
}
