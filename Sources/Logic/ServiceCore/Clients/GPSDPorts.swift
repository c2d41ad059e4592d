// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import FixFormats
import LocationEngine
import LocationModel
import ServiceContract

/// The ports for ordinary gpsd clients, each of which is an app (`GPSDListenerApp`).
struct GPSDPorts: Sendable, Equatable {
  private var ports: [AppID: GPSDListenerApp] = [:]

  var isEmpty: Bool { ports.isEmpty }
  var count: Int { ports.count }
  /// The numbers of the ports themselves.
  var numbers: [Int] { ports.values.map(\.listener.port).sorted() }

  subscript(id: AppID) -> GPSDListenerApp? { ports[id] }

  func app(ofPort number: Int) -> AppID? {
    ports.values.first { $0.listener.port == number }?.id
  }

  /// Opens the ports that listen.
  mutating func openPorts(_ listeners: [ServiceBeginning.Listener], _ step: inout Step) {
    for (number, listener) in listeners.enumerated() {
      let id = AppID(GPSDListenerApp.firstID + UInt32(number))
      let app = GPSDListenerApp(id: id, listener: listener)
      ports[id] = app
      step.tellEngine(.app(id, .registered(app.declaration)))
      step.tellEngine(.app(id, .usesMemory(megabytes: 0)))
    }
  }

  /// A client begins to watch, or changes its forms; returns whether it is the first.
  mutating func watch(
    _ client: ClientID, _ id: AppID, reports: Bool, sentences: Bool, at utc: UTCInstant
  ) -> Bool {
    guard var port = ports[id] else { return false }
    let isFirst = port.watchers.isEmpty
    if isFirst { port.activated = utc }
    port.watchers.removeAll { $0.client == client }
    port.watchers.append(.init(client: client, reports: reports, sentences: sentences))
    ports[id] = port
    return isFirst
  }

  /// A client watches no longer; the last one ends the app.
  mutating func unwatch(_ client: ClientID, _ id: AppID, _ step: inout Step) {
    guard let port = ports[id], port.watchers.contains(where: { $0.client == client }) else {
      return
    }
    ports[id]?.watchers.removeAll { $0.client == client }
    guard ports[id]?.watchers.isEmpty == true else { return }
    ports[id]?.activated = nil
    if port.listener.service == .significant {
      step.tellEngine(.app(id, .stopMonitoringSignificantChanges))
    }
    step.tellEngine(.app(id, .life(.exited)))
  }

  /// Launches the app of a watched port into the foreground, unless it is there already.
  func launch(_ id: AppID, _ engine: LocationEngine, _ step: inout Step) {
    guard let port = ports[id], engine.state(of: id) == .notRunning else { return }
    step.tellEngine(.app(id, .life(.launched)))
    switch port.listener.service {
    case .significant: step.tellEngine(.app(id, .startMonitoringSignificantChanges))
    case .standard, .continuous: step.tellEngine(.app(id, .startUpdating(port.request)))
    }
  }

  /// Launches the apps of all watched ports.
  func launchAll(_ engine: LocationEngine, _ step: inout Step) {
    for id in ports.keys.sorted(by: { $0.number < $1.number })
    where ports[id]?.watchers.isEmpty == false { launch(id, engine, &step) }
  }

  /// Sends a delivery to all that watch. A report that a watcher cannot take is lost, as with gpsd itself.
  mutating func report(_ delivery: Delivery, to id: AppID, _ sky: Sky?, _ step: inout Step) {
    // The entry or exit of a zone is no position.
    guard let port = ports[id], delivery.event == nil else { return }
    ports[id]?.lastFix = delivery.fix
    var sentences: String?
    for watcher in port.watchers {
      if watcher.reports {
        step.answer(watcher.client, .report(delivery.fix, device: port.device))
        if let sky { step.answer(watcher.client, .sky(sky, device: port.device)) }
      }
      guard watcher.sentences else { continue }
      let text = sentences ?? Self.sentences(of: delivery.fix)
      sentences = text
      // A fix without a time yields no sentence.
      if !text.isEmpty { step.answer(watcher.client, .sentences(text)) }
    }
  }

  private static func sentences(of fix: Fix) -> String {
    var writer = NMEAWriter()
    var bytes: [UInt8] = []
    writer.encode(.fix(fix, line: 0), into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Forgets the last positions that are concerned.
  mutating func forget(where isConcerned: (Fix) -> Bool) {
    for (id, port) in ports where port.lastFix.map(isConcerned) == true { ports[id]?.lastFix = nil }
  }
}
