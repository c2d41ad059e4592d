// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import LocationClient

// Numbers from Apple's headers as published (CLLocation.h, CLError.h, CLLocationManager.h,
// CLAuthorizationStatus of the same).
@Suite("Core Location's numbers and conventions")
struct CoreLocationValuesTests {
  @Test("Constants of accuracy and filter")
  func constants() {
    #expect(kCLLocationAccuracyBestForNavigation == -2)
    #expect(kCLLocationAccuracyBest == -1)
    #expect(kCLLocationAccuracyNearestTenMeters == 10)
    #expect(kCLLocationAccuracyHundredMeters == 100)
    #expect(kCLLocationAccuracyKilometer == 1_000)
    #expect(kCLLocationAccuracyThreeKilometers == 3_000)
    #expect(kCLDistanceFilterNone == -1)
    #expect(kCLHeadingFilterNone == -1)
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(-90, 180)))
    #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(.nan, 0)))
  }

  @Test("Codes of errors, and the ways to ask for one")
  func errors() {
    #expect(CLError.Code.locationUnknown.rawValue == 0)
    #expect(CLError.Code.denied.rawValue == 1)
    #expect(CLError.Code.network.rawValue == 2)
    #expect(CLError.Code.headingFailure.rawValue == 3)
    #expect(CLError.Code.geocodeCanceled.rawValue == 10)
    #expect(CLError.Code.rangingFailure.rawValue == 17)
    #expect(CLError.Code.promptDeclined.rawValue == 18)
    #expect(CLError.Code.historicalLocationError.rawValue == 19)
    #expect(CLError.Code.allCases.map(\.rawValue) == Array(0...19))
    #expect(CLError.regionMonitoringFailure == .regionMonitoringFailure)
    #expect(CLError(.denied, "no") != CLError(.denied, "never"))
    #expect(CLError(.denied, userInfo: ["a": 1]).userInfo["a"] as? Int == 1)
    let error: any Error = CLError(.denied, "no")
    #expect((error as NSError).domain == "kCLErrorDomain")
    #expect((error as NSError).code == 1)
    #expect(error.localizedDescription == "no")
    switch error {
    case CLError.locationUnknown: Issue.record("the wrong code matched")
    case CLError.denied: break
    default: Issue.record("no code matched")
    }
  }

  @Test(
    "Numbers of authorization",
    arguments: [
      (Authorization.notDetermined, 0), (.restricted, 1), (.denied, 2), (.always, 3),
      (.whenInUse, 4),
    ] as [(Authorization, Int32)])
  func authorization(model: Authorization, number: Int32) {
    #expect(CLAuthorizationStatus(model).rawValue == number)
  }

  @Test("Numbers of the other enumerations")
  func enumerations() {
    #expect(CLRegionState.outside.rawValue == 2)
    #expect(CLProximity.far.rawValue == 3)
    #expect(CLDeviceOrientation.faceDown.rawValue == 6)
    #expect(CLActivityType.airborne.rawValue == 5)
    #expect(CLAccuracyAuthorization.reducedAccuracy.rawValue == 1)
    #expect(CLMonitor.Event.State.unmonitored.rawValue == 3)
    #expect(CLLocationUpdate.LiveConfiguration.airborne.rawValue == 4)
    #expect(CLServiceSession.AuthorizationRequirement.always.rawValue == 2)
  }

  private func archived<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
  }

  @Test("Regions, visits and headings go into archives and come out of them")
  func archives() throws {
    let region = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: -12.5, longitude: 130.25), radius: 150,
      identifier: "Darwin")
    region.notifyOnEntry = false
    let again = try archived(region)
    #expect(again == region)
    #expect(again.center.latitude == -12.5 && again.center.longitude == 130.25)
    #expect(again.radius == 150 && !again.notifyOnEntry && again.notifyOnExit)
    let copy = try #require(region.copy() as? CLCircularRegion)
    copy.notifyOnExit = false
    #expect(region.notifyOnExit && copy == region && copy.radius == 150)
    let date = Date(timeIntervalSinceReferenceDate: 1_000)
    let visit = try archived(
      CLVisit(
        arrivalDate: date, departureDate: nil,
        coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), horizontalAccuracy: 20))
    #expect(visit.arrivalDate == date && visit.departureDate == .distantFuture)
    #expect(visit.coordinate.longitude == 2 && visit.horizontalAccuracy == 20)
    let heading = try archived(
      CLHeading(magneticHeading: 90, trueHeading: 93, headingAccuracy: 5, timestamp: date))
    #expect(heading.magneticHeading == 90 && heading.trueHeading == 93)
    #expect(heading.headingAccuracy == 5 && heading.timestamp == date)
    #expect(try archived(CLFloor(level: -2)).level == -2)
  }

  @Test("Each of the service's launch reasons and states is one of this library's, by its word")
  func words() {
    for reason in WakeReason.allCases {
      #expect(CLLaunchReason(reason).rawValue == reason.rawValue)
    }
    for state in AppState.allCases { #expect(CLAppState(state).rawValue == state.rawValue) }
  }

  @Test("Unknown is negative")
  func unknown() {
    let place = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    let location = CLLocation(Fix(time: nil, coordinate: place), timestamp: Date())
    #expect(location.horizontalAccuracy < 0)
    #expect(location.verticalAccuracy < 0)
    #expect(location.speed < 0)
    #expect(location.course < 0)
    #expect(location.speedAccuracy == -1 && location.courseAccuracy == -1)
    let known = CLLocation(
      Fix(
        time: nil, coordinate: place, horizontalAccuracy: 5, altitude: 519, ellipsoidalHeight: 565,
        verticalAccuracy: 8, speed: 1.5, course: 270, speedAccuracy: 0.82, courseAccuracy: 21.5),
      timestamp: Date())
    #expect(known.altitude == 519)
    #expect(known.ellipsoidalAltitude == 565)
    #expect(known.verticalAccuracy == 8)
    #expect(known.speed == 1.5)
    #expect(known.course == 270)
    #expect(known.speedAccuracy == 0.82 && known.courseAccuracy == 21.5)
  }

  @Test("The distance is that of the ellipsoid")
  func distance() {
    // Vincenty's Flinders Peak to Buninyong (Geoscience Australia, GDA94 technical manual, on GRS80:
    // 54,972.271 m; WGS-84 differs from it by less than 0.1 mm here).
    let flindersPeak = CLLocation(
      latitude: -(37 + 57.0 / 60 + 3.72030 / 3_600), longitude: 144 + 25.0 / 60 + 29.52440 / 3_600)
    let buninyong = CLLocation(
      latitude: -(37 + 39.0 / 60 + 10.15610 / 3_600), longitude: 143 + 55.0 / 60 + 35.38390 / 3_600)
    #expect(abs(flindersPeak.distance(from: buninyong) - 54_972.271) < 0.001)
    let nowhere = CLLocation(latitude: 91, longitude: 0)
    #expect(nowhere.distance(from: buninyong).isNaN)
  }
}
