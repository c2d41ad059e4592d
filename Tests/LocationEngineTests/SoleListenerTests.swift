// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import Geodesy
import LocationEngine
import LocationModel
import SeededRandom
import Testing

@Suite("What the only app there is is told of a fix is the same beside one that does nothing")
struct SoleListenerTests {
  /// A random input; fixes are far more frequent.
  private static func input(_ dice: inout SplitMix64) -> EngineInput {
    var request = StandardRequest()
    request.pausesAutomatically = dice.below(2) == 0
    if dice.below(4) == 0 { request.distanceFilter = 30 }
    if dice.below(4) == 0 { request.desiredAccuracy = 500 }
    let app: AppInput =
      switch dice.below(18) {
      case 0: .life(.enteredBackground)
      case 1, 2: .life(.enteredForeground)
      case 3, 4: .life(.launched)
      case 5, 6, 7: .startUpdating(request)
      case 8: .stopUpdating
      case 9: .startMonitoringSignificantChanges
      case 10: .stopMonitoringSignificantChanges
      case 11: .requestLocation()
      case 12: .heading(.updates(filter: nil))
      case 13: .heading(.none)
      case 14: .deferUpdates(Deferral(timeout: 60))
      case 15: .deferUpdates(nil)
      case 16: .authorized(dice.below(2) == 0 ? .always : .whenInUse)
      default: .startMonitoringMotion
      }
    return .app(AppID(1), app)
  }

  private static func fix(_ dice: inout SplitMix64, at now: EngineInstant) -> Fix {
    // Including late, duplicate, and jumping ones.
    let late = dice.below(20) == 0 ? Double(dice.below(3)) : 0
    let jump = dice.below(40) == 0 ? 50_000.0 : 0
    var fix = Stage.fix(
      metres: Double(dice.below(60)) + jump, at: now.advanced(bySeconds: -late),
      accuracy: dice.below(30) == 0 ? nil : Double(3 + dice.below(40)), speed: 3)
    fix.course = Double(dice.below(360))
    return fix
  }

  @Test("Whatever comes, over 24 seeds")
  func same() {
    let told = (0..<24).reduce(0) { $0 + Self.compare(seed: $1) }
    #expect(told > 5_000, "the short way is taken")
  }

  /// Returns how often a fix was delivered as one.
  private static func compare(seed: Int) -> Int {
    var dice = SplitMix64(seed: UInt64(seed))
    let policy: SignificantPolicy = seed % 2 == 0 ? .ios : .receiver(timeout: 60)
    var rules = EngineRules()
    if seed % 4 > 1 { rules.era = .ios7 }
    var (alone, beside) = (
      Stage(policy: policy, rules: rules), Stage(policy: policy, rules: rules)
    )
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = seed % 3 != 0
    declaration.authorization = .always
    if seed % 5 == 4 { declaration.accuracy = .reduced }
    alone.app(.registered(declaration))
    beside.app(.registered(declaration))
    beside.app(.registered(AppDeclaration()), AppID(2))
    (alone.log, beside.log) = ([], [])
    var told = 0
    for second in 1...3_000 {
      alone.pass(to: Double(second))
      beside.pass(to: Double(second))
      #expect(alone.log == beside.log, "seed \(seed), second \(second)")
      (alone.log, beside.log) = ([], [])
      let input: EngineInput =
        dice.below(25) == 0 ? input(&dice) : .fix(fix(&dice, at: alone.now))
      if case .fix(let fix) = input, alone.engine.plan.isOn {
        // If it is delivered as one, the commands contain it unpacked.
        let fact = alone.engine.take(
          fix, around: LocalFrame(origin: fix.coordinate), at: alone.now, into: &alone.log)
        if let fact {
          told += 1
          #expect(alone.log.isEmpty)
          alone.log += fact.commands(of: fix)
        }
      } else {
        alone.tell(input)
      }
      beside.tell(input)
      #expect(alone.log == beside.log, "seed \(seed), second \(second), \(input)")
      guard alone.log == beside.log else { return told }
      (alone.log, beside.log) = ([], [])
      #expect(alone.engine.nextDeadline == beside.engine.nextDeadline)
      #expect(alone.engine.lastKnown == beside.engine.lastKnown)
      #expect(alone.engine.plan == beside.engine.plan)
    }
    return told
  }
}
