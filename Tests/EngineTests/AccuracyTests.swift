// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("The accuracy that is asked for")
struct AccuracyTests {
  private let app = AppID(1)

  private func updating(_ accuracy: Double, policy: SignificantPolicy = .ios) -> Stage {
    var stage = Stage(policy: policy)
    stage.launch()
    stage.app(.startUpdating(Self.request(accuracy)))
    return stage
  }

  private static func request(_ accuracy: Double) -> StandardRequest {
    var request = StandardRequest()
    request.desiredAccuracy = accuracy
    return request
  }

  /// A walker's fix: 1.5 m/s, 10 m.
  private func walking(_ stage: Stage) -> EngineInput {
    .fix(Stage.fix(metres: 0, at: stage.now, accuracy: 10, speed: 1.5))
  }

  @Test("Best, best for navigation and 10 m keep the receiver on", arguments: [-2.0, -1, 10])
  func best(accuracy: Double) {
    var stage = updating(accuracy)
    #expect(stage.engine.plan == .continuous)
    for second in 1...100 {
      stage.pass(to: Double(second))
      stage.tell(walking(stage))
      #expect(stage.engine.plan == .continuous)
    }
  }

  @Test("100 m lets a walker's receiver rest for (100 m − 10 m) / 1.5 m/s − 10 s = 50 s")
  func walkersRest() {
    var stage = updating(100)
    #expect(stage.engine.plan == .session)
    stage.pass(to: 30)
    stage.tell(walking(stage))
    let until = EngineInstant.zero.advanced(bySeconds: 80)
    #expect(stage.engine.plan == .off(.positionHolds(until: until, accuracy: 100)))
    #expect(stage.engine.explanation(for: app, at: stage.now)?.verdict?.outcome == .receiverOff)
    stage.pass(to: 79)
    #expect(!stage.engine.plan.isOn)
    stage.pass(to: 80)
    #expect(stage.engine.plan == .session)
  }

  @Test("100 m at 3 m/s: (100 − 10) / 3 − 10 = 20 s; at 5 m/s 8 s, which is not worth a rest")
  func faster() {
    var stage = updating(100)
    stage.tell(.fix(Stage.fix(metres: 0, at: .zero, accuracy: 10, speed: 3)))
    #expect(stage.engine.plan.nextSession?.seconds == 20)
    var car = updating(100)
    car.tell(.fix(Stage.fix(metres: 0, at: .zero, accuracy: 10, speed: 5)))
    #expect(car.engine.plan == .session)
    var unknown = updating(100)
    unknown.tell(.fix(Stage.fix(metres: 0, at: .zero, accuracy: 10, speed: nil)))
    #expect(unknown.engine.plan == .session)
  }

  @Test("A fix that is coarser than asked for is delivered, and the receiver looks on")
  func coarseFirst() {
    var stage = updating(100)
    let commands = stage.tell(.fix(Stage.fix(metres: 0, at: .zero, accuracy: 250, speed: 0)))
    #expect(commands.deliveries.count == 1)
    #expect(stage.engine.plan == .session)
  }

  /// Updates of an app that asks for a position every `interval` seconds.
  private func updating(every interval: Double, feelsMotion: Bool = true) -> Stage {
    var rules = EngineRules()
    rules.feelsMotion = feelsMotion
    var stage = Stage(rules: rules)
    stage.launch(declaresLocation: true)
    var request = StandardRequest()
    request.interval = interval
    stage.app(.startUpdating(request))
    return stage
  }

  @Test(
    "A position every 9 s keeps the receiver on; one every 10 s or more lets it rest in between")
  func interval() {
    #expect(updating(every: 9).engine.plan == .continuous)
    var stage = updating(every: 30, feelsMotion: false)
    #expect(stage.engine.plan == .session)
    stage.pass(to: 6)
    #expect(stage.tell(walking(stage)).deliveries.count == 1)
    #expect(stage.engine.plan == .off(.awaitsSession(.zero.advanced(bySeconds: 36))))
    stage.pass(to: 36)
    #expect(stage.engine.plan == .session)
    // A search ends after 60 s, as every later one.
    stage.pass(to: 96)
    #expect(stage.engine.plan == .off(.awaitsSession(.zero.advanced(bySeconds: 126))))
  }

  @Test("A device that feels no motion for 25 s is not looked for until it moves")
  func stillInterval() {
    var stage = updating(every: 30)
    stage.tell(walking(stage))
    stage.pass(to: 30)
    #expect(stage.engine.plan == .off(.awaitsMotion))
    #expect(stage.engine.nextDeadline == nil)
    stage.tell(.motionBegan, at: 1_000)
    #expect(stage.engine.plan == .session)
    stage.tell(walking(stage), at: 1_006)
    stage.tell(.motionBegan, at: 1_020)
    stage.pass(to: 1_036)
    #expect(stage.engine.plan == .session)
  }

  @Test(
    "Balanced power asks the network every interval, never the receiver, also where it has no answer"
  )
  func balancedInterval() {
    var rules = EngineRules()
    (rules.feelsMotion, rules.hasWiFi) = (true, true)
    var stage = Stage(rules: rules)
    stage.launch(declaresLocation: true)
    var request = StandardRequest()
    (request.desiredAccuracy, request.interval) = (100, 30)
    stage.app(.startUpdating(request))
    #expect(stage.log.filter { $0 == .requestNetworkPosition }.count == 1)
    let answer = Stage.fix(metres: 0, at: stage.now, accuracy: 65, source: .network)
    #expect(stage.tell(.networkFix(answer)).deliveries.count == 1)
    stage.tell(.motionBegan, at: 20)
    stage.pass(to: 30)
    #expect(stage.log.filter { $0 == .requestNetworkPosition }.count == 2)
    stage.tell(.networkPositionFailed)
    stage.pass(to: 60)
    #expect(stage.log.filter { $0 == .requestNetworkPosition }.count == 2)
    stage.tell(.motionBegan, at: 100)
    #expect(stage.log.filter { $0 == .requestNetworkPosition }.count == 3)
    #expect(!stage.log.plans.contains { $0.isOn })
  }

  @Test("In the background it holds the app, and the processor sleeps between two positions")
  func sleepsBetween() {
    var stage = updating(every: 30)
    #expect(stage.engine.keepsAwake)
    stage.app(.enteredBackground, at: 60)
    stage.pass(to: 100)
    #expect(stage.engine.state(of: app) == .background)
    #expect(stage.engine.runsCode)
    #expect(!stage.engine.keepsAwake)
    // A single location holds it awake, until it is there.
    stage.app(.requestLocation())
    #expect(stage.engine.keepsAwake)
    stage.tell(walking(stage))
    #expect(!stage.engine.keepsAwake)
    var usual = Stage()
    usual.launch(declaresLocation: true)
    usual.app(.startUpdating(StandardRequest()))
    usual.app(.enteredBackground, at: 60)
    usual.pass(to: 100)
    #expect(usual.engine.keepsAwake)
  }

  @Test("Without sky the receiver rests after 300 s, for 60 s, and tries again")
  func noSky() {
    var stage = updating(100)
    stage.pass(to: 299)
    #expect(stage.engine.plan == .session)
    stage.pass(to: 301)
    #expect(stage.engine.plan.nextSession?.seconds == 360)
    stage.pass(to: 361)
    #expect(stage.engine.plan == .session)
  }

  @Test(
    "From 1,000 m on the network serves and the receiver stays off; the reason says so",
    arguments: [1_000.0, 3_000, .greatestFiniteMagnitude])
  func network(accuracy: Double) {
    var stage = updating(accuracy)
    #expect(stage.log.contains(.requestNetworkPosition))
    #expect(stage.engine.plan == .off(.networkServes(accuracy: accuracy)))
    let fix = Stage.fix(metres: 0, at: .zero, accuracy: 483, source: .network)
    let commands = stage.tell(.networkFix(fix), at: 1)
    #expect(commands.deliveries.map(\.fix.source) == [.network])
    #expect(commands.outcomes == [.delivered])
    #expect(!stage.engine.plan.isOn)
    #expect(updating(1_000).engine.plan == .off(.networkServes(accuracy: 1_000)))
  }

  @Test(
    "The network is asked as often as 60 km/h crosses the accuracy: 1 km 60 s, 3 km 180 s")
  func askedAgain() {
    for (accuracy, seconds) in [(1_000.0, 60.0), (3_000, 180), (50_000, 300)] {
      var stage = updating(accuracy)
      stage.tell(
        .networkFix(Stage.fix(metres: 0, at: .zero, accuracy: 483, source: .network)), at: 1)
      let asked = stage.log.filter { $0 == .requestNetworkPosition }.count
      stage.pass(to: seconds)
      #expect(stage.log.filter { $0 == .requestNetworkPosition }.count == asked)
      stage.pass(to: seconds + 1.5)
      #expect(stage.log.filter { $0 == .requestNetworkPosition }.count == asked + 1)
    }
  }

  @Test("Where the network has no answer the receiver is used in short sessions, and that is said")
  func withoutNetwork() {
    var stage = updating(1_000)
    stage.tell(.networkPositionFailed)
    #expect(stage.engine.plan == .session)
    stage.tell(walking(stage), at: 20)
    let until = EngineInstant.zero.advanced(bySeconds: 80)
    #expect(stage.engine.plan == .off(.networkMissing(until: until, accuracy: 1_000)))
    #expect(stage.log.deliveries.map(\.fix.source) == [.gnss])
  }

  @Test(
    "A network position coarser than asked for is delivered, and the receiver looks")
  func coarseNetwork() {
    var stage = updating(1_000)
    let fix = Stage.fix(metres: 0, at: .zero, accuracy: 2_400, source: .network)
    #expect(stage.tell(.networkFix(fix)).deliveries.count == 1)
    #expect(stage.engine.plan == .session)
  }

  @Test("The tightest wish wins: beside an app that wants the best, the receiver stays on for both")
  func tightest() {
    var stage = updating(1_000)
    stage.launch(AppID(2))
    stage.app(.startUpdating(Self.request(-1)), AppID(2))
    #expect(stage.engine.plan == .continuous)
    let mine = stage.tell(walking(stage)).filter {
      if case .deliver(AppID(1), _) = $0 { true } else { false }
    }
    #expect(mine.count == 1)
    // The fixes of the other app's receiver are valid for 1,000 m / 60 km/h = 60 s.
    stage.app(.stopUpdating, AppID(2))
    let until = EngineInstant.zero.advanced(bySeconds: 60)
    #expect(stage.engine.plan == .off(.positionHolds(until: until, accuracy: 1_000)))
    stage.pass(to: 60)
    #expect(stage.engine.plan == .off(.networkServes(accuracy: 1_000)))
  }

  @Test("A suspended app asks for nothing; when it runs again what fell due is done at once")
  func suspended() {
    var stage = updating(1_000)
    stage.tell(.networkFix(Stage.fix(metres: 0, at: .zero, accuracy: 483, source: .network)))
    stage.app(.enteredBackground, at: 10)
    let asked = stage.log.filter { $0 == .requestNetworkPosition }.count
    stage.pass(to: 500)
    #expect(stage.log.filter { $0 == .requestNetworkPosition }.count == asked)
    #expect(stage.engine.plan == .off(.nobodyRuns))
    stage.app(.enteredForeground)
    stage.tell(.timePassed)
    #expect(stage.log.filter { $0 == .requestNetworkPosition }.count == asked + 1)
  }

  @Test("What apps ask the network does not reach a policy that did not ask")
  func policyIsLeftAlone() {
    var alone = Stage(policy: SignificantPolicy(Self.milepost))
    alone.launch(AppID(2))
    alone.app(.startMonitoringSignificantChanges, AppID(2))
    let before = alone.engine.policy
    alone.launch(AppID(1))
    alone.app(.startUpdating(Self.request(3_000)), AppID(1))
    alone.tell(.networkFix(Stage.fix(metres: 0, at: .zero, accuracy: 483, source: .network)))
    #expect(alone.engine.policy == before)
  }

  private static var milepost: MilepostPolicy {
    MilepostPolicy(senses: [], memory: AcquisitionMemory(hot: 8, timeout: 120))
  }
}

@Suite("One location, then no more")
struct SingleRequestTests {
  private func requested(_ accuracy: Double = -1) -> Stage {
    var stage = Stage()
    stage.launch()
    stage.app(.requestLocation(accuracy: accuracy))
    return stage
  }

  private func failed(_ stage: Stage) -> Bool {
    stage.log.contains(.requestFailed(AppID(1)))
  }

  @Test("After 10 s without any position the app is told so, and the receiver goes off")
  func timesOut() {
    var stage = requested()
    #expect(stage.engine.plan == .continuous)
    stage.tell(.networkPositionFailed)
    stage.pass(to: 9.9)
    #expect(!failed(stage))
    stage.pass(to: 10)
    #expect(failed(stage))
    #expect(!stage.engine.plan.isOn)
    stage.pass(to: 100)
    #expect(stage.log.filter { $0 == .requestFailed(AppID(1)) }.count == 1)
  }

  @Test("After 10 s the best that came is delivered: a fix of 40 m where 10 m were asked for")
  func bestOfAll() {
    var stage = requested(10)
    stage.tell(.networkFix(Stage.fix(metres: 0, at: .zero, accuracy: 483, source: .network)))
    stage.tell(.fix(Stage.fix(metres: 0, at: .zero, accuracy: 40)), at: 4)
    stage.tell(.fix(Stage.fix(metres: 0, at: stage.now, accuracy: 90)), at: 6)
    #expect(stage.log.deliveries.isEmpty)
    stage.pass(to: 10)
    #expect(stage.log.deliveries.map(\.fix.horizontalAccuracy) == [40])
    #expect(!failed(stage))
  }

  @Test("A cold receiver that finds nothing in 10 s leaves the network's position")
  func networkFirst() {
    var stage = requested()
    stage.tell(.networkFix(Stage.fix(metres: 0, at: .zero, accuracy: 483, source: .network)), at: 1)
    #expect(stage.engine.plan == .continuous)
    stage.pass(to: 10)
    #expect(stage.log.deliveries.map(\.fix.source) == [.network])
  }

  @Test("From 1,000 m on the network's position is enough, and the receiver is never on")
  func coarse() {
    var stage = requested(3_000)
    #expect(stage.engine.plan == .off(.networkServes(accuracy: 3_000)))
    stage.tell(.networkFix(Stage.fix(metres: 0, at: .zero, accuracy: 483, source: .network)), at: 1)
    #expect(stage.log.deliveries.map(\.fix.source) == [.network])
    #expect(!stage.log.plans.contains { $0.isOn })
  }

  @Test("stopUpdating ends it")
  func stopped() {
    var stage = requested()
    stage.app(.stopUpdating, at: 3)
    #expect(!stage.engine.plan.isOn)
    stage.pass(to: 60)
    #expect(!failed(stage))
    #expect(stage.tell(.fix(Stage.fix(metres: 0, at: stage.now))).deliveries.isEmpty)
  }

  @Test("Beside updates the next position is the one, whichever came first")
  func besideUpdates() {
    var stage = requested()
    stage.app(.startUpdating(StandardRequest()))
    #expect(stage.tell(.fix(Stage.fix(metres: 0, at: .zero))).deliveries.count == 1)
    stage.pass(to: 60)
    #expect(!failed(stage))
  }

  @Test("An app that was suspended meanwhile hears the outcome when it runs again")
  func suspendedMeanwhile() {
    var stage = requested()
    stage.tell(.networkPositionFailed)
    stage.app(.enteredBackground, at: 1)
    stage.pass(to: 60)
    #expect(!failed(stage))
    stage.app(.enteredForeground)
    stage.pass(to: 60)
    stage.tell(.timePassed)
    #expect(failed(stage))
  }
}
