// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel

/// A stage for engine tests: apps, a virtual clock and a straight road along which fixes are drawn.
///
/// A drawing has one column per step. In the row of fixes `0`…`9`, `a`…`z` are 0 to 35 times 101 m east of the start
/// (so that five of them are just above 500 m) and `-` is no fix; in the row of deliveries `D` is a delivery, `W` one
/// that woke the app, `L` one that relaunched it, `-` none.
struct Stage {
  var engine: LocationEngine
  var now = EngineInstant.zero
  var log: [EngineCommand] = []
  static let start = Coordinate(clampingLatitude: 55, wrappingLongitude: 12)
  static let epoch = UTCInstant(microseconds: 1_700_000_000_000_000)

  init(policy: SignificantPolicy = .ios, rules: EngineRules = EngineRules()) {
    engine = LocationEngine(rules: rules, policy: policy)
  }

  static func fix(
    metres: Double, at now: EngineInstant, accuracy: Double? = 5, speed: Double? = nil,
    source: Fix.Source = .gnss
  ) -> Fix {
    Fix(
      time: epoch.advanced(bySeconds: now.seconds),
      coordinate: LocalFrame(origin: start).point(east: metres, north: 0),
      horizontalAccuracy: accuracy, speed: speed, source: source)
  }

  /// Lets time pass to `seconds`, firing deadlines on the way.
  mutating func pass(to seconds: Double) {
    let target = EngineInstant.zero.advanced(bySeconds: seconds)
    while let due = engine.nextDeadline, due <= target {
      now = max(now, due)
      engine.handle(.timePassed, at: now, into: &log)
    }
    now = max(now, target)
  }

  @discardableResult
  mutating func tell(_ input: EngineInput, at seconds: Double? = nil) -> [EngineCommand] {
    if let seconds { pass(to: seconds) }
    let before = log.count
    engine.handle(input, at: now, into: &log)
    return Array(log[before...])
  }

  @discardableResult
  mutating func app(_ input: AppInput, _ id: AppID = AppID(1), at seconds: Double? = nil)
    -> [EngineCommand]
  { tell(.app(id, input), at: seconds) }

  @discardableResult
  mutating func app(_ input: LifecycleInput, _ id: AppID = AppID(1), at seconds: Double? = nil)
    -> [EngineCommand]
  { app(.life(input), id, at: seconds) }

  /// Registers and launches an app.
  mutating func launch(
    _ id: AppID = AppID(1), declaresLocation: Bool = false,
    authorization: Authorization = .always
  ) {
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = declaresLocation
    declaration.authorization = authorization
    app(.registered(declaration), id)
    app(.launched, id)
  }

  /// Feeds a drawing of fixes, one column every `step` seconds from now on; returns the deliveries.
  mutating func draw(
    _ fixes: String, every step: Double, accuracy: Double? = 5, source: Fix.Source = .gnss,
    for id: AppID = AppID(1)
  ) -> String {
    columns(fixes, every: step) { stage, _, metres in
      let fix = Self.fix(metres: metres, at: stage.now, accuracy: accuracy, source: source)
      let commands = stage.tell(source == .gnss ? .fix(fix) : .networkFix(fix))
      return Self.mark(commands, for: id)
    }
  }

  /// Steps through a drawing, one column every `step` seconds from now on; returns the row of results, with `-` where
  /// no fix is drawn.
  mutating func columns(
    _ drawing: String, every step: Double,
    _ answer: (_ stage: inout Stage, _ column: Int, _ metres: Double) -> String
  ) -> String {
    var row = ""
    let begin = now.seconds
    for (column, character) in drawing.enumerated() {
      pass(to: begin + Double(column) * step)
      row += Self.metres(character).map { answer(&self, column, $0) } ?? "-"
    }
    return row
  }

  static func metres(_ character: Character) -> Double? {
    guard
      let digit = character.isNumber || character.isLowercase
        ? Int(String(character), radix: 36) : nil
    else { return nil }
    return Double(digit) * 101
  }

  static func mark(_ commands: [EngineCommand], for id: AppID) -> String {
    var mark = "-"
    for command in commands {
      switch command {
      case .deliver(id, _) where mark == "-": mark = "D"
      case .transition(id, let transition) where transition.from == .suspended: mark = "W"
      case .launch(id, _): mark = "L"
      default: break
      }
    }
    return mark
  }
}

extension [EngineCommand] {
  var deliveries: [Delivery] {
    compactMap { if case .deliver(_, let delivery) = $0 { delivery } else { nil } }
  }

  var verdicts: [Verdict] {
    compactMap { if case .verdict(_, _, let verdict, _) = $0 { verdict } else { nil } }
  }

  var outcomes: [Verdict.Outcome] { verdicts.map(\.outcome) }

  var plans: [ReceiverPlan] {
    compactMap { if case .receiver(let plan) = $0 { plan } else { nil } }
  }
}
