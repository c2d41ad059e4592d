// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel

/// One element of `CLLocationUpdate.liveUpdates()`.
///
///     for try await update in CLLocationUpdate.liveUpdates(.fitness) {
///       guard let location = update.location else { continue }
///       print(location.coordinate, update.stationary ? "at rest" : "")
///     }
public struct CLLocationUpdate: Sendable {
  /// The tracked activity: each case stands for the accuracy and the pauses that suit it.
  public enum LiveConfiguration: Int, Sendable {
    case `default` = 0
    case automotiveNavigation = 1
    case otherNavigation = 2
    case fitness = 3
    case airborne = 4

    var request: StandardRequest {
      var request = StandardRequest()
      request.desiredAccuracy =
        switch self {
        case .default, .fitness: kCLLocationAccuracyBest
        case .automotiveNavigation, .otherNavigation, .airborne:
          kCLLocationAccuracyBestForNavigation
        }
      request.pausesAutomatically = true
      request.allowsBackgroundUpdates = false
      return request
    }
  }

  /// `nil` if this element reports something else. With `stationary` it is the last location again.
  public let location: CLLocation?
  /// Whether the device has rested for 10 minutes: updates pause until it moves.
  ///
  /// False if a manager of this process wants updates that do not pause.
  public let stationary: Bool
  /// Whether the user allows this app no location.
  public let authorizationDenied: Bool
  /// Whether something other than the user forbids it.
  public let authorizationRestricted: Bool
  /// Whether the user has not decided yet.
  public let authorizationRequestInProgress: Bool
  /// Whether there is no position now; the service keeps trying.
  public let locationUnavailable: Bool

  /// The name before iOS 18.
  public var isStationary: Bool { stationary }
  /// Always false: there is no switch for all apps.
  public var authorizationDeniedGlobally: Bool { false }
  /// Whether the user allows this app only positions to 5 km.
  public let accuracyLimited: Bool
  /// Always false: the daemon decides whether the app is in the foreground.
  public var insufficientlyInUse: Bool { false }
  /// Always false: no session is needed.
  public var serviceSessionRequired: Bool { false }

  /// Standard updates as a sequence, for as long as it is iterated.
  ///
  /// Updates pause while the device rests and resume when it moves. In the background they continue only
  /// with a `CLBackgroundActivitySession`, or if a manager allows it, and with the declared mode `location`.
  ///
  /// A position is acknowledged when the next one is requested, or when the iteration ends. At most 256 positions wait;
  /// then no more are read from the daemon until some are taken.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    let session = LocationSession.current
    return Updates {
      let stream = UpdateStream(session.living, configuration.request)
      return { await stream.next() }
    }
  }

  /// A sequence of updates; it ends only with a replay. Each iterator is a separate request.
  public typealias Updates = CLEvents<CLLocationUpdate>
}

extension CLLocationUpdate {
  init?(_ notice: Notice, session: LocationSession) {
    var authorization: Authorization?
    switch notice {
    case .location(let fix, let received, _):
      location = session.location(fix, received: received)
    case .locations(let all, _):
      // A sequence requests no deferral; another manager's ends with the newest.
      guard let last = all.last else { return nil }
      location = session.location(last.fix, received: last.received)
    case .paused: location = session.latest
    case .failure, .authorization: location = nil
    case .motion, .accuracy, .state, .willTerminate, .resumed, .lost, .region, .visit, .heading,
      .deferralEnded, .background:
      return nil
    }
    if case .authorization(let new) = notice { authorization = new }
    // A loop over positions does not report that it is allowed.
    if authorization?.allowsLocation == true { return nil }
    stationary = notice == .paused
    accuracyLimited = session.heardAccuracy == .reduced
    var code: CLError.Code?
    if case .failure(let error) = notice { code = error.code }
    authorizationDenied = authorization == .denied || code == .denied
    authorizationRestricted = authorization == .restricted
    authorizationRequestInProgress = authorization == .notDetermined
    locationUnavailable = code != nil && code != .denied
  }
}
