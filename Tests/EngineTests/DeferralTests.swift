// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

@Suite("Updates that are kept back")
struct DeferralTests {
  private static let app = AppID(1)

  /// An app with continuous updates in the background since second 10, whose updates are deferred from 12 on.
  private func stage(_ deferral: Deferral?) -> Stage {
    var rules = EngineRules()
    rules.era = .ios7
    var stage = Stage(rules: rules)
    stage.launch(declaresLocation: true)
    stage.app(.startUpdating(StandardRequest()))
    stage.app(.enteredBackground, at: 10)
    stage.app(.deferUpdates(deferral), at: 12)
    return stage
  }

  private func ends(_ commands: [EngineCommand]) -> [Deferral.End] {
    commands.compactMap { if case .deferralEnded(_, let end) = $0 { end } else { nil } }
  }

  @Test("The app is suspended, the receiver goes on, and all come when the way is done")
  func distance() {
    var stage = stage(Deferral(distance: 500))
    stage.pass(to: 20)
    #expect(stage.engine.state(of: Self.app) == .suspended)
    #expect(stage.engine.plan == .continuous)
    // A column is 101 m: the sixth fix is 505 m from the first.
    #expect(stage.draw("0123456789", every: 10) == "-----WDDDD")
    let told = stage.log.deliveries
    #expect(told.count == 10)
    #expect(told.map(\.sequence) == Array(1...10))
    #expect(
      told.prefix(6).map(\.fix.time)
        == (0..<6).map { Stage.epoch.advanced(bySeconds: 20 + 10 * Double($0)) })
    #expect(stage.log.outcomes == Array(repeating: .delivered, count: 10))
    #expect(ends(stage.log) == [.finished])
    // The deferral is over, and its updates hold it again.
    stage.pass(to: 300)
    #expect(stage.engine.state(of: Self.app) == .background)
  }

  @Test("They come when the time is over, also where nothing came meanwhile")
  func timeout() {
    var stage = stage(Deferral(timeout: 60))
    #expect(stage.draw("00", every: 10) == "--")
    stage.pass(to: 71)
    #expect(stage.log.deliveries.isEmpty)
    stage.pass(to: 73)
    #expect(stage.log.deliveries.count == 2)
    #expect(ends(stage.log) == [.finished])
    #expect(stage.engine.state(of: Self.app) == .background)
  }

  @Test("Without a limit they come before the app would be purged: after 540 of its 600 s")
  func purge() {
    var stage = stage(Deferral())
    #expect(stage.draw("0", every: 10) == "-")
    stage.pass(to: 551)
    #expect(stage.engine.state(of: Self.app) == .suspended)
    stage.pass(to: 553)
    #expect(stage.engine.state(of: Self.app) == .background)
    #expect(stage.log.deliveries.count == 1)
  }

  @Test("At most 600 fixes are kept")
  func room() {
    var stage = stage(Deferral())
    for second in 20..<619 {
      let fix = Stage.fix(metres: 0, at: .zero.advanced(bySeconds: Double(second) * 0.5))
      stage.tell(.fix(fix), at: 20 + Double(second - 20) * 0.5)
    }
    #expect(stage.log.deliveries.isEmpty)
    let last = Stage.fix(metres: 0, at: .zero.advanced(bySeconds: 400))
    #expect(stage.tell(.fix(last)).deliveries.count == 600)
  }

  @Test("In front nothing is kept back: what was kept comes, then the next fix, and that is over")
  func foreground() {
    var stage = stage(Deferral(distance: 5_000))
    #expect(stage.draw("01", every: 10) == "--")
    stage.app(.enteredForeground, at: 30)
    #expect(stage.draw("2", every: 10) == "D")
    let told = stage.log.deliveries
    #expect(told.count == 3)
    #expect(
      told.map(\.fix.time)
        == [12.0, 22, 30].map { Stage.epoch.advanced(bySeconds: $0) })
    // From the last deferred one, which was delivered with the new one: a column is 101 m.
    #expect((100...102).contains(told[2].moved ?? 0))
    #expect(ends(stage.log) == [.cancelled])
  }

  @Test(
    "With the background refresh switched off they come as well: no event wakes the app for them")
  func refreshOff() {
    var stage = stage(Deferral(timeout: 60))
    #expect(stage.draw("01", every: 10) == "--")
    stage.tell(.device(.backgroundRefresh(false)))
    stage.pass(to: 73)
    #expect(stage.log.deliveries.count == 2)
    #expect(ends(stage.log) == [.finished])
  }

  @Test("Whose permission is taken back gets none of them, and each says why")
  func refused() {
    var stage = stage(Deferral(timeout: 60))
    #expect(stage.draw("01", every: 10) == "--")
    stage.app(.authorized(.denied))
    stage.pass(to: 73)
    #expect(stage.log.deliveries.isEmpty)
    #expect(stage.log.outcomes == [.unauthorized, .unauthorized])
    #expect(ends(stage.log).count == 1)
  }

  @Test("Updates asked for anew with a filter end it, with that reason")
  func filtered() {
    var stage = stage(Deferral(timeout: 60))
    // Not suspended yet.
    stage.tell(.fix(Stage.fix(metres: 0, at: stage.now)), at: 13)
    var request = StandardRequest()
    request.distanceFilter = 50
    let commands = stage.app(.startUpdating(request), at: 14)
    #expect(commands.deliveries.count == 1)
    #expect(ends(commands) == [.distanceFiltered])
  }

  @Test("Asked anew, stopped, or without updates: what was kept comes, and it is over")
  func cancelled() {
    for input in [AppInput.deferUpdates(Deferral(timeout: 50)), .deferUpdates(nil), .stopUpdating] {
      var stage = stage(Deferral(distance: 5_000))
      #expect(stage.draw("01", every: 10) == "--")
      let commands = stage.app(input)
      #expect(commands.deliveries.count == 2, "\(input)")
      #expect(ends(commands) == [.cancelled], "\(input)")
    }
  }

  @Test("Nothing is left of it when the process ends")
  func ended() {
    var stage = stage(Deferral(distance: 5_000))
    #expect(stage.draw("01", every: 10) == "--")
    stage.app(.exited)
    stage.app(.launched)
    stage.pass(to: 2_000)
    #expect(stage.log.deliveries.isEmpty)
    #expect(ends(stage.log) == [])
  }

  @Test(
    "Where it cannot be it is over at once, with the reason",
    arguments: [
      (Era.today, true, -1.0, nil as Double?, Deferral.End.unsupported),
      (.ios4, true, -1, nil, .unsupported), (.ios7, false, -1, nil, .notUpdating),
      (.ios7, true, 10, nil, .accuracyTooLow), (.ios7, true, -2, 50, .distanceFiltered),
    ])
  func obstacles(
    era: Era, updates: Bool, accuracy: Double, filter: Double?, end: Deferral.End
  ) {
    var rules = EngineRules()
    rules.era = era
    var stage = Stage(rules: rules)
    stage.launch(declaresLocation: true)
    var request = StandardRequest()
    request.desiredAccuracy = accuracy
    request.distanceFilter = filter
    if updates { stage.app(.startUpdating(request)) }
    stage.app(.enteredBackground, at: 10)
    #expect(ends(stage.app(.deferUpdates(Deferral(distance: 500)), at: 11)) == [end])
    if updates { #expect(stage.draw("0", every: 10) == "D") }
  }

  @Test("Without the declared mode there is nothing to keep: such updates stop with the suspension")
  func undeclared() {
    var rules = EngineRules()
    rules.era = .ios7
    var stage = Stage(rules: rules)
    stage.launch()
    stage.app(.startUpdating(StandardRequest()))
    stage.app(.deferUpdates(Deferral(distance: 500)), at: 1)
    stage.app(.enteredBackground, at: 10)
    stage.pass(to: 20)
    #expect(stage.engine.plan == .off(.nobodyRuns))
  }
}
