// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Testing

private func value(_ text: String) -> Double? {
  let bytes = Array(text.utf8)
  return Decimal.value(bytes.span)
}

struct DecimalTests {
  @Test(arguments: [
    (0.0, 0, "0"), (-0.0, 2, "0.00"), (1.005, 2, "1.00"), (2.5, 0, "3"), (-2.5, 0, "-3"),
    (0.999_9, 2, "1.00"), (123_456_789.123_456_789, 6, "123456789.123457"), (-0.001, 2, "0.00"),
    (0.05, 1, "0.1"), (1e16, 3, "1e+16"),
  ])
  func numbersAreRoundedHalfAwayFromZero(number: Double, decimals: Int, text: String) {
    // 1.005 is 1.00499999999999989… as a double.
    #expect(Decimal.text(number, decimals: decimals) == text)
  }

  @Test func trailingZerosAreDroppedOnRequest() {
    #expect(Decimal.text(2.50, decimals: 3, trimmed: true) == "2.5")
    #expect(Decimal.text(20, decimals: 3, trimmed: true) == "20")
    #expect(Decimal.text(0.000_4, decimals: 3, trimmed: true) == "0")
  }

  @Test(arguments: [
    "0", "-0", "1", "+1.5", ".5", "5.", "45.123456", "-121.9723242335021495819091796875",
    "35.7804112695157527653583984375", "9007199254740993", "9007199254740992.5", "1e22", "1e23",
    "1.7976931348623157e308", "4.9e-324", "0.000000000000000000000000000001",
    "123456789012345678901",
    "0.1e-5", "1E+3", "18446744073709551616", "0.30000000000000004", "2.2250738585072011e-308",
  ])
  func textsAreReadAsTheNearestDouble(text: String) {
    // The standard library reads decimals correctly rounded.
    let lead = text.hasPrefix("+") ? String(text.dropFirst()) : text
    #expect(value(text) == Double(lead))
  }

  @Test(arguments: [
    "", "-", "+", ".", "45,123", "1 000", "1.2.3", "0x10", "inf", "nan", "1e", "1e+", "e5", "1e999",
    " 1", "1 ", "--1", "1e99999999",
  ])
  func whatIsNoDecimalIsNoNumber(text: String) { #expect(value(text) == nil) }

  @Test func anyDoubleComesBackFromItsShortestText() {
    var random = SplitMix64(seed: 2026)
    for _ in 0..<20_000 {
      let number = Double.random(in: -200...200, using: &random)
      let text = Decimal.shortest(number)
      if number.magnitude >= 1e-4 { #expect(value(text) == number) }
    }
    #expect(Decimal.shortest(91.0) == "91")
    #expect(Decimal.shortest(0.000_001) == "0.000001")
    #expect(Decimal.shortest(-0.0) == "-0")
  }

  @Test func longExpansionsAgreeWithTheStandardLibrary() {
    var random = SplitMix64(seed: 2026)
    for _ in 0..<20_000 {
      let whole = Int.random(in: 0...179, using: &random)
      let length = Int.random(in: 12...40, using: &random)
      let digits = (0..<length).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      let text = "\(whole).\(digits)"
      #expect(value(text) == Double(text), "\(text)")
    }
  }
}
