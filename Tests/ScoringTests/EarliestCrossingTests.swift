// SPDX-License-Identifier: Apache-2.0

import Scoring
import Testing

@Suite("The earliest that a device can be 500 m further")
struct EarliestCrossingTests {
  @Test("T16: from rest, from 20 m/s, and at a speed that it has at once")
  func vectors() {
    // A = 2 m/s², V = 40 m/s, 450 m: t₁ = 20 s, d₁ = 400 m, 20 + 50/40.
    let rest = EarliestCrossing(speed: 0, acceleration: 2, limit: 40)
    #expect(abs(rest.seconds(to: 450) - 21.25) < 1e-9)
    // t₁ = 10 s, d₁ = 300 m, 10 + 150/40.
    let moving = EarliestCrossing(speed: 20, acceleration: 2, limit: 40)
    #expect(abs(moving.seconds(to: 450) - 13.75) < 1e-9)
    // 450/2.5 − 12 s of time to first fix = 168 s; 450/40 − 12 s is below 0: the receiver stays on.
    let walk = EarliestCrossing(speed: 2.5, acceleration: 0, limit: 2.5)
    #expect(abs(walk.seconds(to: 450) - 12 - 168) < 1e-9)
    let car = EarliestCrossing(speed: 40, acceleration: 0, limit: 40)
    #expect(car.seconds(to: 450) - 12 < 0)
  }

  @Test("While it still gains speed: 100 m from rest at 2 m/s² take 10 s")
  func gaining() {
    let rest = EarliestCrossing(speed: 0, acceleration: 2, limit: 40)
    #expect(abs(rest.seconds(to: 100) - 10) < 1e-9)
  }
}
