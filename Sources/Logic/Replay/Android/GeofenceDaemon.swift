// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower

/// The daemon that judges geofences for all apps of an Android phone: that of the engine (`PhoneDaemon`), for apps whose
/// lives are `AndroidApp`'s. In the engine each only monitors.
struct GeofenceDaemon: Sendable {
  private var engine: LocationEngine
  private var commands: [EngineCommand] = []
  private var fences: [AppID: [String]] = [:]

  /// What a geofence has shown.
  struct Crossing: Equatable {
    let app: AppID
    let place: String
    let isExit: Bool
  }

  /// What follows from an input.
  struct Answer {
    var crossings: [Crossing] = []
    /// Whether it asks for a position by Wi-Fi and cells.
    var asks = false
  }

  init(_ release: AndroidRelease, _ options: ReplayOptions) {
    var rules = options.rules
    rules.era = .usual
    rules.platform = .phone(PhoneSystem(release), seed: options.seed)
    rules.feelsMotion = options.device.hasMotionSensor
    rules.hasWiFi = options.device.hasWiFi
    engine = LocationEngine(rules: rules, policy: .ios)
  }

  var nextDeadline: EngineInstant? { engine.nextDeadline }

  mutating func add(_ app: AppID, at now: EngineInstant) {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    for input in [AppInput.registered(declaration), .life(.launched), .life(.enteredBackground)] {
      _ = handle(.app(app, input), at: now)
    }
  }

  mutating func monitor(_ place: Place, for app: AppID, at now: EngineInstant) -> Answer {
    fences[app, default: []].append(place.name)
    let region = MonitoredRegion(place.name, centre: place.centre, radius: place.radius)
    return handle(.app(app, .place(.startMonitoring(region))), at: now)
  }

  mutating func stop(_ place: String, for app: AppID, at now: EngineInstant) {
    fences[app]?.removeAll { $0 == place }
    _ = handle(.app(app, .place(.stopMonitoring(region: place))), at: now)
  }

  /// The app has no geofences any more.
  mutating func stopAll(for app: AppID, at now: EngineInstant) {
    for place in fences[app] ?? [] { stop(place, for: app, at: now) }
  }

  mutating func handle(_ input: EngineInput, at now: EngineInstant) -> Answer {
    commands.removeAll(keepingCapacity: true)
    engine.handle(input, at: now, into: &commands)
    var answer = Answer()
    for command in commands {
      switch command {
      case .requestNetworkPosition: answer.asks = true
      case .place(let app, .event(let delivery)):
        switch delivery.event {
        case .entered(let place):
          answer.crossings.append(Crossing(app: app, place: place, isExit: false))
        case .exited(let place):
          answer.crossings.append(Crossing(app: app, place: place, isExit: true))
        case .arrived, .departed, nil: break
        }
      case .transition, .launch, .deliver, .verdict, .heading, .motion, .paused, .deferralEnded,
        .requestFailed, .asksUser, .receiver, .listen, .tasksExpire, .work, .notWoken,
        .unreachable, .notify, .memoryTaken, .audioStopped, .place, .ignored:
        break
      }
    }
    return answer
  }

  var listensToMotion: Bool { engine.triggers.contains(.motion) }
}

extension PhoneSystem {
  /// The rules of geofences in a release.
  init(_ release: AndroidRelease) {
    self = release == .android6 ? .android6 : .android
  }
}
