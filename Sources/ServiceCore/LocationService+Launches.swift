// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Settings

// Launches of the service's own: of what it keeps running, of what has something to hear, and of what could not
// run before.

extension LocationService {
  /// The apps that the service keeps running start again; of the rest, those with an event that is not acknowledged,
  /// and what the rules relaunch (`voip`).
  mutating func relaunchAfterCrash(_ app: AppRecord) {
    guard app.manifest.launch == .manual else { return launchInBackground(app.id) }
    guard !phase.isStopping else { return }
    relaunchForWhatWaits(app.id)
    guard engine.state(of: app.id) == .notRunning, app.manifest.declaration.modes.contains(.voip)
    else { return }
    tell(.app(app.id, .event(.crash)))
  }

  /// An app that could not be started begins again for what it was to begin for.
  mutating func launchAgain(_ id: AppID, _ launch: AppRecord.Launch) {
    guard engine.state(of: id) == .notRunning, !phase.isStopping else { return }
    switch launch {
    case .user:
      tell(.app(id, .life(.launched)))
      startServices(of: id)
    case .service: launchInBackground(id)
    case .event(let reason) where reason.isOfPlace:
      // The event was decided then, and waits in its outbox.
      tell(.app(id, .life(.relaunched(reason))))
      launched(id, LaunchOptions(reason: reason))
    case .event(let reason): tell(.app(id, .event(reason)))
    }
  }

  /// As at boot: launched, its services started, and into the background at once.
  mutating func launchInBackground(_ id: AppID) {
    guard engine.state(of: id) == .notRunning, !phase.isStopping, let app = apps[id] else { return }
    // A crash or a full disk lets it begin again for what it was launched for.
    if app.launch.reason == nil || app.outbox.entries.isEmpty {
      _ = apps.with(id) { $0.launch = .service }
    }
    tell(.app(id, .life(.launchedByService)))
    startServices(of: id)
    tell(.app(id, .life(.enteredBackground)))
  }

  /// After a start of the service or the device: what runs without being asked for, and what has something to
  /// hear.
  mutating func startWhatRuns() {
    followConfiguredSinks()
    for id in apps.ids {
      if apps[id]?.manifest.launch == .atStart { launchInBackground(id) }
      relaunchForWhatWaits(id)
      intents.append(.flush(id))
    }
    for id in listeners.keys.sorted(by: { $0.number < $1.number })
    where listeners[id]?.watchers.isEmpty == false { launchListener(id) }
    launchGeoClueApps()
  }

  /// A significant change that an earlier service decided, and whose app it could not launch any more or
  /// which ended before it had acknowledged it, launches the app now, as the event would have.
  mutating func relaunchForWhatWaits(_ id: AppID) {
    guard let app = apps[id], app.isResident, app.canStart, engine.mayRelaunch(id),
      let event = app.outbox.entries.last(where: { $0.delivery.service == .significant })
    else { return }
    launchInBackground(id)
    _ = apps.with(id) { $0.launch = .event(event.delivery.wakeReason) }
  }
}
