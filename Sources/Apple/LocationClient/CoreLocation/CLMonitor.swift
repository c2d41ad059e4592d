// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationModel
import Synchronization

/// A condition that a monitor can watch.
public protocol CLCondition: Sendable {}

/// Named conditions whose changes arrive as a sequence, also in a later process of the app.
///
///     let monitor = await CLMonitor("places")
///     let home = CLLocationCoordinate2D(latitude: 55.6761, longitude: 12.5683)
///     if await monitor.record(for: "home") == nil {
///       await monitor.add(
///         CLMonitor.CircularGeographicCondition(center: home, radius: 200), identifier: "home")
///     }
///     for try await event in await monitor.events {
///       print(event.identifier, event.state == .satisfied ? "reached" : "left")
///     }
///
/// The service keeps them under the names of the monitor and the condition; a condition counts as one of the app's 20
/// regions. Only circles can be watched here.
public actor CLMonitor {
  public let name: String
  /// Ends with the last of this monitor and the loops over its events.
  private var held: MonitorHold
  /// The hold of the life in which the monitor is used; the service keeps that life's conditions.
  private var hold: MonitorHold {
    let life = held.watch.session.living
    if life !== held.watch.session { held = MonitorHold(MonitorWatch(name, life)) }
    return held
  }
  private var watch: MonitorWatch { hold.watch }

  /// The monitor of this name, with the conditions from earlier processes.
  public init(_ name: String) async {
    self.name = name
    held = MonitorHold(MonitorWatch(name, .current))
  }

  /// The names of its conditions, in the order in which they were added.
  public var identifiers: [String] { watch.identifiers }

  /// Begins to watch a condition; it replaces one with the same name.
  ///
  /// `state` is the state that the app assumes: the first event reports the first difference from it.
  public func add(
    _ condition: any CLCondition, identifier: String, assuming state: Event.State = .unknown
  ) {
    watch.add(condition: condition, identifier: identifier, assuming: state)
  }

  /// Stops watching a condition and deletes its record.
  public func remove(_ identifier: String) { watch.remove(identifier) }

  /// A condition and its last event; `nil` if there is none of this name.
  public func record(for identifier: String) -> Record? { watch.record(for: identifier) }

  /// The events from now on, after the newest 64 that came before any loop began.
  public var events: Events {
    Events { [hold] in
      let reader = LineReader(hold.watch.lines)
      let last = Mutex<MonitorWatch.News?>(nil)
      return { [hold] in
        // The monitor is watched for as long as anything reads its events.
        defer { withExtendedLifetime(hold) {} }
        // What was read before is done.
        last.withLock { $0 = nil }
        let news = await reader.line.next()
        last.withLock { $0 = news }
        return news?.event
      }
    }
  }

  /// A circle on the ground.
  public struct CircularGeographicCondition: CLCondition, Equatable {
    public var center: CLLocationCoordinate2D
    /// Metres, 1 to 100,000; a circle of another radius is `unmonitored`, with `conditionLimitExceeded`.
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

  /// A condition's state, and the time since when it holds.
  public struct Event: Sendable {
    @nonexhaustive(warn)
    public enum State: UInt, Sendable {
      case unknown = 0
      /// The device is in the circle.
      case satisfied = 1
      case unsatisfied = 2
      /// The condition is not watched; the other properties say why.
      case unmonitored = 3
    }

    /// The condition's name, as given to `add`.
    public let identifier: String
    /// Whether the device is in the circle, as far as that is known.
    public let state: State
    /// The time from which on the state holds: that of the position that decided it, or of the app's clock if none did.
    public let date: Date
    /// Whether the user allows this app no location.
    public let authorizationDenied: Bool
    /// Whether the app has its maximum number of regions, or the circle cannot be watched.
    public let conditionLimitExceeded: Bool
    /// Whether the condition is no circle, or this service cannot watch one.
    public let conditionUnsupported: Bool
    /// Always `nil`: a circle has no more exact form.
    public var refinement: (any CLCondition)? { nil }
    /// Whether the user allows this app only positions to 5 km, on which the state is then based.
    public let accuracyLimited: Bool
    /// Always false: there is no switch for all apps.
    public var authorizationDeniedGlobally: Bool { false }
    /// Always false: a refusal is always reported as denied.
    public var authorizationRestricted: Bool { false }
    /// Always false: `CLServiceSession` and `CLLocationManager` ask.
    public var authorizationRequestInProgress: Bool { false }
    /// Always false: the daemon decides whether the app is in the foreground.
    public var insufficientlyInUse: Bool { false }
    /// Always false: the service keeps the conditions.
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

  /// A condition and its last event.
  public struct Record: Sendable {
    public let condition: any CLCondition
    public let lastEvent: Event
  }

  /// The events of a monitor's conditions; ends with the process.
  public typealias Events = CLEvents<Event>
}
