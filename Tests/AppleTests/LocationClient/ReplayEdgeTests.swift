// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LocationClient
import LocationClientReplay
import Synchronization
import Testing

/// Restarts its service at every callback.
private final class Restless: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  let isSignificant: Bool
  var count = 0

  init(isSignificant: Bool) {
    self.isSignificant = isSignificant
    super.init()
    manager.delegate = self
    restart()
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    count += locations.count
    restart()
  }

  private func restart() {
    if isSignificant {
      manager.stopMonitoringSignificantLocationChanges()
      manager.startMonitoringSignificantLocationChanges()
    } else {
      manager.stopUpdatingLocation()
      manager.startUpdatingLocation()
    }
  }
}

@Suite("Where a replay and its app's code meet")
struct ReplayEdgeTests {
  @Test(
    "An app that begins its service anew at each delivery does not hold time up",
    .timeLimit(.minutes(1)), arguments: [true, false])
  func restless(isSignificant: Bool) throws {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.background(after: 60)
    let account = try trace.run { _ in Restless(isSignificant: isSignificant) }
    // In the foreground for a minute and active until its suspension, at most 16 starts a second; then purged as any
    // other app.
    #expect(account.deliveries.count > 100)
    #expect(account.lives[0].count == account.deliveries.count)
    #expect(account.deliveries.count <= 67 * 16)
    #expect(account.state(at: account.start + 64) == .background)
    #expect(account.state(at: account.start + 66) == .suspended)
    #expect(account.states.last?.reason == "purged")
  }
}

/// Makes a manager in a place whose life is unknown.
private final class Stray: Sendable {
  let failures = Mutex<[String]>([])

  private final class Delegate: NSObject, CLLocationManagerDelegate, Sendable {
    let tell: @Sendable (String) -> Void

    init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
      tell("\((error as NSError).code) \(error.localizedDescription)")
    }
  }

  /// Returns when it has been told that this is impossible.
  func go() {
    let told = DispatchSemaphore(value: 0)
    // A dedicated thread, as for a detached task; that one could wait for a free thread.
    Thread.detachNewThread { [self] in
      let delegate = Delegate { failure in
        self.failures.withLock { $0.append(failure) }
        told.signal()
      }
      let manager = CLLocationManager(delegateQueue: DispatchQueue(label: "stray"))
      manager.delegate = delegate
      manager.startUpdatingLocation()
      withExtendedLifetime((delegate, manager)) { _ = told.wait(timeout: .now() + 20) }
      told.signal()
    }
    _ = told.wait(timeout: .now() + 20)
  }
}

extension ReplayEdgeTests {
  @Test(
    "A manager of a thread of the app's own speaks to no daemon while a replay runs, and hears why")
  func stray() throws {
    let trace = try ReplayedTrace(Traces.path("walk.nmea"))
    let account = try trace.run { _ in
      let stray = Stray()
      stray.go()
      return stray
    }
    let failures = account.lives[0].failures.withLock { $0 }
    // 1 is kCLErrorDenied.
    #expect(failures.first?.hasPrefix("1 a replay runs in this process, ") == true, "\(failures)")
    #expect(account.deliveries.isEmpty)
  }
}
