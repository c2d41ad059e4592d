// SPDX-License-Identifier: Apache-2.0

import LocationClient
import LocationClientReplay
import Testing

/// As in Apple's guide: requests a deferral with each update, one at a time.
private final class Hiker: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  private(set) var batches: [Int] = []
  private(set) var ends: [Int?] = []
  /// The calls for each deferral, and their positions.
  private(set) var calls: [(calls: Int, positions: Int)] = []
  private var isDeferring = false
  private var counted = 0

  override init() {
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.pausesLocationUpdatesAutomatically = false
    manager.allowsBackgroundLocationUpdates = true
    manager.startUpdatingLocation()
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    batches.append(locations.count)
    guard !isDeferring else { return }
    isDeferring = true
    manager.allowDeferredLocationUpdates(untilTraveled: CLLocationDistanceMax, timeout: 120)
  }

  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {
    ends.append((error as? CLError)?.code.rawValue)
    calls.append((batches.count - counted, batches[counted...].reduce(0, +)))
    counted = batches.count
    isDeferring = false
  }
}

@Suite("An app whose updates are kept back")
struct DeferredAppTests {
  private func walk(_ era: String) throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.backgroundModes = ["location"]
    trace.era = era
    trace.background(after: 60)
    return trace
  }

  @Test("In the era of iOS 7 it sleeps while they are kept, hears all of them, and costs less")
  func kept() throws {
    var available: Bool?
    let account = try walk("ios7").run { _ in
      available = CLLocationManager.deferredLocationUpdatesAvailable()
      return Hiker()
    }
    #expect(available == true)
    let hiker = try #require(account.lives.first)
    #expect(account.lives.count == 1)
    // In the foreground each update ends it; after that 120 s are up, and the last one lasts to the trace's end.
    #expect(hiker.ends.contains(CLError.Code.deferredCanceled.rawValue))
    let finished = hiker.ends.filter { $0 == nil }.count
    // A position, at which the app asks for the next deferral; then all of that as one array, of some 120 positions.
    let finishedCalls = zip(hiker.ends, hiker.calls).filter { $0.0 == nil }.map(\.1)
    #expect(finishedCalls.allSatisfy { $0.calls == 2 }, "\(finishedCalls)")
    #expect(finishedCalls.allSatisfy { $0.positions > 64 })
    let minutes = account.end.timeIntervalSince(account.start) / 60
    #expect(abs(Double(finished) - (minutes - 1) / 2) <= 3, "\(finished) in \(minutes) min")
    let suspended = account.states.filter { $0.state == .suspended }.count
    #expect(suspended >= finished)
    let plain = try walk("today").run { _ in Hiker() }
    #expect(Set(plain.lives[0].ends) == [CLError.Code.deferredFailed.rawValue])
    #expect(plain.states.allSatisfy { $0.state != .suspended })
    // The last ones are still deferred when the trace ends.
    let missing = plain.deliveries.count - account.deliveries.count
    #expect((0...130).contains(missing))
    #expect(account.energy < plain.energy)
  }
}
