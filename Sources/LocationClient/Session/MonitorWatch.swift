// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Synchronization

// Theory
// ======
//
// A condition is a region of the app whose name is `CLMonitor/`, the monitor's, `/`, the condition's. The
// record's state is what the app knows; an event is told when a determined state differs from it, so that
// what did not change is told to nobody twice, also after a relaunch. A crossing is acknowledged when it is
// noted: a process that dies before its loop has read the event is told the state again by its next one.
//
//   given ─► record (assumed) ─► region monitored, its state asked for
//   kept by the service ─► record (unknown) ─► its state asked for
//   state determined ─► differs from the record's? ─► record, event

/// Stands between one `CLMonitor` and the regions of its app.
final class MonitorWatch: LocationSession.Consumer {
  private struct State {
    var order: [String] = []
    var records: [String: CLMonitor.Record] = [:]
    var id: Int?
  }

  let lines: EventLines<CLMonitor.Event>
  private let session: LocationSession
  private let prefix: String
  private let state = Mutex(State())

  init(_ name: String, _ session: LocationSession) {
    self.session = session
    lines = EventLines(session, keepsUnread: true)
    prefix = Self.mark + name.replacing("/", with: "%2F") + "/"
  }

  /// Begins the names of all regions that belong to monitors.
  static let mark = "CLMonitor/"

  func begin() {
    let id = session.join(self)
    state.withLock { $0.id = id }
    for entry in session.regions.entries { adopt(entry, as: id) }
    session.take(.listens(id, .monitor(prefix)))
  }

  /// A region that an earlier process gave to a monitor of this name.
  private func adopt(_ entry: Regions.Entry, as id: Int) {
    guard let identifier = own(entry.circle.identifier) else { return }
    let circle = CLMonitor.CircularGeographicCondition(
      center: CLLocationCoordinate2D(entry.circle.centre), radius: entry.circle.radius)
    let last = CLMonitor.Event(
      identifier, CLMonitor.Event.State(entry.state), entry.since.map(session.date) ?? Date())
    state.withLock {
      $0.order.append(identifier)
      $0.records[identifier] = .init(condition: circle, lastEvent: last)
    }
    if entry.state == .unknown { session.take(.regions(.requestState(entry.circle, by: id))) }
  }

  func end() {
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
    _ condition: any CLCondition, identifier: String, assuming assumed: CLMonitor.Event.State
  ) {
    let now = Date()
    let id = state.withLock { state in
      if state.records[identifier] == nil { state.order.append(identifier) }
      state.records[identifier] = .init(
        condition: condition, lastEvent: .init(identifier, assumed, now))
      return state.id
    }
    guard let id, let circle = condition as? CLMonitor.CircularGeographicCondition,
      let center = circle.center.point
    else { return note(.init(identifier, .unmonitored, now, isUnsupported: true)) }
    let region = MonitoredRegion(prefix + identifier, centre: center, radius: circle.radius)
    session.take(.regions(.monitor(region, by: id)))
    if session.regions[region.identifier] != nil {
      session.take(.regions(.requestState(region, by: id)))
    }
  }

  func remove(_ identifier: String) {
    let wasThere = state.withLock { state in
      state.order.removeAll { $0 == identifier }
      return state.records.removeValue(forKey: identifier) != nil
    }
    if wasThere { session.take(.regions(.stop(prefix + identifier))) }
  }

  // MARK: The session's side

  func take(_ notice: Notice) {
    defer { if let ticket = notice.ticket { session.finished(ticket) } }
    guard case .region(let circle, let news, _) = notice,
      let identifier = own(circle.identifier)
    else { return }
    switch news {
    case .began: break
    case .determined(let state, _, let time):
      note(.init(identifier, .init(state), time.map(session.date) ?? Date()))
    case .failed(let error): note(.init(identifier, .unmonitored, Date(), failure: error))
    }
  }

  func sessionClosed() { lines.end() }

  /// Tells an event where it is news.
  private func note(_ event: CLMonitor.Event) {
    let isNews = state.withLock { state in
      guard let record = state.records[event.identifier],
        record.lastEvent.state != event.state
      else { return false }
      state.records[event.identifier] = .init(condition: record.condition, lastEvent: event)
      return true
    }
    if isNews { lines.put(event) }
  }
}

/// Watches for as long as it is there.
final class MonitorHold: Sendable {
  let watch: MonitorWatch

  init(_ watch: MonitorWatch) {
    self.watch = watch
    watch.begin()
  }

  deinit { watch.end() }
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
