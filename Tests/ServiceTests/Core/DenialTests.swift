// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import ServiceCore
import Testing

@Suite("A user's no while an app asks for more")
struct DenialTests {
  private static let client = ClientID(7)

  /// An app that holds *when in use* and asks for *always*.
  private func asking() -> Stage {
    var stage = Stage.running([], in: .today, as: Self.client)
    stage.say(.authorize("walker", .whenInUse))
    stage.say(.requestAuthorization(.always), as: Self.client)
    return stage
  }

  /// The last stored authorization, after the user's answer.
  private func authorization(after answer: Authorization) -> Authorization? {
    var stage = asking()
    stage.say(.authorize("walker", answer))
    return stage.changes.flatMap(\.authorizations).last?.to
  }

  @Test("The question names the level that it has as the no")
  func question() {
    #expect(
      asking().logged.contains(
        "asks for 'always'; answer with `milepost apps authorize walker always` or `when_in_use`"))
  }

  @Test("A denial takes what it has, the level that it has leaves it, and a yes gives more")
  func answers() {
    for answer in [Authorization.denied, .restricted, .whenInUse, .always] {
      #expect(authorization(after: answer) == answer)
    }
  }
}
