// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

/// The refusals are those of Where-each-rule-stands.md, "Being woken": background refresh, *always*, force quit, the
/// lock.
@Suite("An app that no location wakes is reported, with the reason")
struct UnreachableTests {
  private static func rules(_ era: Era) -> EngineRules {
    var rules = EngineRules()
    rules.era = era
    return rules
  }

  /// An app that monitors significant changes and is suspended.
  private func suspended(_ authorization: Authorization = .always) -> Stage {
    var stage = Stage(rules: Self.rules(.today))
    stage.launch(authorization: authorization)
    stage.app(.startMonitoringSignificantChanges)
    stage.app(.enteredBackground)
    stage.pass(to: 100)
    return stage
  }

  /// The reported reasons; `-` where a location wakes it again.
  private func reports(_ commands: some Sequence<EngineCommand>) -> [String] {
    commands.compactMap { command in
      guard case .unreachable(AppID(1), let why) = command else { return nil }
      return why?.rawValue ?? "-"
    }
  }

  @Test("Background refresh switched off, and on again")
  func refresh() {
    var stage = suspended()
    #expect(reports(stage.log) == [])
    #expect(reports(stage.tell(.device(.backgroundRefresh(false)))) == ["refresh_is_off"])
    #expect(reports(stage.app(.purged)) == [], "for the same reason it is not launched either")
    #expect(reports(stage.tell(.device(.backgroundRefresh(true)))) == ["-"])
  }

  @Test("Without *always* from its suspension on; the user may give it, or withdraw all")
  func authorization() {
    var stage = suspended(.whenInUse)
    #expect(reports(stage.log) == ["unauthorized"])
    #expect(reports(stage.app(.authorized(.always))) == ["-"])
    #expect(reports(stage.app(.authorized(.denied))) == ["unauthorized"])
    // While it runs it hears what it may, and nothing needs to wake it.
    #expect(reports(stage.app(.enteredForeground)) == ["-"])
  }

  @Test("Swiped away, also after its purge; and until a device that started is unlocked")
  func forceQuit() {
    var stage = Stage(rules: Self.rules(.ios7))
    #expect(!stage.engine.canBeSwipedAway(AppID(1)))
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
    stage.app(.enteredBackground)
    stage.pass(to: 100)
    stage.app(.purged)
    #expect(stage.engine.canBeSwipedAway(AppID(1)))
    #expect(reports(stage.app(.forceQuit)) == ["force_quit"])
    #expect(!stage.engine.canBeSwipedAway(AppID(1)), "it is no longer shown")
    var locked = suspended()
    #expect(reports(locked.tell(.device(.rebooted(isLocked: true)))) == ["locked"])
    #expect(reports(locked.tell(.device(.unlocked))) == ["-"])
  }

  @Test("An app that monitors nothing is not reported, and a snapshot repeats nothing")
  func restored() {
    var idle = Stage(rules: Self.rules(.today))
    idle.launch(authorization: .whenInUse)
    idle.app(.enteredBackground)
    idle.pass(to: 100)
    #expect(reports(idle.log) == [])
    var stage = suspended(.whenInUse)
    stage.engine = LocationEngine(restoring: stage.engine.snapshot)
    #expect(reports(stage.tell(.timePassed, at: 200)) == [])
  }

  @Test("The explanation names it, before what the receiver does")
  func explanation() throws {
    var stage = suspended()
    stage.tell(.device(.backgroundRefresh(false)))
    let why = try #require(stage.engine.explanation(for: AppID(1), at: stage.now))
    #expect(why.obstacle == .refreshIsOff)
    #expect(why.verdict?.outcome == .suspended)
    #expect(stage.engine.plan == .off(.nobodyRuns), "it has asked")
  }
}
