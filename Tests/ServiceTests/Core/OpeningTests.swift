// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import ServiceCore
import Testing

@Suite("Who opens an app, when it cannot be opened, and what it may know unseen")
struct OpeningTests {
  private static let client = ClientID(7)

  private func starts(_ effects: [ServiceEffect]) -> Int {
    effects.count { if case .start = $0 { true } else { false } }
  }

  @Test("An app that has opted out of multitasking is launched by its user alone")
  func optedOut() {
    var stage = Stage()
    var manifest = Stage.app(launch: .atStart)
    manifest.service = nil
    manifest.declaration.exitsOnSuspend = true
    stage.add(manifest)
    #expect(starts(stage.take()) == 0)
    stage.say(.control("walker", .launch))
    #expect(starts(stage.take()) == 1)
  }

  @Test("An app that is ending cannot be opened, and it is said when it can")
  func ending() {
    var stage = Stage.running(.location, as: Self.client)
    stage.say(.control("walker", .terminate))
    stage.pass(2)
    _ = stage.take()
    // It has 5 s for its end.
    let words = "'walker' is ending; `milepost apps launch` can start it in 3 s"
    for control in [ClientMessage.AppControl.foreground, .launch] {
      stage.say(.control("walker", control))
      #expect(stage.take().messages == [.error(code: .notPossible, words)])
    }
  }

  @Test("*Always* on trial lets an app know no position in the background")
  func trial() {
    var stage = Stage.running(.location, as: Self.client)
    func welcome() -> ServerMessage.Welcome? {
      _ = stage.take()
      stage.say(.hello(.init(app: "walker")), as: Self.client)
      return stage.take().lazy.compactMap {
        if case .send(.welcome(let welcome), _, _) = $0 { welcome } else { nil }
      }.first
    }
    stage.say(.authorize("walker", .notDetermined))
    stage.say(.requestAuthorization(.always), as: Self.client)
    stage.say(.authorize("walker", .whenInUse))
    stage.say(.start(.init(.standard, StandardRequest())), as: Self.client)
    stage.pass(5)
    stage.fix()
    stage.say(.control("walker", .background))
    let onTrial = welcome()
    #expect(onTrial?.authorization == .always)
    #expect(onTrial != nil && onTrial?.location == nil)
    stage.say(.authorize("walker", .always))
    #expect(welcome()?.location != nil)
  }
}
