// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("What milepost expects")
struct OutlookTests {
  private func outlook(_ speed: Double) -> SpeedOutlook {
    var outlook = SpeedOutlook()
    outlook.learn(speed: speed, distance: 0, seconds: 0, moving: 0, isDeparture: true)
    return outlook
  }

  @Test("A walker of 1.4 m/s is expected to need a little less than 500 / 1.4 s")
  func walker() throws {
    // 1.4 T + 1.1 × 0.21 T √(2·60/T · …) ≥ 500: python3, bisection: 327.56 s.
    let seconds = try #require(outlook(1.4).seconds(toCover: 500, within: 7_200))
    #expect(abs(seconds - 327.56) < 0.1)
  }

  @Test("On foot a second's stop is not carried on; a ride ends with the first leg that was walked")
  func onFoot() {
    var walker = outlook(1.4)
    // 140 m in 100 s, and standing as it was looked at.
    walker.learn(speed: 0, distance: 140, seconds: 100, moving: 100, isDeparture: false)
    // Its mean is still 1.4 m/s: 100 m take 71 s at most. With the stop carried on they would take 105.
    #expect(walker.seconds(toCover: 100, within: 7_200).map { $0 <= 71.5 } == true)
    var rider = outlook(20)
    rider.learn(speed: 1.2, distance: 200, seconds: 60, moving: 60, isDeparture: false)
    // 3.3 m/s of leg, the last of it by train: the ride is over, and 300 m take minutes.
    #expect(rider.mean < SpeedOutlook.vehicle * 2)
    rider.learn(speed: 1.2, distance: 72, seconds: 60, moving: 60, isDeparture: false)
    #expect(rider.mean <= 1.5)
  }

  @Test("A speed is reached by a start of 4 m/s² at most: over the way, and in the time")
  func fastest() {
    // v² = v₀² + 2 a s: √(2 · 4 · 50) = 20; √(10² + 2 · 4 · 50) = 22.36; 10 + 4 · 2 = 18.
    #expect(abs(outlook(0).fastest(on: 50, in: 60) - 20) < 1e-9)
    #expect(abs(outlook(10).fastest(on: 50, in: 60) - 22.36) < 0.01)
    #expect(outlook(10).fastest(on: 50, in: 2) == 18)
  }

  @Test("A ride is over after 90 s of watching without a vehicle's speed, and not before")
  func vigil() {
    var rider = outlook(20)
    func watch(_ seconds: Int) {
      for _ in 0..<seconds {
        rider.learn(speed: 0, distance: 0, seconds: 1, moving: 1, isDeparture: false)
      }
    }
    watch(89)
    // 20 e^(−89/300) = 14.9 m/s.
    #expect(abs(rider.mean - 14.87) < 0.05)
    watch(1)
    #expect(rider.mean == 1.5)
  }

  @Test("The present speed is forgotten within minutes; what stands is not expected to move")
  func standing() {
    #expect(outlook(0).seconds(toCover: 10, within: 7_200) == nil)
    #expect(outlook(0).isStanding)
    var slowing = outlook(20)
    slowing.learn(speed: 0, distance: 0, seconds: 1, moving: 1, isDeparture: false)
    // At a red light: the mean carries on, so 300 m need less than two minutes.
    #expect(slowing.seconds(toCover: 300, within: 7_200).map { $0 > 15 && $0 < 120 } == true)
  }

  @Test("Further away takes longer, always")
  func monotonous() {
    for speed in [0.7, 1.4, 5, 14, 40, 250] {
      var last = 0.0
      for metres in stride(from: 10.0, through: 500, by: 10) {
        let seconds = outlook(speed).seconds(toCover: metres, within: 7_200) ?? .infinity
        #expect(seconds >= last)
        last = seconds
      }
    }
  }

  @Test("The lead is the 40th percentile: mean 8 s gives a median of 7.06 s and a lead of 6.2 s")
  func lead() {
    // 8 / e^0.125 = 7.06; × e^−0.125 = 6.23.
    let memory = AcquisitionMemory(hot: 8, timeout: 120)
    #expect(abs(memory.median - 7.06) < 0.01)
    #expect(abs(memory.lead - 6.23) < 0.01)
    // A slow one: 34 / e^0.125 = 30.0; × e^0.8225 = 68.3, less 20.
    #expect(abs(AcquisitionMemory(hot: 34, timeout: 120).lead - 48.3) < 0.1)
    // 7.06 × e^(2.58 × 0.5) = 25.6 s for a hot start; all there is for another, twice that for the first.
    #expect(abs(memory.patience(age: 60) - 25.6) < 0.1)
    #expect(memory.patience(age: nil) == 240)
    #expect(memory.patience(age: 7_201) == 120)
  }

  @Test("The median is learnt from hot starts, and from nothing else")
  func learning() {
    var memory = AcquisitionMemory(hot: 8, timeout: 120)
    memory.learn(100, age: nil)
    memory.learn(100, age: 8_000)
    memory.learn(0, age: 10)
    #expect(abs(memory.median - 7.06) < 0.01)
    for _ in 0..<60 { memory.learn(20, age: 300) }
    #expect(abs(memory.median - 20) < 0.1)
  }

  @Test("A coarse position must be further away: 84 % sure of 470 m")
  func margin() {
    #expect(MilepostPolicy.margin(5, 5) == 0)
    // √(100² + 100²) / 1.51 − 30 = 63.7 m.
    #expect(abs(MilepostPolicy.margin(100, 100) - 63.7) < 0.1)
    // Unknown counts as 30 m: √(30² + 30²) / 1.51 = 28.1 m.
    #expect(MilepostPolicy.margin(nil, nil) == 0)
  }

  /// A record that was told of so many windows of movement, 15 s apart.
  private func felt(_ windows: Int) -> MotionRecord {
    var motion = MotionRecord()
    for window in 0..<windows {
      _ = motion.fired(at: .zero.advanced(bySeconds: Double(window + 1) * 15))
    }
    return motion
  }

  @Test("A leg moved for what was felt of it, and at least for what its way takes")
  func movement() {
    // 300 m at 1.2 m/s are 250 s on foot; 30 + 7 × 15 = 135 s were felt.
    #expect(felt(8).movement(over: 300, in: 600, fastest: 1) == 250)
    #expect(felt(20).movement(over: 300, in: 320, fastest: 1) == 315)
    // 6 km at 20 m/s take all of the 300 s.
    #expect(felt(1).movement(over: 6_000, in: 300, fastest: 20) == 300)
    // One window is the least.
    #expect(MotionRecord().movement(over: 6, in: 500, fastest: 1) == 15)
    // 600 m at the 16 m/s of a ride are 37.5 s; two windows of 45 s were felt.
    #expect(felt(2).movement(over: 600, in: 500, fastest: 16) == 45)
  }
}

@Suite("The motion sensor as an odometer on foot")
struct StrollTests {
  @Test("A silent way raises the creep, and a rest halves it")
  func silence() {
    var stroll = WalkOdometer()
    // 120 m in 240 s: 84 m more than 0.15 m/s, of which the half, over 240 s.
    stroll.learn(120, felt: 0, silent: 240)
    #expect(abs(stroll.unfelt - 0.325) < 1e-12 && stroll.felt == 1.3)
    #expect(stroll.isPatchy)
    // 0.5 e^(−240 / 300).
    #expect(abs(stroll.share - 0.2246645) < 1e-7)
    stroll.learn(0, felt: 0, silent: 600)
    #expect(abs(stroll.unfelt - 0.1625) < 1e-12)
    #expect(!stroll.isPatchy)
    for _ in 0..<20 { stroll.learn(0, felt: 0, silent: 600) }
    #expect(stroll.unfelt == 0.02)
  }

  @Test("What a leg made more is shared as the squares of its seconds; a short leg teaches little")
  func shared() {
    var even = WalkOdometer()
    // 130 and 15 m expected; 0.5 × 105 × 100 / (100² + 100²) = 0.2625 m/s for each.
    even.learn(250, felt: 100, silent: 100)
    #expect(abs(even.felt - 1.5625) < 1e-12 && abs(even.unfelt - 0.4125) < 1e-12)
    var short = WalkOdometer()
    // 24 s are a tenth of a lesson: 0.1 × (12 − 3.6) / 24.
    short.learn(12, felt: 0, silent: 24)
    #expect(abs(short.unfelt - 0.185) < 1e-12)
    var steady = WalkOdometer()
    steady.learn(390, felt: 300, silent: 0)
    // 1 − 0.5 / e.
    #expect(abs(steady.share - 0.8160603) < 1e-7)
    #expect(steady.isSteady && steady.felt == 1.3)
  }

  @Test("The look is when the mixture has covered what is missing, sooner for who walks now")
  func ahead() {
    let stroll = WalkOdometer()
    // 1.1 × 1.3 and 2 × 0.15 m/s.
    #expect(abs(stroll.reach(felt: 100, silent: 100) - 173) < 1e-9)
    #expect(abs(stroll.pace - 0.865) < 1e-12)
    #expect(abs(stroll.seconds(toCover: 86.5, from: 0) - 100) < 1e-3)
    // 0.865 × 60 + 0.435 × 60 (1 − 1 / e) = 68.3981.
    #expect(abs(stroll.seconds(toCover: 68.3981, from: 1.3) - 60) < 0.001)
    // 8 s at 0.725 m/s.
    #expect(abs(stroll.tolerance - 5.8) < 1e-12)
  }
}
