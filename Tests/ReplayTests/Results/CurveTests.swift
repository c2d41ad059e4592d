// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import Replay

@Suite("Curves")
struct CurveTests {
  private func at(_ seconds: Double) -> EngineInstant {
    EngineInstant.zero.advanced(bySeconds: seconds)
  }

  @Test("An hour has a value per 4 s, since 1,024 steps of 2 s end before it")
  func stepFollowsTheExpectedLength() {
    #expect(Curve(.first, expecting: 3_600).step == 4_000_000)
    #expect(Curve(.first, expecting: 1_024).step == 1_000_000)
  }

  @Test("A curve that outgrows its grid doubles its step and keeps peaks")
  func doubles() {
    var curve = Curve(.greatest)
    for second in 0..<5_000 { curve.addValue(second == 777 ? 9 : 1, at: at(Double(second))) }
    // 1,024 steps hold 5,000 s at 8 s; 777 s lies in the step from 776 s, the 97th after the first.
    #expect(curve.step == 8_000_000)
    #expect(curve.values.count == 625)
    #expect(curve.values[97] == 9)
    #expect(curve.values.count { $0 == 9 } == 1)
  }

  @Test("A growing sum keeps the value at the begin of each step")
  func keepsFirst() {
    var curve = Curve(.first)
    for second in 0..<3_000 { curve.addValue(Double(second), at: at(Double(second))) }
    #expect(curve.step == 4_000_000)
    #expect(curve.values[0] == 0)
    #expect(curve.values[10] == 40)
  }

  @Test("What was not known stays unknown, also when steps merge")
  func gaps() {
    var curve = Curve(.greatest)
    for second in 0..<100 { curve.addValue(5, at: at(Double(second))) }
    for second in 2_000..<2_100 { curve.addValue(5, at: at(Double(second))) }
    // 1,024 steps hold 2,100 s at 4 s: known are 0 to 24, and 500 to 524.
    #expect(curve.values.map { $0 != nil } == (0..<525).map { $0 < 25 || $0 >= 500 })
  }

  @Test("Memory is bounded, whatever the time")
  func bounded() {
    var curve = Curve(.greatest)
    for power in 0..<40 { curve.addValue(1, at: at(Double(1 << power))) }
    #expect(curve.values.count <= Curve.limit)
  }
}
