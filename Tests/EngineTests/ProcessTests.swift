// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

/// Apps whose process is gone, or which are removed.
@Suite("Processes that end")
struct ProcessTests {
  /// An app that monitors and received its first position (0 m) at once.
  private func monitoring(rules: EngineRules = EngineRules()) -> Stage {
    var stage = Stage(rules: rules)
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
    stage.tell(.networkFix(Stage.fix(metres: 0, at: .zero, accuracy: 100, source: .network)))
    return stage
  }

  @Test("Standard updates end with a process that exits by itself, running or frozen")
  func exitEndsStandard() {
    var stage = Stage()
    stage.launch()
    stage.app(.startUpdating(StandardRequest()))
    #expect(stage.draw("0123", every: 10) == "DDDD")
    let commands = stage.app(.exited)
    #expect(
      commands == [
        .transition(AppID(1), .init(from: .active, to: .notRunning, reason: .exited)),
        .receiver(.off(.nobodyRuns)),
      ])
    #expect(stage.draw("4567", every: 10) == "----")
    #expect(stage.app(.exited).isEmpty)
    // After a relaunch it runs, and makes its requests anew.
    stage.app(.launched)
    #expect(stage.engine.plan == .off(.nobodyRuns))
    stage.app(.startUpdating(StandardRequest()))
    stage.pass(to: stage.now.seconds + 10)
    #expect(stage.draw("89", every: 10) == "DD")
  }

  @Test("Monitoring outlives an exit: the next significant change relaunches, in any era")
  func exitKeepsMonitoring() {
    for era in Era.all {
      var rules = EngineRules()
      rules.era = era
      var stage = monitoring(rules: rules)
      stage.app(.exited, at: 100)
      #expect(stage.engine.triggers == .cells)
      stage.pass(to: 300)
      // One column per 300 s; the relaunched app exits by itself at once.
      #expect(stage.draw("4", every: 300, accuracy: 100, source: .network) == "-")
      #expect(stage.draw("5", every: 300, accuracy: 100, source: .network) == "L")
      stage.app(.exited, at: 310)
      stage.pass(to: 600)
      #expect(stage.draw("a", every: 300, accuracy: 100, source: .network) == "L")
    }
  }

  @Test("A removed app is terminated and forgotten, and the policy of the last one rests")
  func removal() {
    var stage = monitoring()
    let commands = stage.app(.removed, at: 400)
    #expect(
      commands == [
        .transition(AppID(1), .init(from: .active, to: .notRunning, reason: .terminated)),
        .listen([]), .receiver(.off(.nobodyAsks)),
      ])
    #expect(stage.engine.state(of: AppID(1)) == nil)
    #expect(stage.engine.nextDeadline == nil)
    #expect(stage.app(.launched) == [.ignored(AppID(1), .life(.launched))])
    #expect(stage.app(.removed) == [.ignored(AppID(1), .removed)])
    #expect(stage.draw("9", every: 1, accuracy: 100, source: .network) == "-")
  }

  @Test("An app that has no process is removed without a transition")
  func removalWithoutProcess() {
    var stage = monitoring()
    stage.app(.exited, at: 400)
    #expect(stage.app(.removed) == [.listen([]), .receiver(.off(.nobodyAsks))])
  }

  @Test("A removed id that is registered again starts anew: no service, no anchor, number 1")
  func registeredAgain() {
    var stage = monitoring()
    stage.app(.removed, at: 400)
    stage.launch()
    #expect(stage.draw("9", every: 1, accuracy: 100, source: .network) == "-")
    stage.app(.startMonitoringSignificantChanges)
    #expect(stage.draw("9", every: 1, accuracy: 100, source: .network) == "D")
    // The last known position first, as cached; then the drawn one.
    #expect(stage.log.deliveries.suffix(2).map(\.sequence) == [1, 2])
  }

  @Test("Removing one of two leaves the other as it was")
  func removalOfOneOfTwo() {
    let other = AppID(2)
    var stage = monitoring()
    stage.launch(other)
    stage.app(.startMonitoringSignificantChanges, other)
    stage.app(.startUpdating(StandardRequest()), other)
    #expect(
      stage.app(.removed, at: 400)
        == [.transition(AppID(1), .init(from: .active, to: .notRunning, reason: .terminated))])
    #expect(stage.engine.triggers == .cells)
    #expect(stage.engine.plan == .continuous)
    #expect(stage.draw("123", every: 10, for: other) == "DDD")
    #expect(stage.draw("9", every: 1, accuracy: 100, source: .network, for: other) == "D")
    #expect(stage.app(.removed, other).suffix(2) == [.listen([]), .receiver(.off(.nobodyAsks))])
  }

  @Test("A session of the receiver ends with the removal of the app for which it was")
  func removalEndsSession() {
    var stage = Stage(policy: .receiver(timeout: 120))
    stage.launch()
    #expect(stage.app(.startMonitoringSignificantChanges).plans == [.session])
    #expect(stage.app(.removed, at: 10).plans == [.off(.nobodyAsks)])
    #expect(stage.engine.nextDeadline == nil)
  }

  @Test("Numbers of deliveries go on above the given one, and are never lowered")
  func continuedSequence() {
    var stage = monitoring()
    stage.engine.continueSequence(of: AppID(1), after: 41)
    stage.pass(to: 300)
    #expect(stage.draw("5", every: 1, accuracy: 100, source: .network) == "D")
    #expect(stage.log.deliveries.map(\.sequence) == [1, 42])
    stage.engine.continueSequence(of: AppID(1), after: 7)
    stage.engine.continueSequence(of: AppID(9), after: 7)
    stage.pass(to: 600)
    #expect(stage.draw("a", every: 1, accuracy: 100, source: .network) == "D")
    #expect(stage.log.deliveries.map(\.sequence) == [1, 42, 43])
  }
}
