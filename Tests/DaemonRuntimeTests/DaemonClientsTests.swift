// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import Testing

@testable import DaemonRuntime

@Suite("What an app that connects hears first")
struct DaemonClientsTests {
  private let app = AppID(1)
  private let other = AppID(2)

  @Test("Its welcome, also where an earlier event of the batch has something for it")
  func welcome() {
    let before: [Daemon.Effect] = [.flush(other), .tell(other, .motion), .thaw(app)]
    #expect((before + [.flush(app)]).placeOfWelcome(to: app) == 3)
    #expect((before + [.tell(app, .motion), .flush(app)]).placeOfWelcome(to: app) == 3)
    #expect((before + [.flush(app), .flush(other)]).placeOfWelcome(to: other) == 0)
  }

  @Test("Where nothing waits for it, the welcome stands behind what others get")
  func nothingWaits() {
    #expect([Daemon.Effect]().placeOfWelcome(to: app) == 0)
    #expect([.flush(other), .freeze(app), .watch(true)].placeOfWelcome(to: app) == 3)
  }
}
