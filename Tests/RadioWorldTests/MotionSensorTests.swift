// SPDX-License-Identifier: Apache-2.0

import Geodesy
import RadioWorld
import Testing

@Suite("Motion sensor and losses")
struct MotionSensorTests {
  private let frame = LocalFrame(
    origin: Coordinate(clampingLatitude: 50, wrappingLongitude: 10))

  @Test("Motion fires in every window of 15 s that gets on by 15 m, and not for drift")
  func motion() {
    var sensor = MotionSensor(seed: 1, falseAlarms: 0)
    var fired: [Int] = []
    for second in 0...90 {
      // Still for 20 s, 1.6 m/s for 40 s, then 3 m to and fro every second.
      let east = second < 60 ? max(0, Double(second) - 20) * 1.6 : 64 + Double(second % 2) * 3
      if sensor.fires(at: frame.point(east: east, north: 0)) { fired.append(second) }
    }
    // Windows end at 15, 30 (16 m since second 20), 45 and 60 (24 m each), 75 and 90 (drift).
    #expect(fired == [30, 45, 60])
  }

  @Test("The lag is an option: a window of 5 s fires within 10")
  func lag() {
    var sensor = MotionSensor(seed: 1, lag: 5, falseAlarms: 0)
    var fired: [Int] = []
    for second in 0...30 {
      let east = max(0, Double(second) - 7) * 1.5
      if sensor.fires(at: frame.point(east: east, north: 0)) { fired.append(second) }
    }
    // 5 to 10: 4.5 m of 5; 10 to 15, and so on: 7.5 m.
    #expect(fired == [15, 20, 25, 30])
  }

  @Test("At rest it fires as often as was asked, the same seconds for the same seed")
  func falseAlarms() {
    func alarms(_ seed: UInt64, _ rate: Double) -> [Int] {
      var sensor = MotionSensor(seed: seed, falseAlarms: rate)
      return (0..<40 * 3_600).filter { _ in sensor.fires(at: frame.origin) }
    }
    // 40 h at 20 an hour: 800 ± 28.
    let alarmed = alarms(1, 20)
    #expect(abs(alarmed.count - 800) < 100)
    #expect(alarmed == alarms(1, 20))
    #expect(alarmed != alarms(2, 20))
    #expect(alarms(1, 0).isEmpty)
  }

  @Test("A share of fixes goes missing, in bursts of some 5 s")
  func loss() {
    for share in [0.0, 0.05, 0.2, 0.8] {
      var loss = FixLoss(seed: 3, share: share)
      let lost = (0..<200_000).map { _ in loss.loses() }
      let count = lost.count { $0 }
      // 200,000 s hold 8,000 bursts at 0.2: within 3 %.
      #expect(abs(Double(count) / 200_000 - share) < 0.02)
      let bursts = zip(lost, lost.dropFirst()).count { !$0 && $1 }
      if share > 0 { #expect(abs(Double(count) / Double(bursts) - 5) < 0.5) }
    }
  }
}
