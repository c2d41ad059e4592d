// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower

// A geofence with `dwell` tells of a stay: so long after the entry that the daemon found, unless it has found the exit by
// then, and not of the entry itself.

/// The daemon that judges geofences for all apps of an Android phone: that of the engine (`PhoneDaemon`), for apps whose
/// lives are `AndroidApp`'s. In the engine each only monitors.
struct GeofenceDaemon: Sendable {
  private var engine: LocationEngine
  private var commands: [EngineCommand] = []
  private var fences: [AppID: [String]] = [:]
  private var dwells: [Dwell] = []

  /// A geofence that tells of a stay. No order of entries is needed: they are few.
  private struct Dwell: Sendable {
    let app: AppID
    let place: String
    /// Seconds (doc: `setLoiteringDelay`).
    let lasts: Double
    /// When the phone has been inside for so long; `nil` while it is outside, and once that is told.
    var due: EngineInstant?
  }

  /// What a geofence has shown.
  struct Crossing: Equatable {
    let app: AppID
    let place: String
    let transition: GeofenceTransition
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

  var nextDeadline: EngineInstant? {
    dwells.reduce(engine.nextDeadline) { EngineInstant.earlier($0, $1.due) }
  }

  mutating func add(_ app: AppID, at now: EngineInstant) {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    for input in [AppInput.registered(declaration), .life(.launched), .life(.enteredBackground)] {
      _ = handle(.app(app, input), at: now)
    }
  }

  mutating func monitor(
    _ place: Place, dwell: Double?, for app: AppID, at now: EngineInstant
  ) -> Answer {
    fences[app, default: []].append(place.name)
    dwells.removeAll { $0.app == app && $0.place == place.name }
    if let dwell { dwells.append(Dwell(app: app, place: place.name, lasts: dwell)) }
    let region = MonitoredRegion(place.name, centre: place.centre, radius: place.radius)
    return handle(.app(app, .place(.startMonitoring(region))), at: now)
  }

  mutating func stop(_ place: String, for app: AppID, at now: EngineInstant) {
    fences[app]?.removeAll { $0 == place }
    dwells.removeAll { $0.app == app && $0.place == place }
    _ = handle(.app(app, .place(.stopMonitoring(region: place))), at: now)
  }

  /// The app has no geofences any more.
  mutating func stopAll(for app: AppID, at now: EngineInstant) {
    for place in fences[app] ?? [] { stop(place, for: app, at: now) }
  }

  mutating func pass(to now: EngineInstant) -> Answer {
    var answer = handle(.timePassed, at: now)
    for index in dwells.indices {
      guard let due = dwells[index].due, due <= now else { continue }
      dwells[index].due = nil
      let (app, place) = (dwells[index].app, dwells[index].place)
      answer.crossings.append(Crossing(app: app, place: place, transition: .dwell))
    }
    return answer
  }

  /// The entry or the exit that the daemon has found; `nil` if it is an entry, and a stay is wanted.
  private mutating func crossed(
    _ transition: GeofenceTransition, _ place: String, _ app: AppID, at now: EngineInstant
  ) -> Crossing? {
    let crossing = Crossing(app: app, place: place, transition: transition)
    guard let index = dwells.firstIndex(where: { $0.app == app && $0.place == place }) else {
      return crossing
    }
    let isInside = transition == .enter
    dwells[index].due = isInside ? now.advanced(bySeconds: dwells[index].lasts) : nil
    return isInside ? nil : crossing
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
          if let found = crossed(.enter, place, app, at: now) { answer.crossings.append(found) }
        case .exited(let place):
          if let found = crossed(.exit, place, app, at: now) { answer.crossings.append(found) }
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
