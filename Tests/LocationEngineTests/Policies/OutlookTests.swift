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

  /// A record that was told of so many windows of movement, 15 s apart.
  private func felt(_ windows: Int) -> MotionRecord {
    var motion = MotionRecord()
    for window in 0..<windows {
      _ = motion.fired(at: .zero.advanced(bySeconds: Double(window + 1) * 15))
    }
    return motion
  }

  @Test("A leg of which the sensor felt a part is no rest; who is felt from end to end is trusted")
  func hearing() {
    // 300 m at 1.2 m/s are 250 s on foot. Of them 30 + 7 × 15 = 135 s were felt, and the
    // window that goes on: 60 %, half way to it 80 %.
    var patchy = felt(8)
    let walked = patchy.explain(300, in: 600, fastest: 1)
    #expect(walked == 250)
    #expect(abs(patchy.hearing - 0.8) < 1e-9)
    #expect(patchy.isPatchy)
    // Of such a leg nothing: half of the way to 15 s of 250.
    patchy.forget()
    _ = patchy.explain(300, in: 600, fastest: 1)
    #expect(abs(patchy.hearing - 0.43) < 1e-9)
    var heard = felt(20)
    let all = heard.explain(300, in: 320, fastest: 1)
    #expect(all == 315)
    #expect(heard.hearing == 1)
  }

  @Test(
    "A rest in which nothing was felt brings trust back: from next to none in four polls"
  )
  func trust() {
    var motion = MotionRecord()
    for _ in 0..<20 { _ = motion.explain(300, in: 600, fastest: 1) }
    #expect(abs(motion.hearing - 0.06) < 1e-5)
    // 1 − 0.94 × 0.5ⁿ: 0.883 after three, 0.941 after four.
    for poll in 1...4 {
      _ = motion.explain(20, in: 600, fastest: 0)
      #expect(motion.isPatchy == (poll < 4))
    }
    // A minute at one place tells nothing.
    var short = MotionRecord()
    _ = short.explain(300, in: 600, fastest: 1)
    _ = short.explain(20, in: 60, fastest: 0)
    #expect(short.hearing == 0.53)
  }

  @Test("Vehicles, drift and short ways say nothing of the sensor")
  func unheard() {
    // 6 km in 300 s are no walk, whatever was felt; 300 s long it moved at its 20 m/s.
    var drive = felt(1)
    let moved = drive.explain(6_000, in: 300, fastest: 20)
    #expect(moved == 300)
    #expect(drive.hearing == 1)
    // 30 m are noise, and one window is the least that moved.
    var drift = MotionRecord()
    let stayed = drift.explain(30, in: 500, fastest: 1)
    #expect(stayed == 25)
    #expect(drift.hearing == 1)
    // 600 m after a ride at 16 m/s are 37.5 s, which is too short to tell.
    var arrival = felt(2)
    let rode = arrival.explain(600, in: 500, fastest: 16)
    #expect(rode == 45)
    #expect(arrival.hearing == 1)
  }
}
