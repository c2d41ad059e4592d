// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("Policies of others")
struct PeerPolicyTests {
  @Test("The elastic filter has the values of its documentation: 7.7 m/s doubles, 27 m/s sextuples")
  func elasticFilter() {
    // Transistorsoft: 30 m at 7.7 m/s → 60 m; 50 m at 27 m/s → 300 m.
    #expect(ElasticPolicy.filter(at: 7.7) == 2 * ElasticPolicy.distance)
    #expect(ElasticPolicy.filter(at: 27) == 6 * ElasticPolicy.distance)
    #expect(ElasticPolicy.filter(at: 0) == ElasticPolicy.distance)
    #expect(ElasticPolicy.filter(at: nil) == ElasticPolicy.distance)
  }

  @Test("Elastic: on while it moves, told every 50 m at a walk; off 300 s after the last motion")
  func elastic() {
    var journey = Journey(
      senses: .motion, policy: SignificantPolicy(ElasticPolicy(senses: .motion)))
    journey.travel(.init(seconds: 600, speed: 1.25), .init(seconds: 600, speed: 0))
    // 750 m: at 10 s and every 40 s from then on.
    #expect((14...15).contains(journey.deliveries.count))
    #expect(journey.row == "DDDDDDDDDDooooo.....")
    journey.travel(.init(seconds: 60, speed: 1.25))
    #expect(journey.stage.engine.plan == .session)
  }

  @Test("Elastic without any sense never switches off")
  func elasticBlind() {
    var journey = Journey(senses: [], policy: SignificantPolicy(ElasticPolicy(senses: [])))
    journey.travel(.init(seconds: 3_600, speed: 0))
    #expect(journey.secondsOn == 3_600)
  }

  @Test("OwnTracks: a network position each 900 s, told where it is 500 m and 900 s on")
  func ownTracks() {
    var stage = Stage(policy: SignificantPolicy(OwnTracksPolicy()))
    stage.launch()
    var asked: [Double] = []
    stage.app(.startMonitoringSignificantChanges)
    var row = ""
    for minute in 0..<120 {
      let before = stage.log.count
      stage.pass(to: Double(minute) * 60)
      if minute == 0 || stage.log[before...].contains(.requestNetworkPosition) {
        asked.append(stage.now.seconds)
        // 0.5 m/s: 450 m every 900 s, so every second look is reported.
        let fix = Stage.fix(metres: stage.now.seconds / 2, at: stage.now, source: .network)
        row += Stage.mark(stage.tell(.networkFix(fix)), for: AppID(1))
      }
      stage.tell(.cellChanged())
    }
    #expect(asked == [0, 900, 1_800, 2_700, 3_600, 4_500, 5_400, 6_300])
    #expect(row == "D-D-D-D-")
    #expect(stage.engine.plan == .off(.awaitsSession(.zero.advanced(bySeconds: 7_200))))
  }

  @Test("Periodic: the sessions keep their grid, however long one takes")
  func periodic() {
    var journey = Journey(senses: [], policy: .periodic(timeout: 120))
    journey.travel(.init(seconds: 1_800, speed: 2))
    // Begun at 0, 300, 600, … s; the second fix comes 299 s after the first, a second too soon.
    #expect(journey.row == "D...oo...oD...oD...oD...oD...o")
    var dark = Journey(senses: [], policy: .periodic(timeout: 120))
    dark.travel(.init(seconds: 900, speed: 2, hasSky: false))
    #expect(dark.row == "oo..ooo..ooo..o")
    var policy = ScheduledPolicy(.periodic, timeout: 700)
    policy.interval = 300
    var late = Journey(senses: [], policy: SignificantPolicy(policy))
    late.travel(.init(seconds: 1_800, speed: 2, hasSky: false))
    // 700 s on, then at the next place of the grid, 900 s.
    #expect(late.row == "oooooooooooo..ooooooooooooo..o")
  }

  @Test("ios-field draws its distances as they were measured: half by 750 m, 95 % by 2,500 m")
  func fieldQuantiles() {
    var drawn: [Double] = []
    for seed in 0..<4_000 { drawn.append(IOSFieldPolicy(seed: UInt64(seed)).required) }
    drawn.sort()
    #expect(drawn[0] == 500)
    #expect(abs(drawn[2_000] - 750) < 45)
    #expect(abs(drawn[3_800] - 2_500) < 210)
    #expect(IOSFieldPolicy(seed: 7) == IOSFieldPolicy(seed: 7))
  }

  @Test("ios-field looks again soon after a look in vain, while the change of cell is young")
  func fieldAgain() {
    var policy = IOSFieldPolicy(seed: 1)
    let at = { (seconds: Double) in EngineInstant.zero.advanced(bySeconds: seconds) }
    let began = policy.handle(event: .began, at: at(0))
    #expect(began)
    let vain = JudgedFix(fix: Stage.fix(metres: 0, at: .zero))
    _ = policy.handle(event: .judged(vain), at: at(1))
    #expect(policy.nextDeadline == nil)
    let changed = policy.handle(event: .cellChanged(nil), at: at(1_000))
    #expect(changed)
    _ = policy.handle(event: .judged(vain), at: at(1_001))
    #expect(policy.nextDeadline == at(1_016))
    let again = policy.handle(event: .timePassed, at: at(1_016))
    #expect(again)
    _ = policy.handle(event: .judged(vain), at: at(1_301))
    #expect(policy.nextDeadline == nil)
  }

  @Test("While no app may be told, ios-field looks no more than ios: at the end of that time")
  func fieldWaits() {
    var policy = IOSFieldPolicy(seed: 1)
    let at = { (seconds: Double) in EngineInstant.zero.advanced(bySeconds: seconds) }
    _ = policy.handle(event: .began, at: at(0))
    // A stay may begin: it can be told of 300 s later.
    var near = JudgedFix(fix: Stage.fix(metres: 0, at: .zero))
    near.retryAt = at(301)
    near.awaits(from: at(301))
    _ = policy.handle(event: .judged(near), at: at(1))
    let changed = policy.handle(event: .cellChanged(nil), at: at(100))
    #expect(!changed)
    #expect(policy.nextDeadline == at(301))
  }

  @Test("Visits alone cost no more looks than visits and significant changes together")
  func visits() {
    /// Questions to the network on a straight ride of an hour at 10 m/s, with a new cell every 40 s.
    func questions(_ policy: SignificantPolicy, _ asks: [AppInput]) -> Int {
      var stage = Stage(policy: policy)
      stage.launch()
      for ask in asks { stage.app(ask) }
      stage.app(.enteredBackground)
      var answered = 0
      for second in 1...3_600 {
        stage.pass(to: Double(second))
        if second % 40 == 0 { stage.tell(.cellChanged(nil)) }
        while answered < stage.log.count {
          let command = stage.log[answered]
          answered += 1
          guard command == .requestNetworkPosition else { continue }
          let fix = Stage.fix(
            metres: 10 * Double(second), at: stage.now, accuracy: 40, source: .network)
          stage.tell(.networkFix(fix))
        }
      }
      return stage.log.count { $0 == .requestNetworkPosition }
    }
    for policy in [SignificantPolicy.ios, .init(IOSFieldPolicy(seed: 3))] {
      let alone = questions(policy, [.place(.startMonitoringVisits)])
      let both = questions(
        policy, [.place(.startMonitoringVisits), .startMonitoringSignificantChanges])
      // One at first, and one every 300 s.
      #expect(alone <= 13 && alone <= both, "\(policy.name): \(alone), \(both)")
    }
  }

  @Test("A change that came too soon does not postpone the session for a border")
  func border() {
    let at = { (seconds: Double) in EngineInstant.zero.advanced(bySeconds: seconds) }
    func next(_ wants: [Double]) -> EngineInstant? {
      var policy = ScheduledPolicy(.receiver, timeout: 120)
      policy.interval = 60
      _ = policy.handle(event: .began, at: at(0))
      var judged = JudgedFix(fix: Stage.fix(metres: 0, at: .zero))
      judged.retryAt = at(300)
      for seconds in wants { judged.awaits(from: at(seconds)) }
      _ = policy.handle(event: .judged(judged), at: at(10))
      return policy.nextDeadline
    }
    #expect(next([300]) == at(300))
    #expect(next([300, 10]) == at(70))
  }
}
