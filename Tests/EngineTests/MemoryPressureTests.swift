// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

/// "This type of exit could happen … where there is memory pressure": the text on `voip`.
@Suite("An app for calls whose memory is taken")
struct MemoryPressureTests {
  private func suspended(_ modes: BackgroundModes, era: Era = .ios4) -> Stage {
    var rules = EngineRules()
    rules.era = era
    var stage = Stage(rules: rules)
    stage.leave(modes: modes, asking: [.watchSocket(true)])
    stage.pass(to: 60)
    return stage
  }

  @Test(
    "It is launched again, into the background, as after a crash, and its sockets are made anew")
  func relaunched() {
    for need in [EngineInput.device(.memoryNeeded(megabytes: 10)), .app(AppID(1), .life(.purged))] {
      var stage = suspended(.voip)
      let commands = stage.tell(need)
      #expect(commands.contains(.launch(AppID(1), LaunchOptions(reason: .crash))))
      #expect(stage.engine.state(of: AppID(1)) == .background)
      #expect(stage.app(.event(.socket)) == [.notWoken(AppID(1), .socket, .notAsked)])
    }
  }

  @Test("Others are not, nor in an era without it, nor after the user's swipe")
  func notRelaunched() {
    var plain = suspended([])
    plain.tell(.device(.memoryNeeded(megabytes: 10)))
    #expect(plain.engine.state(of: AppID(1)) == .notRunning)
    var later = suspended(.voip, era: .today)
    later.tell(.device(.memoryNeeded(megabytes: 10)))
    #expect(later.engine.state(of: AppID(1)) == .notRunning)
    var swiped = suspended(.voip)
    swiped.app(.forceQuit)
    swiped.tell(.device(.memoryNeeded(megabytes: 10)))
    #expect(swiped.engine.state(of: AppID(1)) == .notRunning)
  }

  @Test("The memory of all victims is taken before any is launched again")
  func order() {
    var stage = suspended(.voip)
    stage.leave(AppID(2), modes: .voip, asking: [], at: 60)
    stage.pass(to: 70)
    let commands = stage.tell(.device(.memoryNeeded(megabytes: 100)))
    let kinds = commands.compactMap { command -> String? in
      switch command {
      case .memoryTaken(let id, _): "taken \(id.number)"
      case .launch(let id, _): "launched \(id.number)"
      default: nil
      }
    }
    #expect(kinds == ["taken 1", "taken 2", "launched 1", "launched 2"])
  }
}
