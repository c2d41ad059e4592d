// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
package import Geodesy
package import LocationModel

// Theory
// ======
//
// Regions belong to the app, not to one manager: the service keeps them while the app is not running, and
// every manager hears of every one. Those of a `CLMonitor` have names that begin with the monitor's, and only it
// hears of them.
//
//   asked for ─► refused (denied, too small or large, a 21st)            ─► failed, to who asked
//             └► noted ─► said now, or at the next welcome               ─► began
//   crossed   ─► held until somebody listens ─► state noted ─► handed, with a ticket
//   state     ─► noted ─► told, without one: who asked may ask again
//   stopped   ─► forgotten; said now, or at the next welcome; what comes still is acknowledged
//
// A crossing and a visit are deliveries with a number, as positions are: `Correspondence` acknowledges them. A
// manager listens once it has a delegate, so that what launched a process reaches the delegate that its launch
// makes. A welcome begins a new connection, to which all is said again: a region said twice changes nothing.
//
// This is where regions and visits meet the protocol: `RegionCommand.message` says what a command is on the
// wire, and `Correspondence.isServingRegions` whether there is a service for it. Without one each wish is
// refused with a reason.

/// A circle that is monitored under a name.
package struct RegionCircle: Sendable, Equatable {
  package var identifier: String
  package var center: Coordinate
  /// Metres, above 0.
  package var radius: Double
  package var tellsEntry = true
  package var tellsExit = true
}

/// What is told of a region.
package enum RegionNews: Sendable, Equatable {
  case began
  /// Where the device is relative to it now; `isCrossing`: it has just come or gone.
  case determined(CLRegionState, isCrossing: Bool, at: UTCInstant?)
  case failed(CLError)
}

/// An edge that was crossed.
package struct RegionEvent: Sendable, Equatable {
  package var identifier: String
  /// Whether the device came in.
  package var isEntry: Bool
  /// Of the position that showed it; `nil` where that is not known.
  package var time: UTCInstant?
}

/// Which events of regions and visits a consumer is told.
enum PlaceEar: Sendable, Equatable {
  /// None: a sequence of updates, or a manager without a delegate.
  case deaf
  /// The visits and all regions but those of monitors.
  case app
  /// The regions whose names begin so.
  case monitor(String)

  func hears(_ identifier: String) -> Bool {
    switch self {
    case .deaf: false
    case .app: !identifier.hasPrefix(MonitorWatch.mark)
    case .monitor(let prefix): identifier.hasPrefix(prefix)
    }
  }
}

/// A stay at a place: its end is `nil` while it lasts, its begin where that is not known.
package struct Stay: Sendable, Equatable {
  package var arrival: UTCInstant?
  package var departure: UTCInstant?
  package var coordinate: Coordinate
  /// Metres, 68 %; `nil` is unknown.
  package var accuracy: Double?
}

/// What the service is asked for.
enum RegionCommand: Sendable, Equatable {
  case monitor(RegionCircle)
  case stop(String)
  case requestState(String)
  case visits(Bool)

  /// The message that says it; `nil` while the protocol has none.
  var message: ClientMessage? { nil }
}

/// The regions of this app, as far as this process knows.
struct Regions: Sendable, Equatable {
  /// Core Location's documented limit for one app.
  static let limit = 20
  /// Metres; Core Location leaves the longest to the device.
  static let radii = 1.0...100_000.0
  /// Bytes of the longest name.
  static let longestName = 256

  enum Input: Sendable, Equatable {
    /// By the consumer of this number.
    case monitor(RegionCircle, by: Int)
    case stop(String)
    case requestState(RegionCircle, by: Int)
    /// What the service keeps for the app from earlier processes.
    case kept([RegionCircle])
    /// An answer to a question.
    case determined(String, CLRegionState, at: UTCInstant?)
    /// By the number under which it is acknowledged.
    case crossed(RegionEvent, number: UInt64, received: UTCInstant)
    case stayed(Stay, number: UInt64, received: UTCInstant)
    case refused(String, reason: String)
  }

  struct Entry: Sendable, Equatable {
    var circle: RegionCircle
    var state = CLRegionState.unknown
    /// When that was determined.
    var since: UTCInstant?
    var hasBegun = false
  }

  /// In the order in which they were asked for.
  private(set) var entries: [Entry] = []
  /// What this process has stopped; said again at each welcome, as all is.
  private var stopped: Set<String> = []
  private var awaited: Set<String> = []

  subscript(identifier: String) -> Entry? { entries.first { $0.circle.identifier == identifier } }

  fileprivate func refusal(of circle: RegionCircle) -> CLError? {
    guard Self.radii.contains(circle.radius) else {
      return CLError(
        .regionMonitoringFailure,
        "the radius of '\(circle.identifier)' is \(circle.radius) m; it must be within "
          + "\(Self.radii.lowerBound) and \(Self.radii.upperBound) m")
    }
    let bytes = circle.identifier.utf8.count
    guard 1...Self.longestName ~= bytes else {
      return CLError(
        .regionMonitoringFailure,
        "the identifier '\(circle.identifier)' has \(bytes) bytes; it must have 1 to "
          + "\(Self.longestName)")
    }
    guard entries.count < Self.limit || self[circle.identifier] != nil else {
      return CLError(
        .regionMonitoringFailure,
        "'\(circle.identifier)' would be region \(Self.limit + 1) of this app, and \(Self.limit) are "
          + "allowed; stop one first")
    }
    return nil
  }

  fileprivate mutating func monitor(_ circle: RegionCircle) {
    stopped.remove(circle.identifier)
    entries.removeAll { $0.circle.identifier == circle.identifier }
    entries.append(Entry(circle: circle))
  }

  fileprivate mutating func stop(_ identifier: String) {
    entries.removeAll { $0.circle.identifier == identifier }
    awaited.remove(identifier)
    stopped.insert(identifier)
  }

  fileprivate mutating func awaitState(_ identifier: String) { awaited.insert(identifier) }

  fileprivate mutating func keep(_ circles: [RegionCircle]) {
    for circle in circles
    where self[circle.identifier] == nil && !stopped.contains(circle.identifier) {
      entries.append(Entry(circle: circle, hasBegun: true))
    }
  }

  /// Notes a state; answers the region where it is monitored.
  fileprivate mutating func determine(
    _ identifier: String, _ state: CLRegionState, at time: UTCInstant?
  ) -> RegionCircle? {
    awaited.remove(identifier)
    guard let index = entries.firstIndex(where: { $0.circle.identifier == identifier }) else {
      return nil
    }
    entries[index].state = state
    entries[index].since = time
    return entries[index].circle
  }

  /// All that a new connection is to hear.
  fileprivate var wishes: [RegionCommand] {
    stopped.sorted().map { .stop($0) } + entries.map { .monitor($0.circle) }
      + awaited.sorted().map { .requestState($0) }
  }

  /// Those of which it was not yet told that their monitoring began.
  fileprivate mutating func begin() -> [RegionCircle] {
    var begun: [RegionCircle] = []
    for index in entries.indices where !entries[index].hasBegun {
      entries[index].hasBegun = true
      begun.append(entries[index].circle)
    }
    return begun
  }
}

extension Correspondence {
  /// Whether the service monitors regions and visits.
  static let isServingRegions = false

  mutating func handle(_ input: Regions.Input, into actions: inout [Action]) {
    switch input {
    case .monitor(let circle, let id): monitor(circle, by: id, into: &actions)
    case .stop(let identifier):
      regions.stop(identifier)
      if isGreeted { actions.append(.region(.stop(identifier))) }
    case .requestState(let circle, let id):
      guard regions[circle.identifier] != nil else {
        let error = CLError(
          .regionMonitoringFailure,
          "'\(circle.identifier)' is not monitored; start that before its state is asked for")
        return actions.append(.hand(.region(circle, .failed(error), ticket: nil), to: id))
      }
      regions.awaitState(circle.identifier)
      if isGreeted { actions.append(.region(.requestState(circle.identifier))) }
    case .kept(let circles): regions.keep(circles)
    case .determined(let identifier, let state, let time):
      guard let circle = regions.determine(identifier, state, at: time) else { return }
      let news = RegionNews.determined(state, isCrossing: false, at: time)
      tell(circle, news, into: &actions)
    case .crossed(let event, let number, let received):
      arrived(Arrival(number: number, news: .region(event), received: received), into: &actions)
    case .stayed(let stay, let number, let received):
      arrived(Arrival(number: number, news: .visit(stay), received: received), into: &actions)
    case .refused(let identifier, let reason):
      guard let entry = regions[identifier] else { return }
      regions.stop(identifier)
      let error = CLError(.regionMonitoringFailure, reason)
      tell(entry.circle, .failed(error), into: &actions)
    }
  }

  @discardableResult
  private func tell(
    _ circle: RegionCircle, _ news: RegionNews, ticket: UInt64? = nil, into actions: inout [Action]
  ) -> Int {
    tellAll(
      .region(circle, news, ticket: ticket), where: { $0.places.hears(circle.identifier) },
      into: &actions)
  }

  /// Answers how many got it: nobody, where the region has been stopped.
  mutating func hand(_ event: RegionEvent, ticket: UInt64, into actions: inout [Action]) -> Int {
    let state = event.isEntry ? CLRegionState.inside : .outside
    guard let circle = regions.determine(event.identifier, state, at: event.time) else { return 0 }
    let news = RegionNews.determined(state, isCrossing: true, at: event.time)
    return tell(circle, news, ticket: ticket, into: &actions)
  }

  private mutating func monitor(
    _ circle: RegionCircle, by id: Int, into actions: inout [Action]
  ) {
    var refusal = regions.refusal(of: circle)
    if !servesRegions {
      refusal = CLError(
        .regionMonitoringFailure,
        "'\(circle.identifier)' is not monitored: this release of Milepost has no regions yet")
    } else if authorization == .denied || authorization == .restricted {
      refusal = CLError(
        .regionMonitoringDenied,
        "the user allows this app no location; milepost apps authorize changes that")
    }
    if let refusal {
      return actions.append(.hand(.region(circle, .failed(refusal), ticket: nil), to: id))
    }
    regions.monitor(circle)
    guard isGreeted else { return }
    actions.append(.region(.monitor(circle)))
    beginRegions(into: &actions)
  }

  /// After a welcome.
  mutating func sayRegions(into actions: inout [Action]) {
    actions += regions.wishes.map { .region($0) }
    beginRegions(into: &actions)
  }

  private mutating func beginRegions(into actions: inout [Action]) {
    for circle in regions.begin() {
      tell(circle, .began, into: &actions)
    }
  }

  /// Where visits are asked for and there is no service for them, who asked hears why.
  func refuseVisits(to id: Int, into actions: inout [Action]) {
    actions.append(
      .hand(
        .failure(CLError(.network, "this release of Milepost tells of no visits yet")), to: id))
  }
}
