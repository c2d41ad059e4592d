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

  @Test("A sensor that missed a walk is not trusted for an hour")
  func deafness() {
    var motion = MotionRecord()
    let at = { (seconds: Double) in EngineInstant.zero.advanced(bySeconds: seconds) }
    let drift = motion.explain(30, in: 600, fastest: 1, at: at(600))
    #expect(drift == 15)
    #expect(!motion.isDeaf(at: at(600)))
    let walk = motion.explain(300, in: 600, fastest: 1, at: at(1_200))
    #expect(walk == 600)
    #expect(motion.isDeaf(at: at(4_000)))
    #expect(!motion.isDeaf(at: at(4_900)))
    // A vehicle is felt: 20 m/s in one window is no deafness.
    var drive = MotionRecord()
    let silence = drive.fired(at: at(15))
    let moved = drive.explain(6_000, in: 300, fastest: 20, at: at(300))
    #expect(silence == .infinity)
    #expect(moved == 30)
    #expect(!drive.isDeaf(at: at(301)))
    // Nor are 600 m in 40 felt seconds and 500 s, after a ride at 14 m/s; after a walk they are.
    for (fastest, isDeaf) in [(16.0, false), (1.4, true)] {
      var arrival = MotionRecord()
      _ = arrival.fired(at: at(15))
      _ = arrival.fired(at: at(30))
      _ = arrival.explain(600, in: 500, fastest: fastest, at: at(500))
      #expect(arrival.isDeaf(at: at(501)) == isDeaf)
    }
  }
}
