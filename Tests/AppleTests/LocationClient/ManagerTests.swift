// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel
import Synchronization
import Testing

@testable import LocationClient

/// A delegate in the form of Swift 1: it has only unrelated methods.
private final class OldTracker: NSObject, CLLocationManagerDelegate {
  func locationManager(manager: CLLocationManager!, didUpdateLocations locations: [AnyObject]!) {}
  func locationManager(_ manager: CLLocationManager!, didUpdateLocations locations: [AnyObject]!) {}
}

/// Implements positions in the form before iOS 6, and only the states of regions.
private final class EarlyTracker: NSObject, CLLocationManagerDelegate {
  var log: [String] = []

  func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from old: CLLocation
  ) { log.append("position") }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) { log.append("\(region.identifier) \(state.rawValue)") }
}

/// Records the events of regions and visits.
private final class RegionLog: NSObject, CLLocationManagerDelegate {
  var log: [String] = []

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    let circle = region as? CLCircularRegion
    log.append("in \(region.identifier) \(circle?.radius ?? -1)")
  }
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    log.append("out of \(region.identifier)")
  }
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    log.append("monitors \(region.identifier)")
  }
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) { log.append("\((error as NSError).code) \(error.localizedDescription)") }
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    let isOver = visit.departureDate != .distantFuture
    log.append("visit at \(visit.coordinate.latitude), \(isOver ? "over" : "goes on")")
  }
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) { log.append("deferred \((error as NSError?)?.code ?? -1)") }
}

@Suite("A manager and its delegate")
struct ManagerTests {
  private final class Complaints: Sendable {
    let lines = Mutex<[String]>([])
  }

  private let complaints = Complaints()
  private let backend = SilentBackend()
  private let session: LocationSession
  private let manager: CLLocationManager

  init() {
    let complaints = complaints
    session = LocationSession(
      backend, callsInline: true,
      complain: { line in complaints.lines.withLock { $0.append(line) } })
    manager = LocationSession.$scoped.withValue(session) { CLLocationManager() }
    session.openSession()
    session.received(SilentBackend.welcome())
  }

  private var lines: [String] { complaints.lines.withLock { $0 } }

  private func deliver(_ number: UInt64) {
    session.received(
      .location(
        Delivery(
          sequence: number, service: .standard,
          fix: Fix(
            time: nil, coordinate: Coordinate(clampingLatitude: 48, wrappingLongitude: 11)),
          isCached: false, moved: nil, since: nil), received: UTCInstant(microseconds: 0)))
    session.runTurns()
  }

  private var home: MonitoredRegion {
    MonitoredRegion(
      "home", centre: Coordinate(clampingLatitude: 48, wrappingLongitude: 11), radius: 200)
  }

  private func region(_ state: CLRegionState) -> Notice {
    .region(home, .determined(state, isCrossing: true, at: nil), ticket: nil)
  }

  @Test("A delegate with Swift 1's methods hears nothing, and the program is told so once")
  func unheard() {
    let tracker = OldTracker()
    manager.delegate = tracker
    manager.startUpdatingLocation()
    for number in UInt64(1)...3 { deliver(number) }
    #expect(
      lines == [
        "milepost: OldTracker is told of locations and has no method that hears it; write "
          + "func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: "
          + "[CLLocation]) (a method with other labels or types, as Swift 1 had them, is another one)"
      ])
    manager.tellDelegate([region(.inside)])
    #expect(lines.count == 2)
    #expect(lines.last?.contains("OldTracker is told of regions and") == true)
  }

  @Test("One method of those that tell a thing is enough")
  func heard() {
    let tracker = EarlyTracker()
    manager.delegate = tracker
    manager.startUpdatingLocation()
    deliver(1)
    manager.tellDelegate([region(.inside)])
    #expect(tracker.log == ["position", "home 1"])
    #expect(lines == [])
  }

  @Test("Regions and visits come as their objects; what a region is not to tell is not told")
  func regions() {
    let tracker = RegionLog()
    manager.delegate = tracker
    manager.tellDelegate([.region(home, .began, ticket: nil)])
    manager.tellDelegate([region(.inside)])
    manager.tellDelegate([region(.outside)])
    manager.tellDelegate([
      .region(home, .failed(CLError(.regionMonitoringFailure, "no")), ticket: nil)
    ])
    var quiet = home
    quiet.notifiesOnEntry = false
    manager.tellDelegate([
      .region(quiet, .determined(.inside, isCrossing: true, at: nil), ticket: nil)
    ])
    var stay = Visit(
      coordinate: Coordinate(clampingLatitude: 47, wrappingLongitude: 11),
      horizontalAccuracy: nil, arrival: nil, departure: nil)
    manager.tellDelegate([.visit(stay, ticket: nil)])
    stay.departure = UTCInstant(microseconds: 0)
    manager.tellDelegate([.visit(stay, ticket: nil)])
    #expect(
      tracker.log == [
        "monitors home", "in home 200.0", "out of home", "5 no", "visit at 47.0, goes on",
        "visit at 47.0, over",
      ])
  }

  @Test("A crossing is acknowledged when the delegate has returned")
  func acknowledged() {
    let tracker = RegionLog()
    manager.delegate = tracker
    session.received(SilentBackend.welcome(monitoring: [home]))
    session.received(
      .region(
        RegionNotice(
          sequence: 1, identifier: "home", event: .entered, state: .inside, received: .epoch)))
    #expect(!backend.heard.withLock { $0.contains(.acknowledge(1)) })
    session.runTurns()
    #expect(tracker.log == ["in home 200.0"])
    #expect(backend.heard.withLock { $0.contains(.acknowledge(1)) })
  }

  @Test("What cannot be monitored, and what is not deferred, is told to the delegate")
  func refused() {
    let tracker = RegionLog()
    manager.delegate = tracker
    manager.startMonitoring(
      for: CLCircularRegion(
        center: kCLLocationCoordinate2DInvalid, radius: 10, identifier: "nowhere"))
    manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: 10)
    let asked = ClientMessage.deferUpdates(DeferralRequest(Deferral(distance: 100, timeout: 10)))
    #expect(backend.heard.withLock { $0.contains(asked) })
    session.received(.deferralEnded(.unsupported))
    session.runTurns()
    // 5 is kCLErrorRegionMonitoringFailure, 11 kCLErrorDeferredFailed.
    #expect(
      tracker.log == [
        "deferred 11", "5 'nowhere' is no circle whose centre is a point on the earth",
      ])
  }

  @Test("Full accuracy is there without asking, so the completion has no error")
  func fullAccuracy() {
    let told = Mutex<[Bool]>([])
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "ride") { error in
      told.withLock { $0.append(error == nil) }
    }
    session.runTurns()
    #expect(told.withLock { $0 } == [true])
    #expect(manager.accuracyAuthorization == .fullAccuracy)
  }

  @Test("A delegate is told what its user allows, once, also where the queue was faster than it")
  func firstAuthorization() {
    final class Listener: NSObject, CLLocationManagerDelegate {
      var told: [CLAuthorizationStatus] = []
      func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        told.append(manager.authorizationStatus)
      }
    }
    let session = LocationSession(SilentBackend(), callsInline: false)
    session.openSession()
    session.received(SilentBackend.welcome())
    let queue = DispatchQueue(label: "fast")
    let manager = LocationSession.$scoped.withValue(session) {
      CLLocationManager(delegateQueue: queue)
    }
    // All that was posted has been delivered, without a recipient.
    queue.sync {}
    let listener = Listener()
    manager.delegate = listener
    queue.sync {}
    #expect(listener.told == [.authorizedAlways])
    manager.delegate = listener
    queue.sync {}
    #expect(listener.told.count == 1)
    session.received(.authorization(.denied))
    queue.sync {}
    #expect(listener.told == [.authorizedAlways, .denied])
    session.closeSession()
  }

  @Test("Reduced accuracy is told as it changes, and full accuracy refused with the reason")
  func reducedAccuracy() async {
    final class Listener: NSObject, CLLocationManagerDelegate {
      var told: [CLAccuracyAuthorization] = []
      var olderForm = 0
      func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        told.append(manager.accuracyAuthorization)
      }
      func locationManager(
        _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
      ) { olderForm += 1 }
    }
    let listener = Listener()
    manager.delegate = listener
    session.runTurns()
    let before = listener.olderForm
    listener.told = []
    session.received(.accuracy(.reduced))
    session.received(.accuracy(.reduced))
    session.runTurns()
    #expect(listener.told == [.reducedAccuracy])
    // The form before iOS 14 had no accuracy.
    #expect(listener.olderForm == before)
    let refusal = CLError(
      .promptDeclined,
      "the user lets this app know where the device is to 5 km; milepost apps authorize with --full "
        + "changes that")
    await #expect(throws: refusal) {
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "ride")
    }
    let told = Mutex<[CLError?]>([])
    manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "ride") { error in
      told.withLock { $0.append(error as? CLError) }
    }
    session.runTurns()
    #expect(told.withLock { $0 } == [refusal])
    // A daemon of a later connection grants full accuracy by not mentioning it.
    session.received(SilentBackend.welcome())
    session.runTurns()
    #expect(manager.accuracyAuthorization == .fullAccuracy)
    #expect(listener.told == [.reducedAccuracy, .fullAccuracy])
  }
}
