// SPDX-License-Identifier: Apache-2.0

package import ControlClient
package import ControlProtocol
package import LocationModel

/// A position, and the time of its receipt.
package struct Located: Sendable, Equatable {
  package let fix: Fix
  package let received: UTCInstant

  package init(fix: Fix, received: UTCInstant) {
    self.fix = fix
    self.received = received
  }
}

/// A notice to one manager or one sequence of updates.
package enum Notice: Sendable, Equatable {
  /// `ticket` is handed back once the app has finished with it; `nil` if that is not awaited.
  case location(Fix, received: UTCInstant, ticket: UInt64?)
  /// Positions that were kept back, at least one, in order.
  case locations([Located], ticket: UInt64)
  case motion(ticket: UInt64)
  case heading(Heading)
  /// A deferral ended or cannot begin; `nil` after a normal end.
  case deferralEnded(CLError?)
  case authorization(Authorization)
  /// The accuracy that the app is allowed has changed.
  case accuracy(LocationAccuracy)
  case failure(CLError)
  case state(AppState)
  case willTerminate(seconds: Double)
  case paused
  case resumed
  case lost(count: UInt64)
  /// `ticket`: as for a location.
  case region(MonitoredRegion, RegionNews, ticket: UInt64?)
  case visit(Visit, ticket: UInt64?)
  /// Only for the object that stands for the app.
  case background(BackgroundNews)

  package var ticket: UInt64? {
    switch self {
    case .location(_, _, let ticket): ticket
    case .locations(_, let ticket): ticket
    case .motion(let ticket): ticket
    case .region(_, _, let ticket): ticket
    case .visit(_, let ticket): ticket
    case .authorization, .accuracy, .failure, .state, .willTerminate, .paused, .resumed, .lost,
      .heading, .deferralEnded, .background:
      nil
    }
  }
}

/// The wishes of one manager or one sequence of updates.
package struct Wishes: Sendable, Equatable {
  package var standard: StandardRequest?
  /// One position, then no more.
  package var once = false
  /// The accuracy of that position, in Core Location's numbers; used with `once` only.
  package var onceAccuracy = -1.0
  package var significant = false
  package var motion = false
  /// After a pause the standard service begins again by itself when the device moves.
  package var resumes = false
  /// Standard updates of this process may continue in the background; requests none itself.
  package var allowsBackground = false
  package var visits = false
  /// `nil` if it wants no headings.
  package var heading: HeadingRequest?

  var wantsLocation: Bool { wantsUpdates || once }
  var wantsUpdates: Bool { standard != nil || significant }

  /// The tightest wish of all: the request to the daemon, which knows one app.
  static func merged(_ all: [Wishes]) -> Wishes {
    var merged = Wishes()
    let allowsBackground = all.contains { $0.allowsBackground }
    for wishes in all {
      if wishes.once {
        merged.onceAccuracy =
          merged.once ? min(merged.onceAccuracy, wishes.onceAccuracy) : wishes.onceAccuracy
        merged.once = true
      }
      merged.significant = merged.significant || wishes.significant
      merged.motion = merged.motion || wishes.motion
      merged.visits = merged.visits || wishes.visits
      if let heading = wishes.heading {
        merged.heading = merged.heading.map { $0.narrowed(by: heading) } ?? heading
      }
      guard var standard = wishes.standard else { continue }
      if allowsBackground { standard.allowsBackgroundUpdates = true }
      merged.standard = merged.standard.map { $0.tightened(by: standard) } ?? standard
    }
    return merged
  }
}

extension HeadingRequest {
  fileprivate func narrowed(by other: HeadingRequest) -> HeadingRequest {
    guard let filter, let another = other.filter else { return HeadingRequest(isOn: true) }
    return HeadingRequest(isOn: true, filter: min(filter, another))
  }
}

extension StandardRequest {
  fileprivate func tightened(by other: StandardRequest) -> StandardRequest {
    var result = self
    result.desiredAccuracy = min(desiredAccuracy, other.desiredAccuracy)
    result.distanceFilter =
      switch (distanceFilter, other.distanceFilter) {
      case (let a?, let b?): min(a, b)
      case (nil, _), (_, nil): nil
      }
    result.pausesAutomatically = pausesAutomatically && other.pausesAutomatically
    result.allowsBackgroundUpdates = allowsBackgroundUpdates || other.allowsBackgroundUpdates
    return result
  }
}

/// The other side of a session: the daemon, or a replayed trace.
package protocol LocationBackend: AnyObject, Sendable {
  /// Begins to pass events to the session, one message at a time, in order.
  func open(for session: LocationSession)
  /// Never blocks for long; a message that cannot be sent now is dropped, since `welcome` makes the
  /// session repeat all of its wishes.
  func send(_ message: ClientMessage)
  /// Has the socket watched for this app while it is suspended, unless it is no longer wanted when its turn comes;
  /// never blocks for long. `then` receives the reason for a failure, or `nil`.
  func handOver(
    _ socket: SocketCopy, while isWanted: @escaping @Sendable () -> Bool,
    then: @escaping @Sendable (String?) -> Void)
  func close()
}

extension LocationBackend {
  /// Watches nothing: a stand-in for the daemon reports arrived data itself.
  package func handOver(
    _ socket: SocketCopy, while isWanted: @escaping @Sendable () -> Bool,
    then: @escaping @Sendable (String?) -> Void
  ) {
    then(nil)
  }
}
