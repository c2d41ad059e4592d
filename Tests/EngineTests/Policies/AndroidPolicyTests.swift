// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("What Android gives an app in the background")
struct AndroidPolicyTests {
  private func stage(_ name: String) throws -> Stage {
    var rules = EngineRules()
    rules.feelsMotion = true
    var stage = Stage(policy: try #require(PolicySettings(name: name).policy), rules: rules)
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
    stage.app(.enteredBackground)
    return stage
  }

  /// The seconds at which a position is asked for until then, each answered at once, at the same place.
  private func looks(_ stage: inout Stage, until end: Double, after commands: [EngineCommand])
    -> [Double]
  {
    var looks: [Double] = []
    func answer(_ commands: [EngineCommand]) {
      guard commands.contains(.requestNetworkPosition) else { return }
      looks.append(stage.now.seconds)
      stage.tell(
        .networkFix(Stage.fix(metres: 0, at: stage.now, accuracy: 65, source: .network)))
    }
    answer(commands)
    while let due = stage.engine.nextDeadline, due.seconds <= end {
      stage.now = max(stage.now, due)
      answer(stage.tell(.timePassed))
    }
    return looks
  }

  // By AOSP's defaults light Doze begins 60 s after the screen went off, with windows at 360, 1,020, 1,980 and 2,940 s;
  // deep Doze at 3,600 s, with a window at 7,200 s.
  @Test(
    "At rest a position comes every 30 min, a job every 15 min in Doze's windows; each is told, also of the same place",
    arguments: [
      ("android-background", [0.0, 1_800, 7_200]),
      ("android-work", [0, 1_020, 1_980, 2_940, 7_200]),
    ])
  func rests(name: String, expected: [Double]) throws {
    var stage = try stage(name)
    let looks = looks(&stage, until: 8_000, after: stage.log)
    #expect(looks == expected)
    #expect(stage.log.deliveries.count == looks.count)
  }

  @Test(
    "Motion ends deep Doze, and what waited is made up for at once",
    arguments: ["android-background", "android-work"])
  func moves(name: String) throws {
    var stage = try stage(name)
    _ = looks(&stage, until: 4_000, after: stage.log)
    #expect(stage.engine.triggers.contains(.motion))
    let commands = stage.tell(.motionBegan, at: 4_000)
    #expect(looks(&stage, until: 4_000, after: commands) == [4_000])
  }
}
