// SPDX-License-Identifier: Apache-2.0

import Replay
import Testing

@Suite("Motion sensor and losses")
struct MotionSensorTests {
  private func sensor(
    seed: UInt64 = 1, window: Double = 10, steps: Double = 1, ride: Double = 1,
    smooth: Double = 0, falseAlarms: Double = 0
  ) -> MotionSensor {
    MotionSensor(
      seed: seed, window: window, steps: steps, ride: ride, smooth: smooth,
      falseAlarms: falseAlarms)
  }

  /// The seconds, from 1, at which a sensor fires.
  private func events(
    of sensor: MotionSensor, over ways: [(seconds: Int, way: WayOfMoving)]
  ) -> [Int] {
    var sensor = sensor
    return ways.flatMap { Array(repeating: $0.way, count: $0.seconds) }.enumerated()
      .filter { sensor.fires(moving: $0.element) }.map { $0.offset + 1 }
  }

  @Test("A window fires where half of it was movement, at its end, and rest is silent")
  func windows() {
    // 8 s still, 32 s on foot: windows end at 10 (2 s of steps), 20, 30, 40; then 5 s of the next, and 4 s.
    let walk: [(Int, WayOfMoving)] = [(8, .rest), (32, .foot), (20, .rest)]
    #expect(events(of: sensor(), over: walk) == [20, 30, 40])
    #expect(events(of: sensor(), over: [(45, .foot), (15, .rest)]) == [10, 20, 30, 40, 50])
    #expect(events(of: sensor(), over: [(44, .foot), (16, .rest)]) == [10, 20, 30, 40])
    #expect(events(of: sensor(window: 30), over: [(60, .ride(1)), (60, .rest)]) == [30, 60])
  }

  @Test("Steps and rides are felt as often as is stated, each for itself")
  func reliability() {
    let many = 20_000
    let felt = sensor(steps: 0.9, ride: 0.3)
    let walked = events(of: felt, over: [(10 * many, .foot)])
    let ridden = events(of: felt, over: [(10 * many, .ride(1))])
    // Binomial: standard deviations of 42 and 65 in 20,000.
    #expect(abs(walked.count - 18_000) < 170)
    #expect(abs(ridden.count - 6_000) < 260)
    #expect(walked == events(of: felt, over: [(10 * many, .foot)]))
    #expect(walked != events(of: sensor(seed: 2, steps: 0.9), over: [(10 * many, .foot)]))
    #expect(events(of: sensor(steps: 0), over: [(1_000, .foot)]).isEmpty)
  }

  @Test("A smooth ride is silent from start to end, and as many are smooth as is stated")
  func smoothRides() {
    let train: [(Int, WayOfMoving)] = [(600, .ride(7)), (90, .rest), (600, .ride(7))]
    #expect(events(of: sensor(smooth: 1), over: train).isEmpty)
    #expect(events(of: sensor(smooth: 1), over: [(20, .foot)] + train) == [10, 20])
    #expect(events(of: sensor(), over: train).count == 120)
    // 4,000 rides of one window: 1,000 ± 27 of them are smooth.
    let rides = (1...4_000).map { (10, WayOfMoving.ride($0)) }
    #expect(abs(events(of: sensor(smooth: 0.25), over: rides).count - 3_000) < 110)
  }

  @Test("Many seconds at once: each window in them is drawn, and false alarms come as often")
  func strides() {
    func felt(_ sensor: MotionSensor, _ parts: [(Int, WayOfMoving)]) -> [[Int]] {
      var sensor = sensor
      return parts.map { count, way in
        var fired: [Int] = []
        sensor.feel(way, for: count, into: &fired)
        return fired
      }
    }
    let many = felt(sensor(steps: 0.5), Array(repeating: (30, .foot), count: 20_000))
    // Windows of one half each: 60,000 of them, 30,000 with a standard deviation of 122.
    #expect(abs(many.joined().count - 30_000) < 490)
    #expect(Set(many.joined()) == [10, 20, 30])
    // 8 s still and 12 on foot: the window of 10 s has 2 s of steps, the next all of its 10.
    #expect(felt(sensor(), [(8, .rest), (12, .foot), (30, .rest)]) == [[], [12], []])
    let alarms = felt(sensor(falseAlarms: 60), Array(repeating: (60, .rest), count: 20_000))
    // 1 − (1 − 1/60)^60 = 0.635 of 20,000 minutes, with a standard deviation of 68.
    #expect(abs(alarms.count { $0 == [60] } - 12_706) < 270)
    #expect(alarms.allSatisfy { $0.isEmpty || $0 == [60] })
  }

  @Test("At rest it fires as often as was asked, the same seconds for the same seed")
  func falseAlarms() {
    func alarms(_ seed: UInt64, _ rate: Double) -> [Int] {
      events(of: sensor(seed: seed, falseAlarms: rate), over: [(40 * 3_600, .rest)])
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

  @Test("After several seconds at once as many are lost, and bursts are forgotten as fast")
  func lossInStrides() {
    for share in [0.05, 0.2, 0.8] {
      var loss = FixLoss(seed: 3, share: share)
      let lost = (0..<200_000).map { _ in loss.loses(after: 3) }
      #expect(abs(Double(lost.count { $0 }) / 200_000 - share) < 0.01)
      let stays = zip(lost, lost.dropFirst()).count { $0 && $1 }
      // A lost one is lost again 3 s later: share + (1 − share)·(1 − q/(1 − share))³, q = 1/5.
      let left = 1 - 0.2 / (1 - share)
      let expected = share + (1 - share) * left * left * left
      #expect(abs(Double(stays) / Double(lost.count { $0 }) - expected) < 0.02)
    }
  }
}
