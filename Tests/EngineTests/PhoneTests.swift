// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import LocationEngine
import LocationModel
import Testing

// A phone whose places lie along the stage's road. Numbers of the rules are those of `PhoneTerms.iOS12`: a crossing
// counts 40 m beyond the border for 20 s, a look comes every 45 s while the phone moves, a rest begins 25 s after the
// last motion, an arrival takes 85 s or more near a place, a departure 360 s or more away from it.

@Suite("Regions and visits of a phone")
struct PhoneTests {
  static let home = MonitoredRegion("home", centre: Stage.start, radius: 100)

  /// A phone at 0 m with an app that monitors `home` and visits, suspended from 65 s on.
  static func phone(seed: UInt64 = 1, visits: Bool = false) -> Stage {
    var rules = EngineRules()
    rules.platform = .phone(.iOS, seed: seed)
    var stage = Stage(rules: rules)
    stage.launch()
    stage.app(.place(.startMonitoring(home)))
    if visits { stage.app(.place(.startMonitoringVisits)) }
    stage.answer(0)
    // A short wait is over before the app is put away, and its look is answered.
    stage.settle(at: 0, since: 1, until: 59)
    stage.app(.enteredBackground, at: 60)
    return stage
  }

  @Test("At rest the phone does not look, whatever the cells do, and no exit is told by mistake")
  func rest() {
    var stage = Self.phone()
    stage.log = []
    stage.pass(to: 3_600)
    #expect(stage.log.looks == 0)
    #expect(!stage.engine.triggers.contains(.cells))
    #expect(stage.engine.plan == .off(.awaitsPlace))
  }

  @Test(
    "A walk away: looks 45 s apart, and the exit once the phone was 40 m beyond the border for 20 s"
  )
  func exit() {
    for seed in 1...8 as ClosedRange<UInt64> {
      var stage = Self.phone(seed: seed)
      let told = stage.walk(from: 0, pace: 1.25, since: 600, until: 1_200)
      // 140 m are 112 s of walk; a look may be up to 45 s later, and the one that confirms it 20 s behind that.
      let exit = told.first { $0.event == .exited("home") }?.at ?? .infinity
      let earliest = 600.0 + 112 + 20
      #expect(exit >= earliest && exit <= earliest + 45 + 5, "seed \(seed): \(exit - 600)")
      #expect(told.count == 1)
    }
  }

  @Test("After the exit nothing is looked for that no app would be told")
  func nothingLeft() {
    var rules = EngineRules()
    rules.platform = .phone(.iOS, seed: 1)
    var stage = Stage(rules: rules)
    stage.launch()
    stage.app(
      .place(
        .startMonitoring(
          MonitoredRegion("home", centre: Stage.start, radius: 100, notifiesOnEntry: false))))
    stage.answer(0)
    stage.walk(from: 0, pace: 1.25, since: 600, until: 1_000)
    stage.log = []
    stage.walk(from: 500, pace: 1.25, since: 1_000, until: 2_000)
    #expect(stage.log.looks == 0)
  }

  @Test("A coarse position near the border decides nothing")
  func coarse() {
    var stage = Self.phone()
    stage.pass(to: 600)
    for at in stride(from: 600.0, through: 700, by: 20) {
      #expect(stage.sees(700, at: at, accuracy: 480).events.isEmpty)
    }
    #expect(stage.engine.state(of: "home", of: AppID(1)) == .inside)
  }

  @Test(
    "A crossing that is due and cannot be decided is looked for as often as any other place, not at once again"
  )
  func undecided() {
    var stage = Self.phone()
    stage.pass(to: 600)
    // 60 m beyond the border; then nothing but cells, while it walks on.
    stage.sees(160, at: 600)
    #expect(stage.engine.state(of: "home", of: AppID(1)) == .inside)
    stage.log = []
    for second in stride(from: 601.0, through: 900, by: 1) {
      stage.pass(to: second)
      if Int(second) % 10 == 0 { stage.tell(.motionBegan) }
      if stage.log.last == .requestNetworkPosition {
        stage.tell(
          .networkFix(Stage.fix(metres: 160, at: stage.now, accuracy: 480, source: .network)))
      }
    }
    #expect((8...16).contains(stage.log.looks), "\(stage.log.looks)")
  }

  @Test("Far from every border coarse positions do not make it look more often")
  func farAway() {
    var stage = Self.phone()
    stage.walk(from: 0, pace: 1.25, since: 600, until: 1_000)
    stage.log = []
    // Forty minutes in a car, 20 km and more away, where no access point is known.
    for second in stride(from: 1_001.0, through: 3_400, by: 1) {
      stage.pass(to: second)
      if Int(second) % 10 == 0 { stage.tell(.motionBegan) }
      if stage.log.last == .requestNetworkPosition {
        let metres = 20_000 + 20 * (second - 1_000)
        stage.tell(
          .networkFix(Stage.fix(metres: metres, at: stage.now, accuracy: 480, source: .network)))
      }
    }
    // The first look of the way, and then every five minutes.
    #expect((7...10).contains(stage.log.looks), "\(stage.log.looks)")
  }

  @Test(
    "A visit is told after a wait, its end after another one, and never two arrivals without a departure"
  )
  func visits() {
    for seed in 1...8 as ClosedRange<UInt64> {
      var stage = Self.phone(seed: seed, visits: true)
      var told = stage.settle(at: 0, until: 7_200)
      let arrivals = stage.log.events
      guard case .arrived(let home)? = arrivals.first else {
        Issue.record("seed \(seed): no arrival")
        continue
      }
      #expect(arrivals.count == 1 && (told.first?.at ?? 60) >= 60)
      #expect(home.coordinate.distance(to: Stage.start) < 1)
      told = stage.walk(from: 0, pace: 1.25, since: 7_200, until: 11_000)
      let names = told.map(\.event.name)
      #expect(names == ["exited", "departed"], "seed \(seed): \(names)")
      guard case .departed(let visit)? = told.last?.event, let at = told.last?.at else { continue }
      #expect(at - 7_200 >= 80 + 360, "100 m are 80 s, and 360 s are the least wait")
      #expect(visit.departure != nil && visit.arrival == home.arrival)
      told = stage.settle(at: 4_750, since: 11_000, until: 18_000)
      #expect(told.map(\.event.name) == ["arrived"])
    }
  }

  // A place to 38 m and positions to 480 m: 518 m are both together, 1,554 m three times that.
  @Test(
    "Cells do not end the stay of a phone that felt no motion, unless they are beyond all doubt")
  func cellsAtRest() {
    for seed in 1...8 as ClosedRange<UInt64> {
      var stage = Self.phone(seed: seed, visits: true)
      stage.settle(at: 0, until: 3_600)
      #expect(stage.log.events.map(\.name).last == "arrived")
      #expect(stage.settle(atCell: 1_000, since: 3_660) == [], "seed \(seed)")
      // It went by car: the same positions say so now.
      var gone = stage
      gone.feel(since: 5_500, until: 5_530)
      #expect(
        gone.settle(atCell: 1_000, since: 5_560).filter { $0.visit != nil }.map(\.name).first
          == "departed", "seed \(seed)")
      // A smooth ride, which was not felt.
      let told = stage.settle(atCell: 1_700, since: 5_560).filter { $0.visit != nil }
      #expect(told.map(\.name) == ["departed", "arrived"], "seed \(seed)")
      guard case .departed(let before)? = told.first, case .arrived(let next)? = told.last,
        let left = before.departure, let came = next.arrival
      else { continue }
      #expect(came >= left, "no stay begins before the one before has ended")
    }
  }

  @Test(
    "The receiver's positions serve the daemon: an app that tracks is told an arrival without a look"
  )
  func tracking() {
    var rules = EngineRules()
    rules.platform = .phone(.iOS, seed: 1)
    var stage = Stage(rules: rules)
    stage.launch()
    stage.app(.place(.startMonitoringVisits))
    stage.app(.startUpdating(StandardRequest()))
    stage.tell(.fix(Stage.fix(metres: 0, at: stage.now)))
    stage.log = []
    var told: [PlaceEvent] = []
    for second in stride(from: 1.0, through: 4_000, by: 1) {
      stage.pass(to: second)
      told += stage.tell(.fix(Stage.fix(metres: 0, at: stage.now))).events
    }
    #expect(told.map(\.name) == ["arrived"])
    #expect(stage.log.looks == 0)
  }

  @Test("A restored engine goes on as the one that was saved")
  func restored() throws {
    var stage = Self.phone(visits: true)
    stage.walk(from: 0, pace: 1.25, since: 600, until: 700)
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let saved = try encoder.encode(stage.engine.snapshot)
    var again = stage
    again.engine = LocationEngine(
      restoring: try decoder.decode(LocationEngine.Snapshot.self, from: saved))
    #expect(again.engine == stage.engine)
    let (a, b) = (
      stage.walk(from: 125, pace: 1.25, since: 700, until: 2_000),
      again.walk(from: 125, pace: 1.25, since: 700, until: 2_000)
    )
    #expect(a.map(\.at) == b.map(\.at) && !a.isEmpty)
  }
}

/// An event, and the second at which it was told.
private struct Told {
  let at: Double
  let event: PlaceEvent
}

extension Stage {
  /// The network answers with a place along the road, to 38 m: known Wi-Fi.
  @discardableResult
  fileprivate mutating func answer(_ metres: Double, accuracy: Double = 38) -> [EngineCommand] {
    tell(.networkFix(Self.fix(metres: metres, at: now, accuracy: accuracy, source: .network)))
  }

  /// Lies still for half an hour, while each minute a cell places it there, to 480 m.
  fileprivate mutating func settle(atCell metres: Double, since begin: Double) -> [PlaceEvent] {
    var told: [PlaceEvent] = []
    for minute in 0..<30 {
      pass(to: begin + Double(minute) * 60)
      told += answer(metres, accuracy: 480).events
    }
    return told
  }

  /// Answers the looks of a time in which the phone lies at a place.
  @discardableResult
  fileprivate mutating func settle(
    at metres: Double, since begin: Double = 60, until end: Double
  ) -> [Told] {
    live(since: begin, until: end, feels: false) { _ in metres }
  }

  /// Walks along the road: the motion sensor fires every 10 s, and each look is answered a second later.
  @discardableResult
  fileprivate mutating func walk(
    from metres: Double, pace: Double, since begin: Double, until end: Double
  ) -> [Told] {
    live(since: begin, until: end, feels: true) { metres + pace * ($0 - begin) }
  }

  /// The motion sensor fires every 10 s.
  fileprivate mutating func feel(since begin: Double, until end: Double) {
    for second in stride(from: begin, through: end, by: 10) {
      pass(to: second)
      tell(.motionBegan)
    }
  }

  private mutating func live(
    since begin: Double, until end: Double, feels: Bool, _ place: (Double) -> Double
  ) -> [Told] {
    var told: [Told] = []
    var second = begin
    while second <= end {
      let before = log.count
      pass(to: second)
      if feels, Int(second) % 10 == 0, engine.triggers.contains(.motion) {
        tell(.motionBegan)
      }
      if log[before...].contains(.requestNetworkPosition) {
        pass(to: second + 0.5)
        answer(place(now.seconds))
      }
      told += Array(log[before...]).events.map { Told(at: second, event: $0) }
      second += 1
    }
    return told
  }
}

extension [EngineCommand] {
  fileprivate var looks: Int { count { $0 == .requestNetworkPosition } }
}
