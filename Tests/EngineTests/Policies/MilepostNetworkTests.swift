// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("Positions of the network where there is no sky")
struct MilepostNetworkTests {
  /// A drive of 600 s under open sky, told at 11 s and 311 s, and then a tunnel.
  private func tunnel(_ seconds: Int, accuracy: Double?) -> Journey {
    var journey = Journey(senses: .motion, networkAccuracy: accuracy)
    journey.tellsSignal = true
    journey.travel(
      .init(seconds: 600, speed: 15), .init(seconds: seconds, speed: 15, hasSky: false))
    return journey
  }

  @Test("A vehicle in a tunnel is told by the network, as soon as its interval is over")
  func vehicle() {
    let (without, with) = (tunnel(300, accuracy: nil), tunnel(300, accuracy: 480))
    #expect(without.deliveries.count == 2)
    #expect(with.deliveries.count == 3)
    // Due 300 s after the second; a search of some seconds comes first.
    let due = with.deliveries[1].second + 300
    #expect((due...due + 15).contains(with.deliveries.last?.second ?? 0), "\(with.deliveries)")
  }

  @Test("A device that begins indoors is known from the network, and its receiver rests with it")
  func indoors() {
    var journey = Journey(senses: .motion, networkAccuracy: 40)
    journey.tellsSignal = true
    journey.travel(.init(seconds: 8 * 3_600, speed: 0, hasSky: false))
    #expect(journey.deliveries.count == 1)
    // One cold start that hears nothing, 120 s.
    #expect(journey.secondsOn <= 130, "\(journey.secondsOn)")
    #expect(journey.requests <= 3, "\(journey.requests)")
  }

  @Test("A walk indoors is told by good positions of the network; coarse ones tell of no walk")
  func walk() {
    func deliveries(accuracy: Double) -> Int {
      var journey = Journey(senses: .motion, networkAccuracy: accuracy)
      journey.tellsSignal = true
      journey.travel(
        .init(seconds: 600, speed: 1.3), .init(seconds: 900, speed: 1.3, hasSky: false))
      return journey.deliveries.count
    }
    // 1,950 m at 500 m each.
    #expect(deliveries(accuracy: 40) >= 3)
    #expect(deliveries(accuracy: 2_000) <= 2)
  }

  @Test(
    "An accuracy beyond a tenth of the distance counts with a deviation, that of the anchor too")
  func required() {
    var criteria = SignificantService.Criteria(EngineRules())
    let coarse = Anchor(
      Stage.fix(metres: 0, at: .zero, accuracy: 300, source: .network), at: .zero)
    #expect(criteria.required(from: coarse, accuracy: 400) == 500)
    criteria.plainAccuracy = 50
    #expect(criteria.required(from: nil, accuracy: 50) == 500)
    // 400 m are 1.51 deviations of 265 m; 300 m are those of 199 m.
    #expect(abs(criteria.required(from: nil, accuracy: 400) - 764.9) < 0.1)
    #expect(abs(criteria.required(from: coarse, accuracy: 5) - 698.7) < 0.1)
    // Two errors of 300 and 400 m are one of 500 m.
    #expect(abs(criteria.required(from: coarse, accuracy: 400) - 831.1) < 0.1)
  }

  @Test("A position without an accuracy says nothing, the first of all included")
  func noAccuracy() {
    func drive(_ isTold: Bool) -> Journey {
      var journey = Journey(senses: .motion, networkAccuracy: nil)
      if isTold {
        let somewhere = Stage.fix(
          metres: 300, at: journey.stage.now, accuracy: nil, source: .network)
        journey.stage.tell(.networkFix(somewhere))
      }
      journey.travel(
        .init(seconds: 900, speed: 15), .init(seconds: 3_600, speed: 0),
        .init(seconds: 900, speed: 15))
      return journey
    }
    #expect(drive(true).deliveries.map(\.second) == drive(false).deliveries.map(\.second))
    #expect(drive(true).sessions == drive(false).sessions)
  }

  @Test("Under open sky a vehicle is told by the network, which costs half, too")
  func cheaper() {
    func drive(_ accuracy: Double?) -> Journey {
      var journey = Journey(senses: .motion, networkAccuracy: accuracy)
      journey.travel(.init(seconds: 1_820, speed: 15))
      return journey
    }
    let (without, with) = (drive(nil), drive(40))
    // One each 300 s; the first ones are the receiver's, until the pace is known.
    #expect((6...7).contains(with.deliveries.count), "\(with.deliveries)")
    #expect(with.sessions <= 3 && without.sessions >= 6, "\(with.sessions), \(without.sessions)")
    #expect(with.requests >= 4)
  }

  @Test("A network that knows no place to tell a walk by leaves it to the receiver")
  func tooCoarse() {
    var journey = Journey(senses: .motion, networkAccuracy: 480)
    journey.travel(.init(seconds: 1_850, speed: 1.3))
    // 2,405 m at 500 m each.
    #expect(journey.deliveries.count == 5, "\(journey.deliveries)")
    #expect(journey.deliveries.allSatisfy { $0.metres < 2_400 })
  }

  @Test("While the network is asked, the plan says so")
  func plan() {
    var journey = tunnel(0, accuracy: 40)
    let before = journey.requests
    var asked = 0
    for _ in 0..<300 {
      journey.travel(.init(seconds: 1, speed: 15, hasSky: false))
      if case .off(.awaitsNetwork) = journey.stage.engine.plan { asked += 1 }
    }
    // Each request is answered a second later.
    let requests = journey.requests - before
    #expect(asked == requests && asked > 0, "\(asked) of \(requests)")
  }

  @Test("Without an answer the receiver is tried as where there is no network")
  func silence() {
    var journey = Journey(senses: .motion)
    journey.stage = Stage(
      policy: SignificantPolicy(
        MilepostPolicy(
          senses: .motion, memory: AcquisitionMemory(hot: 8, timeout: 120),
          motion: Journey.sensing, networkEnergy: 0.5)))
    journey.stage.launch()
    journey.stage.app(.startMonitoringSignificantChanges)
    journey.tellsSignal = true
    journey.travel(
      .init(seconds: 600, speed: 15), .init(seconds: 300, speed: 15, hasSky: false),
      .init(seconds: 60, speed: 15))
    let plain = tunnel(300, accuracy: nil)
    #expect(journey.requests > 0)
    #expect(journey.sessions >= plain.sessions - 2)
    #expect(journey.deliveries.count == 3)
  }
}
