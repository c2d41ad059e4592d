// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import LocationClientReplay
import Testing

/// Writes its state at each callback.
private final class Stateful: UIResponder, UIApplicationDelegate, CLLocationManagerDelegate {
  var states: [(callback: String, state: UIApplication.State, at: Date)] = []
  let manager = CLLocationManager()

  private func note(_ callback: String) {
    states.append((callback, UIApplication.shared.applicationState, Date()))
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    manager.delegate = self
    manager.startUpdatingLocation()
    manager.startMonitoringSignificantLocationChanges()
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) { note("active") }
  func applicationDidEnterBackground(_ application: UIApplication) { note("background") }
  func applicationWillTerminate(_ application: UIApplication) { note("ends") }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) { note("location") }
}

@Suite("What an app says of its state, and what the account says")
struct StateAgreementTests {
  @Test("Both agree at each callback, also in the last seconds of an app that opted out")
  func agree() throws {
    for optsOut in [true, false] {
      for era in ["ios4", "today"] {
        var trace = try ReplayedTrace(Traces.path("walk.nmea"))
        trace.firstStart = .hot
        trace.era = era
        trace.exitsOnSuspend = optsOut
        trace.background(after: 60)
        trace.foreground(after: 120)
        trace.terminate(after: 180)
        let account = try trace.run { _ in
          let app = Stateful()
          UIApplication.shared.delegate = app
          return app
        }
        let told = account.lives.flatMap(\.states)
        for (callback, state, date) in told {
          let expected: CLAppState =
            switch state {
            case .active: .active
            case .inactive: .inactive
            case .background: .background
            }
          #expect(account.state(at: date) == expected, "\(era) \(optsOut): \(callback)")
        }
        let ends = told.filter { $0.callback == "ends" }
        #expect(ends.map(\.state) == (optsOut ? [.inactive, .active] : [.active]))
        guard optsOut else { continue }
        #expect(!told.contains { $0.state == .background })
        #expect(!account.states.contains { $0.state == .background })
        let end = try #require(ends.first?.at)
        #expect(!told.contains { $0.callback == "location" && $0.at > end && $0.at < end + 5 })
      }
    }
  }
}
