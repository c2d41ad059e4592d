// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("A welcome says where the device was last, to who may know")
struct WelcomeLocationTests {
  private let client = ClientID(7)

  /// The location in the welcome of an app that its user launches and that connects.
  private func location(_ stage: inout Stage, pid: Int32) throws -> Fix? {
    stage.say(.control("walker", .launch))
    stage.tell(.process(.started(app: "walker", pid: pid)))
    stage.connect(client, pid: pid)
    stage.say(.hello(.init(app: "walker")), as: client)
    let welcomes = stage.take().compactMap { effect in
      if case .send(.welcome(let welcome), client, _) = effect { welcome } else { nil }
    }
    return try #require(welcomes.first).location
  }

  /// A registered app with that authorization that was never launched.
  private func stage(_ authorization: Authorization) -> Stage {
    var manifest = Stage.app(launch: .manual)
    manifest.service = nil
    manifest.declaration.authorization = authorization
    var stage = Stage()
    stage.add(manifest)
    return stage
  }

  @Test("Nothing before the first position; then the newest one, also for a later process")
  func newest() throws {
    var stage = stage(.whenInUse)
    #expect(try location(&stage, pid: 30) == nil)
    stage.fix()
    stage.pass(10)
    stage.fix(east: 30)
    let newest = Stage.fix(east: 30, at: stage.now.utc)
    stage.tell(.process(.ended(app: "walker", .exited(status: 0))))
    stage.tell(.client(.disconnected(client)))
    _ = stage.take()
    #expect(try location(&stage, pid: 31) == newest)
  }

  @Test("Nothing for an app that may not know")
  func denied() throws {
    for authorization in [Authorization.denied, .notDetermined] {
      var stage = stage(authorization)
      stage.fix()
      #expect(try location(&stage, pid: 30) == nil, "\(authorization)")
    }
  }
}
