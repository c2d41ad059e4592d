// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@Suite("Instants")
struct TimeTests {
  @Test(
    "Division rounds towards minus infinity",
    arguments: [(7, 2, 3), (-7, 2, -4), (-8, 2, -4), (0, 5, 0), (-1, 1_000_000, -1)])
  func floored(dividend: Int64, divisor: Int64, quotient: Int64) {
    #expect(dividend.flooredQuotient(divisor) == quotient)
  }

  @Test("Whole seconds before 1970 are rounded down, not towards 1970")
  func wholeSeconds() {
    #expect(UTCInstant(microseconds: -1).wholeSeconds == -1)
    #expect(UTCInstant(microseconds: 1_999_999).wholeSeconds == 1)
  }

  @Test("Seconds between instants have a sign, and advancing by them leads back")
  func between() {
    let early = UTCInstant(microseconds: 1_000_000)
    let late = UTCInstant(microseconds: 3_500_000)
    #expect(UTCInstant.seconds(from: early, to: late) == 2.5)
    #expect(UTCInstant.seconds(from: late, to: early) == -2.5)
    #expect(early.advanced(bySeconds: 2.5) == late)
    #expect(late.advanced(bySeconds: -2.5) == early)
    #expect(early < late)
  }

  @Test("Beyond the end of its axis an instant is that end, and an unknown time moves nothing")
  func saturates() {
    let instant = EngineInstant(microseconds: 5)
    for seconds in [1e308, .infinity, 9.3e12] {
      #expect(instant.advanced(bySeconds: seconds).microseconds == .max)
      #expect(UTCInstant(microseconds: -5).advanced(bySeconds: -seconds).microseconds == .min)
    }
    #expect(instant.advanced(bySeconds: .nan) == instant)
  }

  @Test("Between the ends of the axis lie 2⁶⁴ microseconds")
  func ends() {
    let (first, last) = (UTCInstant(microseconds: .min), UTCInstant(microseconds: .max))
    #expect(UTCInstant.seconds(from: first, to: last) == 0x1p64 / 1e6)
    #expect(UTCInstant.seconds(from: last, to: first) == -0x1p64 / 1e6)
    #expect(
      EngineInstant.seconds(
        from: EngineInstant(microseconds: -1), to: EngineInstant(microseconds: .max))
        == 0x1p63 / 1e6)
  }

  @Test("An engine instant is advanced to the nearest microsecond")
  func engine() {
    #expect(EngineInstant.zero.advanced(bySeconds: 0.000_000_6).microseconds == 1)
    #expect(EngineInstant.zero.advanced(bySeconds: 86_400).seconds == 86_400)
    #expect(EngineInstant.seconds(from: .zero, to: EngineInstant(microseconds: 250_000)) == 0.25)
  }
}
