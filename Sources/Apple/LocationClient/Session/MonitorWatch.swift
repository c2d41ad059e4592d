// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Synchronization

// Theory
// ======
//
// A condition is a region of the app whose name is `CLMonitor/`, the monitor's name, `/`, the condition's name. The
// record's state is what the app knows. An event is sent when a determined state differs from it, so an unchanged state
// is never reported again: the service remembers what each app was told last, and begins the next process's record with
// it. A crossing counts as told when it is acknowledged, which is when the loop that read the event asks for the next
// one: if a process dies before, its successor's record is that of before, and it receives the crossing again. Without a
// loop that reads, a crossing is acknowledged as soon as it is in the record.
//
//   given ─► record (assumed) ─► region monitored, its state asked for
//   kept by the service, as it says now or at a later welcome ─► record (as told last) ─► unknown? its state asked for
//   state determined ─► differs from the record's? ─► record, event

/// Stands between one `CLMonitor` and the regions of its app.
final class MonitorWatch: LocationSession.Consumer {
  private struct State {
    var order: [String] = []
    var records: [String: CLMonitor.Record] = [:]
    var id: Int?
  }

  /// An event on its way to the loops.
  struct News: Sendable {
    let event: CLMonitor.Event
    /// Held by every loop that has not asked for the next one.
    let receipt: Receipt?
  }

  /// Acknowledges a delivery when nobody holds it any more.
  final class Receipt: Sendable {
    private let session: LocationSession
    private let ticket: UInt64

    init(_ session: LocationSession, _ ticket: UInt64) {
      (self.session, self.ticket) = (session, ticket)
    }

    deinit { session.finished(ticket) }
  }

  let lines: EventLines<News>
  let session: LocationSession
  private let prefix: String
  private let state = Mutex(State())

  init(_ name: String, _ session: LocationSession) {
    self.session = session
    lines = EventLines(session, keeping: .unread)
    prefix = Self.mark + name.replacing("%", with: "%25").replacing("/", with: "%2F") + "/"
  }

  /// The prefix of the names of all regions that belong to monitors.
  static let mark = "CLMonitor/"

  func beginWatch() {
    let id = session.join(self)
    state.withLock { $0.id = id }
    // Events that waited for this monitor come as soon as it listens; answers go only to listeners.
    for entry in session.regions.entries { adopt(entry) }
    session.send(input: .listens(id, .monitor(prefix)))
    for entry in session.regions.entries { ask(entry) }
  }

  /// Adopts a region that an earlier process added to a monitor of this name.
  private func adopt(_ entry: Regions.Entry) {
    guard let identifier = own(entry.circle.identifier) else { return }
    let circle = CLMonitor.CircularGeographicCondition(
      center: CLLocationCoordinate2D(entry.circle.centre), radius: entry.circle.radius)
    let last = event(identifier, .init(entry.state), at: entry.since.map { Date($0) })
    state.withLock { state in
      guard state.records[identifier] == nil else { return }
      state.order.append(identifier)
      state.records[identifier] = .init(condition: circle, lastEvent: last)
    }
  }

  /// Asks for the state of a region if it is unknown.
  private func ask(_ entry: Regions.Entry) {
    guard own(entry.circle.identifier) != nil, entry.state == .unknown,
      let id = state.withLock({ $0.id })
    else { return }
    session.send(input: .regions(.requestState(entry.circle, by: id)))
  }

  func endWatch() {
    if let id = state.withLock({ $0.id }) { session.leave(id, tickets: []) }
    lines.end()
  }

  private func own(_ identifier: String) -> String? {
    identifier.hasPrefix(prefix) ? String(identifier.dropFirst(prefix.count)) : nil
  }

  // MARK: The app's side

  var identifiers: [String] { state.withLock { $0.order } }

  func record(for identifier: String) -> CLMonitor.Record? {
    state.withLock { $0.records[identifier] }
  }

  func add(
    condition: any CLCondition, identifier: String, assuming assumed: CLMonitor.Event.State
  ) {
    let first = event(identifier, assumed)
    let id = state.withLock { state in
      if state.records[identifier] == nil { state.order.append(identifier) }
      state.records[identifier] = .init(condition: condition, lastEvent: first)
      return state.id
    }
    guard let id, let circle = condition as? CLMonitor.CircularGeographicCondition,
      let center = circle.center.point
    else {
      // A replaced condition is no longer watched.
      if session.regions[prefix + identifier] != nil {
        session.send(input: .regions(.stop(prefix + identifier)))
      }
      return send(event: event(identifier, .unmonitored, isUnsupported: true))
    }
    let region = MonitoredRegion(prefix + identifier, centre: center, radius: circle.radius)
    session.send(input: .regions(.monitor(region, by: id)))
    if session.regions[region.identifier] != nil {
      session.send(input: .regions(.requestState(region, by: id)))
    }
  }

  func remove(_ identifier: String) {
    let wasThere = state.withLock { state in
      state.order.removeAll { $0 == identifier }
      return state.records.removeValue(forKey: identifier) != nil
    }
    if wasThere { session.send(input: .regions(.stop(prefix + identifier))) }
  }

  // MARK: The session's side

  func receive(_ notice: Notice) {
    let receipt = notice.ticket.map { Receipt(session, $0) }
    guard case .region(let circle, let news, _) = notice,
      let identifier = own(circle.identifier)
    else { return }
    switch news {
    case .began: break
    case .kept:
      guard let entry = session.regions[circle.identifier] else { return }
      adopt(entry)
      ask(entry)
    case .determined(let state, _, let time):
      send(event: event(identifier, .init(state), at: time.map { Date($0) }), receipt)
    case .failed(let error): send(event: event(identifier, .unmonitored, failure: error))
    }
  }

  func sessionClosed() { lines.end() }

  /// `date`: by default the app's clock.
  private func event(
    _ identifier: String, _ state: CLMonitor.Event.State, at date: Date? = nil,
    failure: CLError? = nil, isUnsupported: Bool = false
  ) -> CLMonitor.Event {
    CLMonitor.Event(
      identifier, state, date ?? session.now(), accuracy: session.heardAccuracy, failure: failure,
      isUnsupported: isUnsupported)
  }

  /// Sends an event if it is news.
  private func send(event: CLMonitor.Event, _ receipt: Receipt? = nil) {
    let isNews = state.withLock { state in
      guard let record = state.records[event.identifier],
        record.lastEvent.state != event.state
      else { return false }
      state.records[event.identifier] = .init(condition: record.condition, lastEvent: event)
      return true
    }
    if isNews { lines.put(News(event: event, receipt: lines.areRead ? receipt : nil)) }
  }
}

/// Keeps a watch alive for as long as it is held.
final class MonitorHold: Sendable {
  let watch: MonitorWatch

  init(_ watch: MonitorWatch) {
    self.watch = watch
    watch.beginWatch()
  }

  deinit { watch.endWatch() }
}

extension CLMonitor.Event.State {
  fileprivate init(_ state: CLRegionState) {
    switch state {
    case .unknown: self = .unknown
    case .inside: self = .satisfied
    case .outside: self = .unsatisfied
    }
  }
}
