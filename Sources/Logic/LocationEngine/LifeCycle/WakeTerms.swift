// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// The events that may wake an app, and launch one that does not run (Where-each-rule-stands.md, "Being woken"):
//
//   reason                   needs declared            wakes a suspended one   launches one that does not run
//   location, region, visit  –                         with *always* [era]     with *always*; force quit: [era]
//   motion [ours]            –                         yes                     as location
//   fetch                    fetch                     yes                     not after a force quit
//   push                     remote-notification       yes                     not after a force quit
//   location push            location-push             with *always* [doc]     with *always*; force quit: [era]
//   newsstand                newsstand-content         yes                     not after a force quit
//   keep-alive, socket       voip                      yes                     no
//   accessory                external-accessory        yes                     no
//   bluetooth                bluetooth-…               yes                     no
//   boot, crash              voip                      –                       not after a force quit
//     (an app whose memory was taken has not ended by itself either: it counts as crashed)
//
// - An app in the foreground, or in the background anyway, needs no permission here to receive a location:
//   authorization is decided before.
// - A location push is for apps that may always know the location, in the foreground too [doc]; the extension that it
//   calls on a phone is the app here, so a force quit counts as for locations [ours].
// - With background refresh switched off, no locations, fetches and pushes wake or launch an app [doc]; Low Power Mode
//   stops fetches [doc].
// - An app that has opted out of multitasking is launched only by its user: it is never in the background [core].
// - Until a restarted device is unlocked for the first time, no app is launched except for the boot itself [ours].

/// The conditions of the device as a whole that decide whether apps are woken.
package struct DeviceConditions: Sendable, Hashable, Codable {
  /// Low Power Mode.
  package var isLowPower = false
  /// Whether the user switched background refresh off.
  package var refreshIsOff = false
  /// Whether the device was started and has not been unlocked since.
  package var isLocked = false
  /// Whether the user is on the phone.
  package var isInCall = false

  package init() {}
}

/// The conditions that decide whether an event wakes or launches an app.
package struct WakeTerms: Sendable, Equatable {
  package var modes: BackgroundModes
  package var authorization: Authorization
  package var state: AppState
  package var wasForceQuit: Bool
  /// Whether the app has opted out of multitasking.
  package var exitsOnSuspend: Bool

  package init(
    modes: BackgroundModes, authorization: Authorization, state: AppState, wasForceQuit: Bool,
    exitsOnSuspend: Bool = false
  ) {
    self.modes = modes
    self.authorization = authorization
    self.state = state
    self.wasForceQuit = wasForceQuit
    self.exitsOnSuspend = exitsOnSuspend
  }

  /// The reason why an event does not wake or launch the app; `nil` if it does.
  package func refusal(
    of reason: WakeReason, in era: Era, on device: DeviceConditions
  ) -> NotWoken? {
    if let lack = Self.lack(of: reason, declaring: modes, in: era) { return lack }
    if reason == .locationPush, authorization != .always { return .unauthorized }
    switch state {
    case .inactive, .active: return nil
    case .background where reason.isOfPlace: return nil
    case .suspended where reason == .motion: return nil
    case .background, .suspended, .notRunning: break
    }
    // The obstacle that lasts longest is named.
    if state == .notRunning, let why = refusalOfLaunch(for: reason, in: era) { return why }
    if reason == .fetch, device.isLowPower, era.hasLowPowerMode { return .lowPower }
    if reason.isBackgroundRefresh, device.refreshIsOff, era.hasRefreshSwitch {
      return .refreshIsOff
    }
    if state == .notRunning, device.isLocked, reason != .boot { return .locked }
    guard reason.isOfPlace else { return nil }
    let isAllowed =
      era.relaunchNeedsAlways ? authorization == .always : authorization.allowsLocation
    return isAllowed ? nil : .unauthorized
  }

  /// The reason why no such event ever reaches an app that declares these modes; `nil` if it may.
  static func lack(
    of reason: WakeReason, declaring modes: BackgroundModes, in era: Era
  ) -> NotWoken? {
    if let mode = reason.mode, modes.isDisjoint(with: mode) { return .notDeclared }
    return reason.exists(in: era) ? nil : .notInEra
  }

  private func refusalOfLaunch(for reason: WakeReason, in era: Era) -> NotWoken? {
    if exitsOnSuspend { return .optedOut }
    switch reason {
    case .keepAlive, .socket, .accessory, .bluetooth: return .notRunning
    case .location, .motion, .region, .visit, .locationPush:
      if wasForceQuit && !era.relaunchesAfterForceQuit { return .forceQuit }
    case .fetch, .push, .newsstand, .boot, .crash: if wasForceQuit { return .forceQuit }
    }
    return nil
  }
}

extension WakeReason {
  /// The mode that must be declared, or one of several. `nil` if none must.
  package var mode: BackgroundModes? {
    switch self {
    case .location, .motion, .region, .visit: nil
    case .fetch: .fetch
    case .keepAlive, .socket, .boot, .crash: .voip
    case .push: .remoteNotification
    case .locationPush: .locationPush
    case .newsstand: .newsstandContent
    case .accessory: .externalAccessory
    case .bluetooth: [.bluetoothCentral, .bluetoothPeripheral]
    }
  }

  /// Whether it stops when background refresh is switched off.
  fileprivate var isBackgroundRefresh: Bool { isOfPlace || self == .fetch || self == .push }

  fileprivate func exists(in era: Era) -> Bool {
    switch self {
    case .fetch: era.hasFetch
    case .push: era.wakesOnPush
    case .locationPush: era.wakesOnLocationPush
    case .keepAlive, .socket, .boot, .crash: era.hasVoIP
    case .visit: era.hasVisits
    case .newsstand: era.hasNewsstand
    case .accessory: era.hasAccessories
    case .bluetooth: era.hasBluetooth
    case .location, .motion, .region: true
    }
  }
}
