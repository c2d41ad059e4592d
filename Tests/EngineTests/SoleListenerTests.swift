// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import Testing

@Suite(
  "Reports to the only app there is are passed over, and the engine is as if it had taken each")
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
    let passed = (0..<24).reduce(0) { $0 + Self.compare(seed: $1) }
    #expect(passed > 5_000, "reports are passed over")
  }

  /// Returns the number of reports passed over.
  private static func compare(seed: Int) -> Int {
    var dice = SplitMix64(seed: UInt64(seed))
    let policy: SignificantPolicy = seed % 2 == 0 ? .ios : .receiver(timeout: 60)
    var rules = EngineRules()
    if seed % 4 > 1 { rules.era = .ios7 }
    var (each, over) = (Stage(policy: policy, rules: rules), Stage(policy: policy, rules: rules))
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = seed % 3 != 0
    declaration.authorization = .always
    if seed % 5 == 4 { declaration.accuracy = .reduced }
    each.app(.registered(declaration))
    over.app(.registered(declaration))
    var passed = 0
    var second = 0
    while second < 3_000 {
      second += 1
      each.pass(to: Double(second))
      over.pass(to: Double(second))
      if dice.below(8) == 0 {
        let input = input(&dice)
        each.tell(input)
        over.tell(input)
      } else {
        let row = reports(from: second, to: second + dice.below(20), before: each, &dice)
        passed += tell(row, to: &each, over: &over, "seed \(seed), second \(second)")
        second += max(0, row.count - 1)
      }
      #expect(each.engine == over.engine, "seed \(seed), second \(second)")
      guard each.engine == over.engine else { break }
    }
    return passed
  }

  /// Reports once a second, before time alone decides anything.
  private static func reports(
    from first: Int, to last: Int, before stage: Stage, _ dice: inout SplitMix64
  ) -> [TrackedFixes.Element] {
    guard stage.engine.plan.isOn else { return [] }
    var fixes = TrackedFixes()
    for second in first...last {
      let at = EngineInstant.zero.advanced(bySeconds: Double(second))
      if let due = stage.engine.nextDeadline, due <= at { break }
      fixes.append(fix: fix(&dice, at: at), at: at)
    }
    return fixes.elements
  }

  /// Tells a row of reports to one engine each by each, and to the other passing over what it may; returns the number
  /// of those.
  private static func tell(
    _ row: [TrackedFixes.Element], to each: inout Stage, over: inout Stage,
    _ place: String
  ) -> Int {
    let passed = over.engine.passOver(row[...])
    for (number, next) in row.enumerated() {
      // A report may change what time decides.
      each.pass(to: next.at.seconds)
      let commands = each.tell(.fix(next.fix))
      if number < passed {
        guard commands.count == 2, case .verdict(_, _, let verdict, _) = commands[0],
          case .deliver = commands[1]
        else {
          Issue.record("\(place): \(commands)")
          continue
        }
        #expect(verdict.outcome == .delivered, "\(place)")
      } else {
        over.pass(to: next.at.seconds)
        #expect(commands == over.tell(.fix(next.fix)), "\(place)")
      }
    }
    return passed
  }
}
