// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Testing

// The most common code of programs with Core Location, based on Apple's documentation of its classes, one numbered use
// each, the most important ones first. The first half of the test is that they compile with only `import CoreLocation`;
// those whose result can be checked without a daemon are checked below. `CoreLocationListTests` counts them. The page
// "Core Location on Linux" lists the omissions, with the reasons.

#if !canImport(CoreLocation)
  #error("sources that ask whether CoreLocation is there are told that it is not")
#endif

/// Uses of a manager; never called, since they would contact a daemon.
private func managerUses(_ delegate: any CLLocationManagerDelegate) {
  let manager = CLLocationManager()  // 1
  manager.delegate = delegate  // 2
  manager.requestWhenInUseAuthorization()  // 3
  manager.requestAlwaysAuthorization()  // 4
  manager.desiredAccuracy = kCLLocationAccuracyBest  // 5
  manager.distanceFilter = kCLDistanceFilterNone  // 6
  manager.startUpdatingLocation()  // 7
  manager.stopUpdatingLocation()  // 8
  manager.requestLocation()  // 9
  let last: CLLocation? = manager.location  // 10
  let status: CLAuthorizationStatus = manager.authorizationStatus  // 11
  let isOn: Bool = CLLocationManager.locationServicesEnabled()  // 12
  manager.allowsBackgroundLocationUpdates = true  // 13
  manager.pausesLocationUpdatesAutomatically = false  // 14
  manager.activityType = .fitness  // 15
  manager.startMonitoringSignificantLocationChanges()  // 16
  manager.stopMonitoringSignificantLocationChanges()  // 17
  _ = CLLocationManager.significantLocationChangeMonitoringAvailable()  // 18
  manager.showsBackgroundLocationIndicator = true  // 19
  _ = manager.accuracyAuthorization == .fullAccuracy  // 20
  manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "ride") { _ in }  // 21
  manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "ride")  // 22
  let old: CLAuthorizationStatus = CLLocationManager.authorizationStatus()  // 23
  let home = CLLocationCoordinate2D(latitude: 48.1, longitude: 11.6)  // 24
  let region = CLCircularRegion(center: home, radius: 200, identifier: "home")  // 25
  region.notifyOnExit = false  // 26
  manager.startMonitoring(for: region)  // 27
  manager.stopMonitoring(for: region)  // 28
  manager.requestState(for: region)  // 29
  for region in manager.monitoredRegions { manager.stopMonitoring(for: region) }  // 30
  _ = CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self)  // 31
  _ = min(500, manager.maximumRegionMonitoringDistance)  // 32
  manager.startMonitoringVisits()  // 33
  manager.stopMonitoringVisits()  // 34
  _ = CLLocationManager.headingAvailable()  // 35
  manager.headingFilter = 5  // 36
  manager.headingFilter = kCLHeadingFilterNone  // 37
  manager.headingOrientation = .landscapeLeft  // 38
  manager.startUpdatingHeading()  // 39
  manager.stopUpdatingHeading()  // 40
  let heading: CLLocationDirection? = manager.heading?.trueHeading  // 41
  manager.dismissHeadingCalibrationDisplay()  // 42
  _ = CLLocationManager.isRangingAvailable()  // 43
  manager.allowDeferredLocationUpdates(untilTraveled: 500, timeout: 60)  // 44
  manager.disallowDeferredLocationUpdates()  // 45
  _ = CLLocationManager.deferredLocationUpdatesAvailable()  // 46
  _ = manager.isAuthorizedForWidgetUpdates  // 47
  _ = (last, status, isOn, old, heading)
}

/// Each method that an app implements is a use.
private final class Delegate: NSObject, CLLocationManagerDelegate {
  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]  // 48
  ) {}
  func locationManager(
    _ manager: CLLocationManager, didFailWithError error: any Error  // 49
  ) {}
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}  // 50
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus  // 51
  ) {}
  func locationManager(
    _ manager: CLLocationManager, didEnterRegion region: CLRegion  // 52
  ) {}
  func locationManager(
    _ manager: CLLocationManager, didExitRegion region: CLRegion  // 53
  ) {}
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState,  // 54
    for region: CLRegion
  ) {}
  func locationManager(
    _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion  // 55
  ) {}
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,  // 56
    withError error: any Error
  ) {}
  func locationManager(
    _ manager: CLLocationManager, didVisit visit: CLVisit  // 57
  ) {}
  func locationManager(
    _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading  // 58
  ) {}
  func locationManagerShouldDisplayHeadingCalibration(
    _ manager: CLLocationManager  // 59
  ) -> Bool { true }
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}  // 60
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}  // 61
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?  // 62
  ) {}
  func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from old: CLLocation  // 63
  ) {}
}

/// Asynchronous uses; never called.
private func asynchronousUses() async throws {
  for try await update in CLLocationUpdate.liveUpdates() {  // 64
    if let location = update.location { print(location) }  // 65
    if update.isStationary { break }  // 66
    if update.stationary { break }  // 67
    if update.authorizationDenied { break }  // 68
    if update.authorizationDeniedGlobally || update.authorizationRestricted { break }  // 69
    if update.insufficientlyInUse || update.locationUnavailable { break }  // 70
    if update.accuracyLimited || update.serviceSessionRequired { break }  // 71
    if update.authorizationRequestInProgress { continue }  // 72
  }
  for try await _ in CLLocationUpdate.liveUpdates(.automotiveNavigation) { break }  // 73
  let first = try await CLLocationUpdate.liveUpdates().first { $0.location != nil }  // 74
  let background = CLBackgroundActivitySession()  // 75
  background.invalidate()  // 76
  let session = CLServiceSession(authorization: .whenInUse)  // 77
  _ = CLServiceSession(authorization: .always, fullAccuracyPurposeKey: "ride")  // 78
  for try await diagnostic in session.diagnostics  // 79
  where !diagnostic.authorizationRequestInProgress { break }  // 80
  session.invalidate()  // 81
  let monitor = await CLMonitor("places")  // 82
  let circle = CLMonitor.CircularGeographicCondition(  // 83
    center: CLLocationCoordinate2D(latitude: 48, longitude: 11), radius: 100)
  await monitor.add(circle, identifier: "home")  // 84
  await monitor.add(circle, identifier: "work", assuming: .unsatisfied)  // 85
  for identifier in await monitor.identifiers {  // 86
    guard let record = await monitor.record(for: identifier) else { continue }  // 87
    _ = record.condition as? CLMonitor.CircularGeographicCondition  // 88
    _ = record.lastEvent.date  // 89
  }
  for try await event in await monitor.events {  // 90
    switch event.state {  // 91
    case .satisfied: print(event.identifier)
    case .unsatisfied, .unknown, .unmonitored: break
    @unknown default: break
    }
  }
  await monitor.remove("home")  // 92
  let manager = CLLocationManager()
  try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "ride")  // 93
  _ = first
}

/// A double of a position, and one of a manager, as tests write them.
private final class FixedLocation: CLLocation, @unchecked Sendable {
  override var coordinate: CLLocationCoordinate2D {  // 94
    CLLocationCoordinate2D(latitude: 1, longitude: 2)
  }
}

private final class QuietLocator: CLLocationManager, @unchecked Sendable {
  var starts = 0
  override func startUpdatingLocation() { starts += 1 }  // 95
}

private final class ReadyLocator: CLLocationManager, @unchecked Sendable {
  override init() { super.init() }
  func drive(_ location: CLLocation, _ visit: CLVisit) {
    delegate?.locationManager?(self, didUpdateLocations: [location])
    delegate?.locationManagerDidChangeAuthorization?(self)
  }
}

private final class LongVisit: CLVisit, @unchecked Sendable {
  override var arrivalDate: Date { .distantPast }
}

private final class EastHeading: CLHeading, @unchecked Sendable {
  override var trueHeading: CLLocationDirection { 90 }
}

@Suite("Typical uses of Core Location, with import CoreLocation alone")
struct CoreLocationUsesTests {
  private let date = Date(timeIntervalSinceReferenceDate: 700_000_000)

  @Test("Positions")
  func positions() {
    let munich = CLLocation(latitude: 48.1375, longitude: 11.5755)  // 96
    #expect(munich.coordinate.latitude == 48.1375)  // 97
    #expect(munich.distance(from: munich) == 0)  // 98
    let full = CLLocation(  // 99
      coordinate: munich.coordinate, altitude: 519, horizontalAccuracy: 5, verticalAccuracy: 8,
      course: 90, courseAccuracy: 3, speed: 2, speedAccuracy: 0.5, timestamp: date)
    #expect(full.altitude == 519 && full.ellipsoidalAltitude == 519)  // 100
    #expect(full.horizontalAccuracy == 5 && full.verticalAccuracy == 8)  // 101
    #expect(full.course == 90 && full.courseAccuracy == 3)  // 102
    #expect(full.speed == 2 && full.speedAccuracy == 0.5)  // 103
    #expect(full.timestamp == date)  // 104
    #expect(full.floor?.level == nil)  // 105
    let source = CLLocationSourceInformation(  // 106
      softwareSimulationState: true, andExternalAccessoryState: false)
    let simulated = CLLocation(
      coordinate: munich.coordinate, altitude: 519, horizontalAccuracy: 5, verticalAccuracy: 8,
      course: 90, courseAccuracy: 3, speed: 2, speedAccuracy: 0.5, timestamp: date,
      sourceInfo: source)
    #expect(simulated.sourceInformation?.isSimulatedBySoftware == true)  // 107
    #expect(full.copy() as? CLLocation === full)  // 108
    #expect(FixedLocation().coordinate.longitude == 2)
  }

  @Test("A position goes into an archive and comes out of it")
  func archive() throws {
    let location = CLLocation(
      coordinate: CLLocationCoordinate2DMake(-33.9, 151.2), altitude: 58, horizontalAccuracy: 4,
      verticalAccuracy: 6, course: 271.5, courseAccuracy: 2, speed: 1.25, speedAccuracy: 0.25,
      timestamp: date,
      sourceInfo: .init(softwareSimulationState: false, andExternalAccessoryState: true))
    let data = try NSKeyedArchiver.archivedData(  // 109
      withRootObject: location, requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: data)  // 110
    let again = try #require(read)
    #expect(again.coordinate.latitude == -33.9 && again.coordinate.longitude == 151.2)
    #expect(again.altitude == 58 && again.ellipsoidalAltitude == 58)
    #expect(again.horizontalAccuracy == 4 && again.verticalAccuracy == 6)
    #expect(again.course == 271.5 && again.courseAccuracy == 2)
    #expect(again.speed == 1.25 && again.speedAccuracy == 0.25)
    #expect(again.timestamp == date)
    #expect(again.sourceInformation?.isProducedByAccessory == true)
    #expect(again.sourceInformation?.isSimulatedBySoftware == false)
  }

  @Test("Coordinates and constants")
  func constants() {
    let here = CLLocationCoordinate2DMake(48, 11)  // 111
    #expect(CLLocationCoordinate2DIsValid(here))  // 112
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))  // 113
    let accuracies: [CLLocationAccuracy] = [
      kCLLocationAccuracyBestForNavigation, kCLLocationAccuracyNearestTenMeters,  // 114
      kCLLocationAccuracyHundredMeters, kCLLocationAccuracyKilometer,  // 115
      kCLLocationAccuracyThreeKilometers, kCLLocationAccuracyReduced,  // 116
    ]
    #expect(accuracies.prefix(5) == [-2, 10, 100, 1_000, 3_000])
    #expect(CLLocationDistanceMax > 1e300 && CLTimeIntervalMax > 1e300)  // 117
  }

  @Test("Errors")
  func errors() {
    let error: any Error = CLError(.denied)  // 118
    #expect((error as? CLError)?.code == .denied)  // 119
    #expect((error as NSError).code == CLError.denied.rawValue)  // 120
    #expect((error as NSError).domain == kCLErrorDomain)  // 121
    if let error = error as? CLError {
      switch error.code {  // 122
      case .denied: break
      case .locationUnknown, .network: Issue.record("the wrong code matched")
      default: Issue.record("no code matched")
      }
    }
    do { throw error } catch CLError.denied {} catch { Issue.record(error) }  // 123
    let described = CLError(.network, userInfo: [NSLocalizedDescriptionKey: "cut"])  // 124
    #expect(described.localizedDescription == "cut")
    #expect(described.errorUserInfo.count == 1 && described.alternateRegion == nil)  // 125
  }

  @Test("Regions")
  func regions() {
    let center = CLLocationCoordinate2D(latitude: 48, longitude: 11)
    let region = CLCircularRegion(center: center, radius: 111, identifier: "a")
    // 0.001° of latitude at 48° are 111.2 m.
    #expect(region.contains(CLLocationCoordinate2D(latitude: 48.0009, longitude: 11)))  // 126
    #expect(!region.contains(CLLocationCoordinate2D(latitude: 48.0010, longitude: 11)))
    #expect(region.notifyOnEntry && region.notifyOnExit)  // 127
    let regions: Set<CLRegion> = [
      region, CLCircularRegion(center: center, radius: 5, identifier: "a"),  // 128
    ]
    #expect(regions.count == 1)
    #expect((regions.first as? CLCircularRegion)?.identifier == "a")  // 129
  }

  @Test("A switch as Xcode writes it has no warning")
  func status() {
    func words(_ status: CLAuthorizationStatus) -> String {
      switch status {  // 130
      case .notDetermined: "asks"
      case .restricted, .denied: "no"
      case .authorizedAlways, .authorizedWhenInUse: "yes"
      @unknown default: "?"
      }
    }
    #expect(words(.authorized) == "yes")
  }

  @Test("Subclasses and doubles, and a beacon among other regions")
  func doubles() {
    let drive: (ReadyLocator) -> (CLLocation, CLVisit) -> Void = ReadyLocator.drive  // 131
    #expect(LongVisit().arrivalDate == .distantPast)  // 132
    #expect(EastHeading().trueHeading == 90)  // 133
    let till = CLBeaconRegion(uuid: UUID(), identifier: "till")  // 134
    let constraint = CLBeaconIdentityConstraint(uuid: UUID(), major: 1, minor: 2)  // 135
    let shelf = CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: "shelf")  // 136
    let regions: [CLRegion] = [till, shelf]  // 137
    #expect(regions.count == 2 && shelf.minor == 2)
    _ = drive
  }
}
