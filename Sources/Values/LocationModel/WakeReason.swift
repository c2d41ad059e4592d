// SPDX-License-Identifier: Apache-2.0

/// The reason why the system starts an app, wakes it, or gives it time to work.
package enum WakeReason: String, Sendable, CaseIterable, Codable {
  /// A significant change of location.
  case location
  /// The motion trigger that the app armed.
  case motion
  /// The border of a region was crossed.
  case region
  /// An arrival at a place, or a departure from one.
  case visit
  /// The app may fetch new content (`fetch`).
  case fetch
  /// The keep-alive handler is due (`voip`).
  case keepAlive = "keep_alive"
  /// Data came in on the app's socket, or the network changed (`voip`).
  case socket
  /// A push that announces new content (`remote-notification`).
  case push
  /// A push that asks for the location (`location-push`).
  case locationPush = "location_push"
  /// An issue is announced (`newsstand-content`).
  case newsstand
  /// An accessory sent data (`external-accessory`).
  case accessory
  /// A Bluetooth device sent data, or asks for some (`bluetooth-central`, `bluetooth-peripheral`).
  case bluetooth
  /// The device started (`voip`).
  case boot
  /// The app had ended with a status other than zero (`voip`).
  case crash
}

extension WakeReason {
  /// Whether the event concerns the location: the app is handed a delivery, as opposed to being called.
  package var isOfPlace: Bool {
    switch self {
    case .location, .motion, .region, .visit: true
    case .fetch, .keepAlive, .socket, .push, .locationPush, .newsstand, .accessory, .bluetooth,
      .boot, .crash:
      false
    }
  }

  /// Whether it calls a handler that must return in time, else the app is terminated (Where-each-rule-stands.md,
  /// "Running longer").
  package var mustReturn: Bool {
    switch self {
    case .fetch, .keepAlive, .push, .locationPush: true
    case .location, .motion, .region, .visit, .socket, .newsstand, .accessory, .bluetooth, .boot,
      .crash:
      false
    }
  }
}

/// The outcome of a fetch.
package enum FetchResult: String, Sendable, CaseIterable, Codable {
  case newData = "new_data"
  case noData = "no_data"
  case failed
}

/// The reason why an event neither woke nor launched an app.
package enum NotWoken: String, Sendable, CaseIterable, Codable {
  /// The app does not declare the background mode that the event needs.
  case notDeclared = "not_declared"
  /// The era does not have this event.
  case notInEra = "not_in_era"
  /// The app has not asked for it.
  case notAsked = "not_asked"
  /// The app does not run, and this event launches none.
  case notRunning = "not_running"
  /// It was told to end, and is about to.
  case isEnding = "is_ending"
  /// The user swiped it away.
  case forceQuit = "force_quit"
  /// It lacks the authorization that a relaunch needs.
  case unauthorized
  /// The user switched background refresh off.
  case refreshIsOff = "refresh_is_off"
  /// The device saves its battery.
  case lowPower = "low_power"
  /// The device has been started and not unlocked since.
  case locked
  /// It has opted out of multitasking, or the device has none: it runs only in the foreground.
  case optedOut = "opted_out"
}

/// An event of the device as a whole, apart from its location.
package enum DeviceEvent: Sendable, Equatable, Codable {
  /// Low Power Mode is switched on or off.
  case lowPower(Bool)
  /// Background refresh is switched on or off, for all apps.
  case backgroundRefresh(Bool)
  /// Another network, or a network again after there was none.
  case networkChanged
  /// `megabytes` of memory are needed.
  case memoryNeeded(megabytes: Double)
  /// The device restarted; if `isLocked`, no app is launched until it is unlocked.
  case rebooted(isLocked: Bool)
  /// Unlocked for the first time since its start.
  case unlocked
  /// A call comes in, or is over.
  case call(Bool)
}
