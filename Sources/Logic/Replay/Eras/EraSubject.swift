// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
import ServiceCore

/// One row of a comparison of eras: a scenario, and the tracking of its apps.
package struct EraSubject: Sendable {
  package let name: String
  package let scenario: Scenario
  package let plan: RunPlan

  /// The rows of a scenario: one for each way of tracking if it leaves that open, else one.
  package static func rows(
    of scenario: Scenario, on device: DeviceProfile, seed: UInt64
  ) -> [EraSubject] {
    let name = scenario.title.isEmpty ? "the scenario" : scenario.title
    guard scenario.hasFreeService else {
      return [
        EraSubject(name: name, scenario: scenario, plan: plan(.significant, on: device, seed))
      ]
    }
    return [Service.standard, .continuous, .significant].map {
      EraSubject(name: $0.rawValue, scenario: scenario, plan: plan($0, on: device, seed))
    }
  }

  /// The usual apps over a trip of `seconds` seconds. Each shows the effect of one family of rules on it.
  package static func usual(
    over seconds: Double, on device: DeviceProfile, seed: UInt64
  ) -> [EraSubject] {
    func subject(
      _ name: String, _ service: Service, _ handlers: [ScenarioApp.Handler],
      _ authorization: Authorization = .always, modes: BackgroundModes = [],
      then acts: [UserAct] = []
    ) -> EraSubject {
      var app = ScenarioApp(name: "app", handlers: handlers)
      app.declaration.authorization = authorization
      app.declaration.modes = modes
      let begin = [
        UserAct(.open("app"), after: 0), UserAct(.background("app"), after: putAwayAfter),
      ]
      return EraSubject(
        name: name, scenario: Scenario(title: name, apps: [app], acts: begin + acts),
        plan: plan(service, on: device, seed))
    }
    let tracks = [ScenarioApp.Handler(.launch, [.track])]
    let half = max(putAwayAfter, seconds / 2)
    return [
      subject("standard", .standard, tracks),
      subject("continuous", .continuous, tracks),
      subject("continuous, when in use", .continuous, tracks, .whenInUse),
      subject("significant", .significant, tracks),
      subject("significant, when in use", .significant, tracks, .whenInUse),
      subject(
        "significant, swiped away", .significant, tracks,
        then: [UserAct(.forceQuit("app"), after: half)]),
      subject(
        "a long upload", .significant,
        [
          .init(
            .background,
            [
              .beginTask("upload"), .work(uploadTime), .transfer(up: uploadSize, down: 0),
              .endTask("upload"),
            ])
        ]),
      subject(
        "a feed that fetches", .significant,
        [
          .init(.launch, [.setFetchInterval(0)]),
          .init(.fetch, [.work(2), .transfer(up: 0, down: fetchSize)]),
        ], modes: .fetch),
      subject(
        "a call waits", .significant,
        [
          .init(.launch, [.watchSocket(true), .setKeepAlive(KeepAlive.shortest)]),
          .init(.keepAlive, [.work(1), .transfer(up: 1_000, down: 0)]),
          .init(.socket, [.work(2), .transfer(up: 0, down: 4_000)]),
        ], modes: .voip, then: [UserAct(.event("app", .socket), after: half)]),
    ]
  }

  /// Seconds from the launch until the user puts the app away, as in the built-in rows.
  private static let putAwayAfter = ScenarioTiming().backgroundAfter
  /// Between the budgets of the eras: 30, 180 and 600 s.
  private static let uploadTime = 120.0
  private static let uploadSize = 5_000_000
  private static let fetchSize = 60_000

  private static func plan(
    _ service: Service, on device: DeviceProfile, _ seed: UInt64
  ) -> RunPlan {
    // Its apps may ask for significant changes by themselves.
    RunPlan(service, .pocket, policy: .usual(for: device, seed: seed))
  }
}
