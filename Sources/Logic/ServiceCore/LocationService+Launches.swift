// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Settings

// Launches by the service: of apps that it keeps running, of apps with pending events, and of apps that could
// not run, or hear anything, before.

extension LocationService {
  /// Restarts the apps that the service keeps running; of the rest, those with an unacknowledged event, and those that
  /// the rules relaunch (`voip`).
  mutating func relaunchAfterCrash(_ app: AppRecord) {
    guard app.manifest.launch == .manual else { return launchInBackground(app.id) }
    guard !phase.isStopping else { return }
    relaunchForWhatWaits(app.id)
    guard engine.state(of: app.id) == .notRunning, app.manifest.declaration.modes.contains(.voip)
    else { return }
    tell(.app(app.id, .event(.crash)))
  }

  /// Repeats the launch of an app that could not be started.
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
    if engine.life(of: id)?.exitsOnSuspend == true {
      return note(id, "not launched", "it has opted out of multitasking: its user launches it")
    }
    // A crash or a full disk repeats the launch with its reason.
    if app.launch.reason == nil || app.outbox.entries.isEmpty {
      _ = apps.with(id) { $0.launch = .service }
    }
    tell(.app(id, .life(.launchedByService)))
    startServices(of: id)
    tell(.app(id, .life(.enteredBackground)))
  }

  /// Brings back a handler or a sink that only its state keeps from its continuous updates: nobody opens it, as a user
  /// opens an app.
  mutating func bringBack(_ id: AppID) {
    guard let app = apps[id], !app.isResident, app.manifest.service == .continuous,
      engine.wouldUpdate(id, by: app.manifest.request)
    else { return }
    if engine.state(of: id) == .suspended {
      tell(.app(id, .life(.enteredForeground)))
      startServices(of: id)
      tell(.app(id, .life(.enteredBackground)))
    } else if app.manifest.launch == .atStart {
      launchInBackground(id)
    }
  }

  /// Starts, after a start of the service or the device, the apps that always run, and those with pending events.
  mutating func startWhatRuns() {
    followConfiguredSinks()
    for id in apps.ids {
      if apps[id]?.manifest.launch == .atStart { launchInBackground(id) }
      bringBack(id)
      relaunchForWhatWaits(id)
      intents.append(.flush(id))
    }
    for id in listeners.keys.sorted(by: { $0.number < $1.number })
    where listeners[id]?.watchers.isEmpty == false { launchListener(id) }
    launchGeoClueApps()
  }

  /// Launches the app of a significant change decided by an earlier service, if that could not launch it or the app
  /// ended before acknowledging it, as the event would have.
  mutating func relaunchForWhatWaits(_ id: AppID) {
    guard let app = apps[id], app.isResident, app.canStart, engine.mayRelaunch(id),
      let event = app.outbox.entries.last(where: { $0.delivery.service == .significant })
    else { return }
    launchInBackground(id)
    _ = apps.with(id) { $0.launch = .event(event.delivery.wakeReason) }
  }
}
