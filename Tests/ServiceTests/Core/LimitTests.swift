// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What grows has an end")
struct LimitTests {
  private static let client = ClientID(7)

  @Test("Of what an app that does not read is called for, the newest 128 are kept")
  func calls() {
    var stage = Stage.running([], in: .ios4, as: Self.client)
    let notifications = (1...130).map { LocalNotification("no. \($0)") }
    for notification in notifications {
      stage.tell(.client(.refused(Self.client, .notification(notification))))
    }
    _ = stage.take()
    stage.tell(.client(.writable(Self.client)))
    let told = stage.take().compactMap { effect -> LocalNotification? in
      if case .send(.notification(let notification), _, _) = effect { notification } else { nil }
    }
    #expect(told == Array(notifications.suffix(128)))
  }

  @Test("There are 1,024 apps at most; one more is refused, and one that goes makes room")
  func apps() {
    var stage = Stage()
    for number in 1...1_024 {
      stage.service.handle(
        .manifest(
          Stage.user, .read(Stage.app("app-\(number)", launch: .manual), missingProgram: nil),
          id: nil), at: stage.now)
    }
    stage.settle()
    _ = stage.take()
    stage.add(Stage.app("late", launch: .manual))
    let refusal = ServerMessage.error(
      code: .notPossible,
      "there are 1024 apps, and no more can be added; `milepost apps remove NAME` makes room")
    #expect(stage.take().contains(.send(refusal, to: Stage.user)))
    stage.say(.remove("app-1"))
    _ = stage.take()
    stage.add(Stage.app("late", launch: .manual))
    #expect(!stage.take().contains(.send(refusal, to: Stage.user)))
    #expect(stage.service.step.apps.count == 1_024)
  }

  @Test("Of 65 programs that ask GeoClue an account is kept of 64: the oldest goes")
  func accounts() {
    var apps = GeoClueAccounts()
    for number in 1...65 {
      apps.open(request: GeoClueRequest(program: "program-\(number)", level: .exact))
    }
    #expect(apps.accounts.count == 64)
  }
}
