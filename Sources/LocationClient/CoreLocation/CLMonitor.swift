// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationModel

/// What a monitor watches for.
public protocol CLCondition: Sendable {}

/// Conditions under names, whose changes are told as a sequence, also to a later process of the app.
///
/// The service keeps them under the monitor's name and theirs; a condition counts as one of the 20 regions
/// of the app. Only circles can be watched here.
public actor CLMonitor {
  public let name: String
  /// Ends with the last of this monitor and the loops over its events.
  private var held: MonitorHold
  /// That of the life in which it is used, of which the service keeps the conditions.
  private var hold: MonitorHold {
    let life = held.watch.session.living
    if life !== held.watch.session { held = MonitorHold(MonitorWatch(name, life)) }
    return held
  }
  private var watch: MonitorWatch { hold.watch }

  /// The monitor of this name, with what an earlier process gave it to watch.
  public init(_ name: String) async {
    self.name = name
    held = MonitorHold(MonitorWatch(name, .current))
  }

  /// The names of its conditions, in the order in which they were given.
  public var identifiers: [String] { watch.identifiers }

  /// Begins to watch for a condition; one with the same name is replaced.
  ///
  /// `state` is what the app takes for granted: the first event tells of the first difference from it.
  public func add(
    _ condition: any CLCondition, identifier: String, assuming state: Event.State = .unknown
  ) {
    watch.add(condition, identifier: identifier, assuming: state)
  }

  /// Ends watching for a condition and forgets its record.
  public func remove(_ identifier: String) { watch.remove(identifier) }

  /// A condition and the last that happened to it; `nil` where there is none of this name.
  public func record(for identifier: String) -> Record? { watch.record(for: identifier) }

  /// What happens from now on. Of what happened before anybody asked, the newest 64 come first.
  public var events: Events { Events(hold: hold) }

  /// A circle on the ground.
  public struct CircularGeographicCondition: CLCondition, Equatable {
    public var center: CLLocationCoordinate2D
    /// Metres.
    public var radius: CLLocationDistance

    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
      self.center = center
      self.radius = radius
    }

    public static func == (a: Self, b: Self) -> Bool {
      a.center.latitude == b.center.latitude && a.center.longitude == b.center.longitude
        && a.radius == b.radius
    }
  }

  /// A condition's state, and since when.
  public struct Event: Sendable {
    @nonexhaustive(warn)
    public enum State: UInt, Sendable {
      case unknown = 0
      /// The device is in the circle.
      case satisfied = 1
      case unsatisfied = 2
      /// It is not watched for; the other properties say why.
      case unmonitored = 3
    }

    public let identifier: String
    public let state: State
    public let date: Date
    /// The user allows this app no location.
    public let authorizationDenied: Bool
    /// The app has as many regions as it may have, or the circle is none that can be watched.
    public let conditionLimitExceeded: Bool
    /// It is no circle, or this service watches for none.
    public let conditionUnsupported: Bool
    /// Always `nil`: a circle has no more exact form.
    public var refinement: (any CLCondition)? { nil }
    /// The user lets this app know where the device is to 5 km only, and the state is told from that.
    public let accuracyLimited: Bool
    /// Always false: there is no switch for all apps.
    public var authorizationDeniedGlobally: Bool { false }
    /// Always false: what is denied is denied.
    public var authorizationRestricted: Bool { false }
    /// Always false: `CLServiceSession` and `CLLocationManager` ask.
    public var authorizationRequestInProgress: Bool { false }
    /// Always false: being in the foreground is for the daemon to judge.
    public var insufficientlyInUse: Bool { false }
    /// Always false: the service keeps them.
    public var persistenceUnavailable: Bool { false }
    /// Always false: no session is needed.
    public var serviceSessionRequired: Bool { false }

    init(
      _ identifier: String, _ state: State, _ date: Date, accuracy: LocationAccuracy,
      failure: CLError? = nil, isUnsupported: Bool = false
    ) {
      self.identifier = identifier
      self.state = state
      self.date = date
      authorizationDenied = failure?.code == .regionMonitoringDenied
      conditionLimitExceeded = failure?.code == .regionMonitoringFailure && !isUnsupported
      conditionUnsupported = isUnsupported
      accuracyLimited = accuracy == .reduced
    }
  }

  /// A condition and the last that happened to it.
  public struct Record: Sendable {
    public let condition: any CLCondition
    public let lastEvent: Event
  }

  /// What happens to the conditions of a monitor; ends with the process.
  public struct Events: AsyncSequence, Sendable {
    public typealias Element = Event

    let hold: MonitorHold

    public func makeAsyncIterator() -> Iterator {
      Iterator(hold: hold, reader: LineReader(hold.watch.lines))
    }

    public struct Iterator: AsyncIteratorProtocol {
      let hold: MonitorHold
      let reader: LineReader<Event>

      public mutating func next() async throws -> Event? { await reader.line.next() }
    }
  }
}

@available(*, unavailable, message: "an iterator is for one task")
extension CLMonitor.Events.Iterator: Sendable {}
