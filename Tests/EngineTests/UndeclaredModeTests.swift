// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

private let never: EngineRules = {
  var rules = EngineRules()
  rules.lifecycle.purgesAfter = .infinity
  rules.era = .ios7
  return rules
}()

/// "A mode that is not declared has no effect": neither on the app, nor on others.
@Suite("What is asked for without the mode that it needs")
struct UndeclaredModeTests {
  /// The calls of three hours, and the wakes for them, with two apps that may be called; `other` asks beside them.
  private func day(_ reason: WakeReason, beside other: BackgroundModes?) -> [Int] {
    var stage = Stage(rules: never)
    let isFetch = reason == .fetch
    let modes: BackgroundModes = isFetch ? .fetch : .voip
    func ask(_ seconds: Double) -> AppInput {
      isFetch ? .setFetchInterval(seconds) : .setKeepAlive(seconds)
    }
    stage.leave(AppID(1), modes: modes, asking: [ask(1_200)])
    stage.leave(AppID(2), modes: modes, asking: [ask(1_800)])
    if let other { stage.leave(AppID(3), modes: other, asking: [ask(700)]) }
    let called = stage.calls(until: 10_800)
    return [1, 2, 3].map { id in called.count { $0 == "\(id)" } } + [stage.engine.periodic.wakes]
  }

  @Test(
    "Fetches and keep-alives of others come as if it had not been asked for",
    arguments: [WakeReason.fetch, .keepAlive])
  func others(reason: WakeReason) {
    let alone = day(reason, beside: nil)
    #expect(day(reason, beside: []) == alone)
    #expect(day(reason, beside: .audio) == alone)
    let mode: BackgroundModes = reason == .fetch ? .fetch : .voip
    #expect(day(reason, beside: mode) != alone, "an app that may be called shares their wakes")
  }

  @Test("The app is told at once that it will not be called, and why")
  func refused() {
    var stage = Stage(rules: never)
    stage.launch()
    let app = AppID(1)
    #expect(stage.app(.setFetchInterval(0)) == [.notWoken(app, .fetch, .notDeclared)])
    #expect(stage.app(.setKeepAlive(600)) == [.notWoken(app, .keepAlive, .notDeclared)])
    #expect(stage.app(.watchSocket(true)) == [.notWoken(app, .socket, .notDeclared)])
    #expect(stage.app(.setFetchInterval(nil)) == [])
    var today = EngineRules()
    today.era = .today
    stage = Stage(rules: today)
    var declaration = AppDeclaration()
    declaration.modes = .voip
    stage.app(.registered(declaration))
    stage.app(.launched)
    #expect(stage.app(.watchSocket(true)) == [.notWoken(app, .socket, .notInEra)])
  }

  @Test("A mode that is declared later counts from then on")
  func declaredLater() {
    var stage = Stage(rules: never)
    stage.leave(modes: [], asking: [.setFetchInterval(900)])
    #expect(stage.times(until: 4_000) == [])
    var declaration = AppDeclaration()
    declaration.modes = .fetch
    stage.app(.declared(declaration), at: 4_000)
    #expect(stage.times(until: 6_000).first == 4_000)
  }
}
