// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel

extension CLLocationManager {
  func isUnheard(_ told: Told) { mailbox.with { $0.silence.addDefault(told) } }

  /// Notes a location for the delegate; returns the previous one.
  func exchangePrevious(for location: CLLocation) -> CLLocation? {
    mailbox.with { here in
      defer { here.location = location }
      return here.location
    }
  }

  private func check(
    _ delegate: any CLLocationManagerDelegate, _ told: Told, times: Int = 1
  ) {
    guard mailbox.with({ $0.silence.isNews(told, times: times) }) else { return }
    session.complain(DelegateSilence.words(delegate, told))
  }

  /// Calls the delegate for one notice, or for consecutive positions.
  func tellDelegate(_ notices: [Notice]) {
    guard let delegate, let first = notices.first else { return }
    switch first {
    case .location, .locations:
      let locations = notices.flatMap(\.positions).map {
        session.location($0.fix, received: $0.received)
      }
      delegate.locationManager(self, didUpdateLocations: locations)
      check(delegate, .locations, times: locations.count)
    case .motion: delegate.locationManagerDidDetectMotion(self)
    case .deferralEnded(let error):
      delegate.locationManager(self, didFinishDeferredUpdatesWithError: error)
    case .heading(let heading):
      let told = CLHeading(heading, Date(heading.time ?? .epoch))
      mailbox.with { $0.heading = told }
      delegate.locationManager(self, didUpdateHeading: told)
      check(delegate, .headings)
    case .authorization(let new):
      let before = mailbox.with { here in
        defer { here.authorization = new }
        return here.authorization
      }
      guard new != before else { return }
      delegate.locationManagerDidChangeAuthorization(self)
      delegate.locationManager(self, didChangeAuthorization: CLAuthorizationStatus(new))
    case .accuracy: delegate.locationManagerDidChangeAuthorization(self)
    case .failure(let error): delegate.locationManager(self, didFailWithError: error)
    case .state(let state):
      delegate.locationManager(self, didChangeAppState: CLAppState(state))
    case .willTerminate(let seconds):
      delegate.locationManager(self, willTerminateIn: seconds)
    case .paused: delegate.locationManagerDidPauseLocationUpdates(self)
    case .resumed: delegate.locationManagerDidResumeLocationUpdates(self)
    case .lost(let count):
      delegate.locationManager(self, didLoseDeliveries: Int(clamping: count))
    case .region(let circle, let news, _): tellRegionNews(news, of: circle, to: delegate)
    case .visit(let stay, _):
      delegate.locationManager(self, didVisit: visit(stay))
      check(delegate, .visits)
    case .background: break
    }
  }

  private func tellRegionNews(
    _ news: RegionNews, of circle: MonitoredRegion, to delegate: any CLLocationManagerDelegate
  ) {
    let region = CLCircularRegion(circle)
    switch news {
    case .began: delegate.locationManager(self, didStartMonitoringFor: region)
    case .kept: break
    case .determined(let state, let isCrossing, _):
      let enters = isCrossing && state == .inside && circle.notifiesOnEntry
      let leaves = isCrossing && state == .outside && circle.notifiesOnExit
      if enters { delegate.locationManager(self, didEnterRegion: region) }
      if leaves { delegate.locationManager(self, didExitRegion: region) }
      delegate.locationManager(self, didDetermineState: state, for: region)
      check(delegate, .regions)
    case .failed(let error):
      delegate.locationManager(self, monitoringDidFailFor: region, withError: error)
    }
  }

  private func visit(_ visit: Visit) -> CLVisit {
    CLVisit(
      arrivalDate: visit.arrival.map { Date($0) },
      departureDate: visit.departure.map { Date($0) },
      coordinate: CLLocationCoordinate2D(visit.coordinate),
      horizontalAccuracy: visit.horizontalAccuracy ?? -1)
  }
}

extension Notice {
  /// The positions in it, oldest first.
  var positions: [Located] {
    switch self {
    case .location(let fix, let received, _): [Located(fix: fix, received: received)]
    case .locations(let all, _): all
    case .motion, .heading, .deferralEnded, .authorization, .accuracy, .failure, .state,
      .willTerminate, .paused, .resumed, .lost, .region, .visit, .background:
      []
    }
  }
}

extension MonitoredRegion {
  /// The monitored form of a region; `nil` if it is no circle on the earth.
  init?(_ region: CLRegion) {
    guard let circle = region as? CLCircularRegion, let center = circle.center.point else {
      return nil
    }
    self.init(
      region.identifier, centre: center, radius: circle.radius,
      notifiesOnEntry: region.notifyOnEntry, notifiesOnExit: region.notifyOnExit)
  }
}

extension CLCircularRegion {
  convenience init(_ circle: MonitoredRegion) {
    self.init(
      center: CLLocationCoordinate2D(circle.centre), radius: circle.radius,
      identifier: circle.identifier)
    notifyOnEntry = circle.notifiesOnEntry
    notifyOnExit = circle.notifiesOnExit
  }
}
