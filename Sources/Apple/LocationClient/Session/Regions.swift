// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
package import LocationModel

// Theory
// ======
//
// Regions belong to the app, not to one manager: the service keeps them while the app is not running, and every manager
// hears of every region. Those of a `CLMonitor` have names that begin with the monitor's, and only that monitor hears
// of them.
//
//   asked for ─► refused (denied, too small or large, a 21st)            ─► failed, to who asked
//             └► noted ─► said now, or at the next welcome               ─► began
//   crossed   ─► held until a manager listens ─► state noted ─► handed, with a ticket
//   state     ─► noted ─► told, without one: who asked may ask again
//   stopped   ─► forgotten; said now, and at the next welcome if that still lists it; late events are still
//                acknowledged
//   kept      ─► an earlier process asked for it, says a welcome ─► noted, with what that was told; told
//
// A crossing and a visit are numbered deliveries, as positions are: `SessionMachine` acknowledges them. A manager
// listens once it has a delegate, so that the event that launched a process reaches the delegate that the launch
// creates. A welcome begins a new connection, to which all is sent again: a repeated region changes nothing.
//
// Monitoring of visits outlives its manager and its process too: the welcome's report of it is kept until a manager
// asks again or one stops it.

/// What is told of a region.
package enum RegionNews: Sendable, Equatable {
  case began
  /// An earlier process requested it, and the service monitors it.
  case kept
  /// The device's position relative to the region; `isCrossing`: it has just entered or left.
  case determined(CLRegionState, isCrossing: Bool, at: UTCInstant?)
  case failed(CLError)
}

/// The events of regions and visits that a consumer receives.
enum PlaceEar: Sendable, Equatable {
  /// None: a sequence of updates, or a manager without a delegate.
  case deaf
  /// The visits and all regions but those of monitors.
  case app
  /// The regions whose names begin with this.
  case monitor(String)

  func hears(_ identifier: String) -> Bool {
    switch self {
    case .deaf: false
    case .app: !identifier.hasPrefix(MonitorWatch.mark)
    case .monitor(let prefix): identifier.hasPrefix(prefix)
    }
  }
}

/// The regions of this app, as far as this process knows.
struct Regions: Sendable, Equatable {
  enum Input: Sendable, Equatable {
    /// Requested by the consumer of this number.
    case monitor(MonitoredRegion, by: Int)
    case stop(String)
    case requestState(MonitoredRegion, by: Int)
    /// Also from a process that never requested them: it ends the monitoring of an earlier process.
    case stopsVisits
  }

  struct Entry: Sendable, Equatable {
    var circle: MonitoredRegion
    var state = CLRegionState.unknown
    /// The time when that was determined.
    var since: UTCInstant?
    var hasBegun = false
  }

  static let stoppedLimit = 256

  /// In the order of the requests.
  private(set) var entries: [Entry] = []
  /// The regions that this process stopped and that the service may still know, oldest first; after each welcome, those
  /// that it lists. The service keeps 20 regions of an app, so more than `stoppedLimit` are useless; the oldest are
  /// dropped.
  private var stopped: [String] = []
  private var awaited: Set<String> = []

  subscript(identifier: String) -> Entry? { entries.first { $0.circle.identifier == identifier } }

  fileprivate func refusal(of circle: MonitoredRegion) -> CLError? {
    guard MonitoredRegion.radii.contains(circle.radius) else {
      return CLError(
        .regionMonitoringFailure,
        "the radius of '\(circle.identifier)' is \(circle.radius) m; it must be within "
          + "\(MonitoredRegion.radii.lowerBound) and \(MonitoredRegion.radii.upperBound) m")
    }
    let bytes = circle.identifier.utf8.count
    guard 1...MonitoredRegion.identifierLimit ~= bytes else {
      return CLError(
        .regionMonitoringFailure,
        "the identifier '\(circle.identifier)' has \(bytes) bytes; it must have 1 to "
          + "\(MonitoredRegion.identifierLimit)")
    }
    guard entries.count < MonitoredRegion.limit || self[circle.identifier] != nil else {
      return CLError(
        .regionMonitoringFailure,
        "'\(circle.identifier)' would be region \(MonitoredRegion.limit + 1) of this app, and \(MonitoredRegion.limit) are "
          + "allowed; stop one first")
    }
    return nil
  }

  fileprivate mutating func monitor(_ circle: MonitoredRegion) {
    stopped.removeAll { $0 == circle.identifier }
    entries.removeAll { $0.circle.identifier == circle.identifier }
    entries.append(Entry(circle: circle))
  }

  fileprivate mutating func stop(_ identifier: String) {
    entries.removeAll { $0.circle.identifier == identifier }
    awaited.remove(identifier)
    stopped.removeAll { $0 == identifier }
    stopped.append(identifier)
    if stopped.count > Self.stoppedLimit { stopped.removeFirst() }
  }

  fileprivate mutating func awaitState(_ identifier: String) { awaited.insert(identifier) }

  /// Notes the regions that the service monitors; returns those that an earlier process requested.
  fileprivate mutating func keep(
    _ circles: [MonitoredRegion], told: [ToldSide]
  ) -> [MonitoredRegion] {
    stopped.removeAll { identifier in !circles.contains { $0.identifier == identifier } }
    let kept = circles.filter {
      self[$0.identifier] == nil && !stopped.contains($0.identifier)
    }
    entries += kept.map { circle in
      let told = told.first { $0.region == circle.identifier }
      return Entry(
        circle: circle, state: told.map { CLRegionState($0.state) } ?? .unknown,
        since: told?.time, hasBegun: true)
    }
    return kept
  }

  /// Notes a state; returns the region if it is monitored.
  fileprivate mutating func determine(
    _ identifier: String, _ state: CLRegionState, at time: UTCInstant?
  ) -> MonitoredRegion? {
    awaited.remove(identifier)
    guard let index = entries.firstIndex(where: { $0.circle.identifier == identifier }) else {
      return nil
    }
    entries[index].state = state
    entries[index].since = time
    return entries[index].circle
  }

  /// All messages for a new connection.
  fileprivate var wishes: [ClientMessage] {
    stopped.map { .stopMonitoringRegion($0) }
      + entries.map { .monitorRegion($0.circle) }
      + awaited.sorted().map { .requestRegionState($0) }
  }

  /// The regions whose start of monitoring was not reported yet.
  fileprivate mutating func begin() -> [MonitoredRegion] {
    var begun: [MonitoredRegion] = []
    for index in entries.indices where !entries[index].hasBegun {
      entries[index].hasBegun = true
      begun.append(entries[index].circle)
    }
    return begun
  }
}

extension SessionMachine {
  mutating func handle(_ input: Regions.Input, into actions: inout [Action]) {
    switch input {
    case .monitor(let circle, let id): monitor(circle, by: id, into: &actions)
    case .stop(let identifier):
      regions.stop(identifier)
      if isGreeted { actions.append(.send(.stopMonitoringRegion(identifier))) }
    case .requestState(let circle, let id):
      guard regions[circle.identifier] != nil else {
        let error = CLError(
          .regionMonitoringFailure,
          "'\(circle.identifier)' is not monitored; start that before its state is asked for")
        return actions.append(.hand(.region(circle, .failed(error), ticket: nil), to: id))
      }
      regions.awaitState(circle.identifier)
      if isGreeted { actions.append(.send(.requestRegionState(circle.identifier))) }
    case .stopsVisits: stopVisits(into: &actions)
    }
  }

  /// Notes that the daemon does not monitor a region.
  mutating func refused(_ identifier: String, _ reason: String, into actions: inout [Action]) {
    guard let entry = regions[identifier] else { return }
    regions.stop(identifier)
    tellNews(of: entry.circle, .failed(CLError(.regionMonitoringFailure, reason)), into: &actions)
  }

  @discardableResult
  private func tellNews(
    of circle: MonitoredRegion, _ news: RegionNews, ticket: UInt64? = nil,
    into actions: inout [Action]
  ) -> Int {
    tellAll(
      .region(circle, news, ticket: ticket), where: { $0.places.hears(circle.identifier) },
      into: &actions)
  }

  /// Returns the number of consumers that received it: 0 if the region has been stopped. An answer has no ticket.
  @discardableResult
  mutating func hand(
    _ notice: RegionNotice, ticket: UInt64?, into actions: inout [Action]
  ) -> Int {
    let state =
      ticket == nil
      ? CLRegionState(notice.state) : notice.event == .entered ? .inside : .outside
    let circle = regions.determine(notice.identifier, state, at: notice.moment)
    let news = RegionNews.determined(state, isCrossing: ticket != nil, at: notice.moment)
    return circle.map { tellNews(of: $0, news, ticket: ticket, into: &actions) } ?? 0
  }

  private mutating func monitor(
    _ circle: MonitoredRegion, by id: Int, into actions: inout [Action]
  ) {
    var refusal = regions.refusal(of: circle)
    if authorization == .denied || authorization == .restricted {
      refusal = CLError(.regionMonitoringDenied, CLError.forbidden.message)
    }
    if let refusal {
      return actions.append(.hand(.region(circle, .failed(refusal), ticket: nil), to: id))
    }
    regions.monitor(circle)
    guard isGreeted else { return }
    actions.append(.send(.monitorRegion(circle)))
    beginRegions(into: &actions)
  }

  /// Sends the regions after a welcome.
  mutating func sayRegions(into actions: inout [Action]) {
    actions += regions.wishes.map { .send($0) }
    beginRegions(into: &actions)
  }

  private mutating func beginRegions(into actions: inout [Action]) {
    for circle in regions.begin() {
      tellNews(of: circle, .began, into: &actions)
    }
  }

  /// Handles a crossing, which is numbered, or the answer to a question.
  mutating func hear(notice: RegionNotice, into actions: inout [Action]) {
    if let number = notice.sequence, notice.event != .state {
      arrived(
        Arrival(number: number, news: .region(notice), received: notice.received), into: &actions)
    } else {
      hand(notice, ticket: nil, into: &actions)
    }
  }

  /// Adopts the places that an earlier process requested, as listed in the welcome.
  mutating func keep(_ places: MonitoredPlaces?, into actions: inout [Action]) {
    for circle in regions.keep(places?.regions ?? [], told: places?.told ?? []) {
      tellNews(of: circle, .kept, into: &actions)
    }
    keepVisits(places?.visits ?? false)
  }
}

extension RegionNotice {
  /// The time of the position that showed it.
  var moment: UTCInstant { time ?? received }
}

extension CLRegionState {
  init(_ state: RegionState) {
    switch state {
    case .inside: self = .inside
    case .outside: self = .outside
    case .unknown: self = .unknown
    }
  }
}
