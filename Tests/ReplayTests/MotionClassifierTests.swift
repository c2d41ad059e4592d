// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import LocationEngine
import RadioPower
import ServiceCore
import Testing

@testable import Replay

@Suite("How the device moves, as its path tells")
struct MotionClassifierTests {
  private func ways(
    _ legs: [(seconds: Double, speed: Double)], every step: Double = 1, isRecorded: Bool = false
  ) -> [WayOfMoving] {
    Drawn.steps(Drawn.trace(legs, every: step), isRecorded: isRecorded).samples.map(\.way)
  }

  @Test("A walk and a slow hike are steps from their first second to their last")
  func foot() {
    for speed in [0.3, 0.6, 1.2, 3.5] {
      for isRecorded in [false, true] {
        let ways = ways([(300, 0), (600, speed), (300, 0)], isRecorded: isRecorded)
        #expect(ways.count == 1_201)
        #expect(ways[0...300].allSatisfy { $0 == .rest })
        // A recording of 0.3 m/s makes its 45 m in 150 s of 180: the ends of the way look like drift.
        let slack = isRecorded && speed < 0.5 ? 61 : 0
        #expect(ways[(301 + slack)...(900 - slack)].allSatisfy { $0 == .foot }, "\(speed) m/s")
        #expect(ways[901...].allSatisfy { $0 == .rest })
      }
    }
  }

  @Test("A phone knows at once that it moves, and that it lies still 95 s behind its last movement")
  func settles() {
    let moves = Drawn.steps(Drawn.trace([(300, 0), (600, 1.2), (300, 0)]), isRecorded: false)
      .samples.map(\.moves)
    #expect(moves[0...300].allSatisfy { !$0 })
    #expect(moves[301...994].allSatisfy { $0 })
    #expect(moves[995...].allSatisfy { !$0 })
  }

  @Test("To and fro within a room are steps where the path is the truth, and drift in a recording")
  func pacing() {
    let room = (0..<40).map { _ in [(8.0, 0.8), (8.0, -0.8)] }.flatMap { $0 }
      .map { (seconds: $0.0, speed: $0.1) }
    #expect(ways(room).dropFirst().allSatisfy { $0 == .foot })
    #expect(ways(room, isRecorded: true).allSatisfy { $0 == .rest })
  }

  @Test("A hike that is recorded in leaps of 12 m is steps all the way")
  func leaps() {
    // A hiker of 0.6 m/s whose phone reports each 12 m.
    let events = (0...600).map { Drawn.fix(at: Double($0), east: Double($0 / 20) * 12) }
    let ways = Drawn.steps(events).samples.map(\.way)
    #expect(ways[1...600].allSatisfy { $0 == .foot })
  }

  @Test("A recorded position that drifts at rest takes no steps")
  func drift() {
    // To and fro by 3 m each second, within a circle that wanders by 0.1 m/s.
    let events = (0...3_600).map { second in
      let wander = Double(second % 200 - 100).magnitude / 10
      let jitter = Double(second % 2) * 3
      return Drawn.fix(at: Double(second), east: wander + jitter, north: Double(second % 3))
    }
    #expect(Drawn.steps(events).samples.allSatisfy { $0.way == .rest })
  }

  @Test("A ride is one through its stops, from its first second on, and another after 300 s")
  func rides() {
    // 15 m/s after 20 s of acceleration; 120 s at a station; a stay of 310 s; on again.
    let ways = ways([(60, 0), (20, 2), (300, 15), (120, 0), (300, 15), (310, 0), (100, 15)])
    #expect(ways[0...60].allSatisfy { $0 == .rest })
    #expect(ways[61...380].allSatisfy { $0 == .ride(1) })
    #expect(ways[381...500].allSatisfy { $0 == .rest })
    #expect(ways[501...800].allSatisfy { $0 == .ride(1) })
    #expect(ways[801...1_110].allSatisfy { $0 == .rest })
    #expect(ways[1_111...].allSatisfy { $0 == .ride(2) })
  }

  @Test(
    "A car that crawls between two stretches of its way is the same ride; a walk of 310 s is steps")
  func jam() {
    for isRecorded in [false, true] {
      // 400 m at 8 km/h, as on the motorway of car-commute.gpx.
      let jam = ways([(60, 0), (60, 20), (180, 2.2), (60, 20)], isRecorded: isRecorded)
      #expect(jam[61...360].allSatisfy { $0 == .ride(1) })
      // Ten steps of standing and crawling.
      let queue = (0..<10).flatMap { _ in
        [(seconds: 12.0, speed: 0.0), (seconds: 13.0, speed: 1.8)]
      }
      let queued = ways([(60.0, 20.0)] + queue + [(60.0, 20.0)], isRecorded: isRecorded)
      #expect(queued[1...370].allSatisfy { $0 == .rest || $0 == .ride(1) })
      #expect(queued.contains(.rest))
      // A spurt shows up to 20 s behind it and 30 s before.
      let walk = ways([(60, 20), (360, 1.2), (60, 20)], isRecorded: isRecorded)
      #expect(walk[90...389].allSatisfy { $0 == .foot })
    }
  }

  @Test("What lies beyond a gap says nothing of what is before it")
  func gap() {
    // Two minutes' walk; after two hours, a car.
    var events = (0...120).map { Drawn.fix(at: Double($0), east: Double($0)) }
    events += (0...60).map { Drawn.fix(at: 7_200 + Double($0), east: 9_000 + 20 * Double($0)) }
    let ways = Drawn.steps(events).samples.map(\.way)
    #expect(ways.count == 121 + 61)
    #expect(ways[1...120].allSatisfy { $0 == .foot })
    #expect(ways[122...].allSatisfy { $0 == .ride(1) })
  }

  @Test("Samples keep their order and lose nothing by being held back")
  func order() {
    for seconds in [0.0, 1, 9, 10, 11, 90, 91, 180, 181, 182, 500] {
      let samples = Drawn.steps(Drawn.trace([(seconds, 1)])).samples
      #expect(samples.count == Int(seconds) + 1)
      #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.at < $1.at })
    }
  }
}

@Suite("The sensor of a world and that of a policy")
struct StatedMotionTests {
  @Test(
    "A world begins with the profile's sensor; what a test of robustness changes no policy hears")
  func stated() throws {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    var options = ReplayOptions(device: device, network: nil)
    let stated = MotionSensing(
      window: 10, steps: 0.95, ride: 0.9, smooth: 0.02, falseAlarms: 0.25)
    #expect(options.motion == stated)
    options.motion.falseAlarms = 2.5
    #expect(options.device.motionSensing == stated)
    options.device.hasMotionSensor = false
    #expect(options.device.motionSensing == nil)
  }

  @Test("Settings of a policy that know nothing of a sensor are read as before")
  func oldSettings() throws {
    let old = Data(#"{"name":"elastic","senses":1}"#.utf8)
    var settings = try JSONDecoder().decode(PolicySettings.self, from: old)
    #expect(settings.motion == nil)
    settings.motion = .deaf
    let written = try JSONEncoder().encode(settings)
    #expect(try JSONDecoder().decode(PolicySettings.self, from: written) == settings)
  }
}
