// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel

/// One element of `CLLocationUpdate.liveUpdates()`.
public struct CLLocationUpdate: Sendable {
  /// What is tracked: each stands for the accuracy and the pauses that such tracking asks for.
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

  /// `nil` where this element tells of something else. With `stationary` it is the last one again.
  public let location: CLLocation?
  /// The device has rested for 10 minutes: updates pause until it moves.
  ///
  /// Not where a manager of this process wants updates that do not pause.
  public let stationary: Bool
  /// The user allows this app no location.
  public let authorizationDenied: Bool
  /// Something other than the user forbids it.
  public let authorizationRestricted: Bool
  /// The user has not decided yet.
  public let authorizationRequestInProgress: Bool
  /// There is no position now; the service goes on trying.
  public let locationUnavailable: Bool

  /// The name before iOS 18.
  public var isStationary: Bool { stationary }
  /// Always false: there is no switch for all apps.
  public var authorizationDeniedGlobally: Bool { false }
  /// The user lets this app know where the device is to 5 km only.
  public let accuracyLimited: Bool
  /// Always false: being in the foreground is for the daemon to judge.
  public var insufficientlyInUse: Bool { false }
  /// Always false: there are no service sessions here.
  public var serviceSessionRequired: Bool { false }

  /// Standard updates as a sequence: for as long as somebody iterates.
  ///
  /// While the device rests they pause, and go on when it moves. In the background they go on only while a
  /// `CLBackgroundActivitySession` is there, or a manager allows it, and the mode `location` is declared.
  ///
  /// A position is acknowledged when the next one is asked for, or when the iteration ends. At most 256
  /// positions wait; then no more are read from the daemon until some are taken.
  public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
    Updates(session: .current, configuration: configuration)
  }

  /// A sequence of updates, endless but for the end of a replay.
  public struct Updates: AsyncSequence, Sendable {
    public typealias Element = CLLocationUpdate

    let session: LocationSession
    let configuration: LiveConfiguration

    /// Each iterator is a wish of its own.
    public func makeAsyncIterator() -> Iterator {
      Iterator(stream: UpdateStream(session.living, configuration.request))
    }

    public struct Iterator: AsyncIteratorProtocol {
      let stream: UpdateStream

      public mutating func next() async throws -> CLLocationUpdate? { await stream.next() }
    }
  }
}

@available(*, unavailable, message: "an iterator is for one task")
extension CLLocationUpdate.Updates.Iterator: Sendable {}

extension CLLocationUpdate {
  init?(_ notice: Notice, session: LocationSession) {
    var authorization: Authorization?
    switch notice {
    case .location(let fix, let received, _):
      location = session.location(fix, received: received)
    case .paused: location = session.latest
    case .failure, .authorization: location = nil
    case .motion, .accuracy, .state, .willTerminate, .resumed, .lost, .region, .visit, .heading,
      .deferralEnded, .background:
      return nil
    }
    if case .authorization(let new) = notice { authorization = new }
    // That it is allowed is no news to a loop over positions.
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
