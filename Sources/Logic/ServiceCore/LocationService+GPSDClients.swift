// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import FixFormats
import LocationEngine
import LocationModel
import ServiceContract

// Ordinary gpsd clients; each port for them is an app (`GPSDListenerApp`).

extension LocationService {
  /// A client begins to watch, changes its forms, or ends the watch: then it wants neither.
  mutating func watch(
    _ client: ClientID, reports: Bool, sentences: Bool, _ request: String?
  ) {
    let reply: ServerMessage =
      sentences ? .watchSentences(json: reports) : .watch(isOn: reports)
    switch clients[client]?.role {
    case .listener(let id):
      guard reports || sentences else {
        unwatch(client, id)
        answer(client, .devices(deviceList(for: client)), request)
        return answer(client, reply, request)
      }
      let isFirst = listeners[id]?.watchers.isEmpty == true
      if isFirst { listeners[id]?.activated = now.utc }
      listeners[id]?.watchers.removeAll { $0.client == client }
      listeners[id]?.watchers.append(
        .init(client: client, reports: reports, sentences: sentences))
      answer(client, .devices(deviceList(for: client)), request)
      answer(client, reply, request)
      if isFirst { launchListener(id) }
    case .app(let id):
      _ = apps.with(id) { $0.watches = reports }
      answer(client, .watch(isOn: reports), request)
    case .user:
      refuse(client, .notAnApp, "say who you are first: ?HELLO={\"app\":\"NAME\"};", request)
    case nil: break
    }
  }

  /// Launches the app of a watched port into the foreground, unless it is there already.
  mutating func launchListener(_ id: AppID) {
    guard let listener = listeners[id], engine.state(of: id) == .notRunning else { return }
    tell(.app(id, .life(.launched)))
    switch listener.listener.service {
    case .significant: tell(.app(id, .startMonitoringSignificantChanges))
    case .standard, .continuous: tell(.app(id, .startUpdating(listener.request)))
    }
  }

  mutating func unwatch(_ client: ClientID, _ id: AppID) {
    guard let listener = listeners[id],
      listener.watchers.contains(where: { $0.client == client })
    else { return }
    listeners[id]?.watchers.removeAll { $0.client == client }
    guard listeners[id]?.watchers.isEmpty == true else { return }
    listeners[id]?.activated = nil
    if listener.listener.service == .significant {
      tell(.app(id, .stopMonitoringSignificantChanges))
    }
    tell(.app(id, .life(.exited)))
  }

  /// A report that a watcher cannot take is lost, as with gpsd itself.
  mutating func report(_ delivery: Delivery, to id: AppID) {
    // The entry or exit of a zone is no position.
    guard let listener = listeners[id], delivery.event == nil else { return }
    listeners[id]?.lastFix = delivery.fix
    let sky = recentSky
    var sentences: String?
    for watcher in listener.watchers {
      if watcher.reports {
        answer(watcher.client, .report(delivery.fix, device: listener.device))
        if let sky { answer(watcher.client, .sky(sky, device: listener.device)) }
      }
      guard watcher.sentences else { continue }
      let text = sentences ?? Self.sentences(of: delivery.fix)
      sentences = text
      // A fix without a time yields no sentence.
      if !text.isEmpty { answer(watcher.client, .sentences(text)) }
    }
  }

  private static func sentences(of fix: Fix) -> String {
    var writer = NMEAWriter()
    var bytes: [UInt8] = []
    writer.encode(.fix(fix, line: 0), into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private var recentSky: Sky? {
    guard let sky = facts.sky, let at = facts.skyAt,
      EngineInstant.seconds(from: at, to: now.at) <= GPSDListenerApp.skyAge
    else { return nil }
    return sky
  }

  func deviceList(for client: ClientID) -> [ServerMessage.Device] {
    if case .listener(let id) = clients[client]?.role, let listener = listeners[id] {
      return [
        .init(path: listener.device, driver: "Milepost", activated: listener.activated)
      ]
    }
    return facts.devices.map { .init(path: $0.path, driver: $0.driver) }
  }

  /// The newest position that passed the client's filter, never another.
  func poll(_ client: ClientID) -> ServerMessage {
    guard case .listener(let id) = clients[client]?.role, let listener = listeners[id] else {
      return .poll(nil, device: "milepost", at: now.utc)
    }
    return .poll(listener.lastFix, device: listener.device, at: now.utc, sky: recentSky)
  }
}
