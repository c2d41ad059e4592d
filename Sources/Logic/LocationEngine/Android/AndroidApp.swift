// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// The life of one Android app, without any location in it. Android ends processes and starts them again; what it has
// promised (`AndroidPromise`) it keeps beside the process.
//
//                       opened (from any state)
//   stopped ───────────────────────────────────────────► seen: foreground ⇄ visible
//     ▲                                                    │            ▲
//     │ force-stopped,                          left, with │            │ left
//     │ from any state        foreground service  ┌────────┘            ▼
//     │                                           ▼     starts one    background ◄───── woken ────┐
//     └──────────────────────────           foreground ◄──────────────  │  ▲                      │
//                                           service ───── stops it ─────┘  │ woken       not running
//                                                                        ▼ │                      ▲
//                                             freezes, by release ◄── cached ── memory, swiped ───┘
//                                                  └──► frozen ───────────────────────────────────┘
//
// Rules
// - *Left*: an app that leaves the screen runs on for 5 s, in which it may still start a foreground service (AOSP
//   `ActivityManagerConstants`, DEFAULT_FG_TO_BG_FGS_GRACE_DURATION, recalled). A service without a notification runs on
//   for as long as the release says.
// - *Woken*: a `PendingIntent`, a job, an alarm or a push runs its code for a time (`AndroidWake.lasts`), and makes a
//   process if there is none. A second one prolongs that. A stopped app is never woken.
// - *Foreground service*: begins where the app is seen, or unseen by the rules of the release. It lasts until the app
//   ends it, its user stops it, or its process ends. It is remembered whether it began in sight, since by that it has a
//   location with *while in use*.
// - *Cached*: nothing of it runs. Its process may be frozen after a while, or ended for memory, without a word to it.
// - *Swiped away*: an app with a foreground service lives on; so does one whose code runs at that moment. A cached one
//   ends. (AOSP; makers differ.)
// - *Stopped by the user*, from the notifications: its process ends; what was promised remains.
// - *Force-stopped*: its process ends, and nothing runs it until its user opens it. Makers' battery managers do the same:
//   which, and when, is not modelled; a scenario may say so.
// - *Reboot*: all processes end; a stopped app stays stopped.
//
// An input that makes no sense in a state changes nothing.

/// What happens to an app.
package enum AndroidAppInput: Sendable, Hashable {
  /// Its user opens it.
  case opened
  /// Something lies over a part of it, or another app is beside it.
  case covered
  case left
  case swipedAway
  case woken(AndroidWake)
  /// The receiver, or the job, has returned.
  case finished
  case startedPlainService
  case startedService(isLocation: Bool)
  /// It ends its service, whichever it has.
  case endedService
  /// Its user stops it from the notifications.
  case stoppedByUser
  case forceStopped
  case memoryTaken
  case crashed
  case rebooted
  case registered(AndroidPromise)
  case cancelled(AndroidPromise)
  case permitted(AndroidPermission)
  case timePassed
}

/// The life of one app, its permission, and what it was promised.
package struct AndroidApp: Sendable, Hashable {
  package let release: AndroidRelease
  package private(set) var permission: AndroidPermission
  /// What it has registered, which outlives its process.
  package private(set) var promises: Set<AndroidPromise> = []
  private var phase = Phase.notRunning

  /// A phase, with only the data that it needs.
  private enum Phase: Sendable, Hashable {
    case notRunning
    case stopped
    case seen(inFront: Bool, Service)
    case unseen(Unseen)
    case serving(ForegroundService)
    case cached(freezesAt: EngineInstant?)
    case frozen
  }

  private enum Service: Sendable, Hashable {
    case none
    case plain
    case foreground(ForegroundService)
  }

  /// A service with a notification.
  private struct ForegroundService: Sendable, Hashable {
    let isLocation: Bool
    let beganSeen: Bool
  }

  /// Its code runs, unseen and without a notification.
  private struct Unseen: Sendable, Hashable {
    /// `nil` is for ever: a service without a notification, in old releases.
    var until: EngineInstant?
    var exemption: ServiceExemption?
    var exemptUntil: EngineInstant
  }

  /// Seconds after leaving the screen in which it may still start a foreground service.
  package static let graceAfterSight = 5.0

  package init(release: AndroidRelease, permission: AndroidPermission) {
    self.release = release
    self.permission = permission
  }

  package var state: AndroidAppState {
    switch phase {
    case .notRunning: .notRunning
    case .stopped: .stopped
    case .seen(let isInFront, _): isInFront ? .foreground : .visible
    case .unseen: .background
    case .serving: .foregroundService
    case .cached: .cached
    case .frozen: .frozen
    }
  }

  /// Whether it has a service with a notification, seen or not.
  package var hasForegroundService: Bool {
    switch phase {
    case .serving, .seen(_, .foreground): true
    case .notRunning, .stopped, .seen, .unseen, .cached, .frozen: false
    }
  }

  /// The instant at which time alone will change something.
  package var nextDeadline: EngineInstant? {
    switch phase {
    case .unseen(let unseen): unseen.until
    case .cached(let freezesAt): freezesAt
    case .notRunning, .stopped, .seen, .serving, .frozen: nil
    }
  }

  /// The location that it has, for a callback of its process or for a `PendingIntent`.
  package func access(isPending: Bool) -> AndroidAccess {
    if permission == .denied { return .none(.denied) }
    switch phase {
    case .stopped: return .none(.stopped)
    case .seen: return .full
    case .serving(let service): return access(of: service)
    case .unseen, .cached: return unseenAccess
    case .frozen: return isPending ? unseenAccess : .none(.frozen)
    case .notRunning: return isPending ? unseenAccess : .none(.notRunning)
    }
  }

  private func access(of service: ForegroundService) -> AndroidAccess {
    if release.serviceNeedsLocationType, !service.isLocation {
      let unseen = unseenAccess
      return if case .none = unseen { .none(.serviceOfOtherType) } else { unseen }
    }
    let isUnseen = release.whileInUseStartsVisible && !service.beganSeen
    return isUnseen && !isAlways ? .none(.serviceBeganUnseen) : .full
  }

  private var unseenAccess: AndroidAccess {
    guard isAlways else { return .none(.notInUse) }
    return release.unseenInterval.map { .throttled(every: $0) } ?? .full
  }

  /// Whether it may know the location unseen; older releases knew one permission.
  private var isAlways: Bool {
    permission == .always || permission == .whileInUse && !release.hasBackgroundPermission
  }

  /// Why that would not run its code; `nil` if it would.
  package func obstacle(to wake: AndroidWake) -> AndroidObstacle? {
    if phase == .stopped { return .stopped }
    if let promise = wake.promise, !promises.contains(promise) { return .notRegistered }
    guard wake.needsLocation else { return nil }
    if permission == .denied { return .denied }
    // Geofences are for those who may always know the location, also in sight (doc: create and monitor geofences).
    if wake == .geofence { return isAlways ? nil : .notInUse }
    if case .none(let obstacle) = access(isPending: true) { return obstacle }
    return nil
  }

  /// Takes one input; returns why it was refused, or `nil`.
  @discardableResult
  package mutating func handle(_ input: AndroidAppInput, at now: EngineInstant) -> AndroidObstacle?
  {
    switch input {
    case .opened: phase = .seen(inFront: true, service)
    case .covered: if case .seen(_, let service) = phase { phase = .seen(inFront: false, service) }
    case .left: leave(at: now)
    case .swipedAway: swipe()
    case .woken(let wake):
      if let obstacle = obstacle(to: wake) { return obstacle }
      wakeUp(wake, at: now)
    case .finished: if case .unseen(let unseen) = phase, unseen.until != nil { rest(at: now) }
    case .startedPlainService: startPlainService(at: now)
    case .startedService(let isLocation): return startService(isLocation, at: now)
    case .endedService: endService(at: now)
    case .stoppedByUser: if release.userStopsServices, hasForegroundService { phase = .notRunning }
    case .forceStopped: stop()
    case .memoryTaken: if isIdle { phase = .notRunning }
    case .crashed: if state.runsCode { phase = .notRunning }
    case .rebooted: reboot()
    case .registered(let promise):
      guard state.runsCode else { return .notRunning }
      promises.insert(promise)
    case .cancelled(let promise): promises.remove(promise)
    case .permitted(let permission): permit(permission)
    case .timePassed: timePassed(at: now)
    }
    return nil
  }

  private var service: Service {
    switch phase {
    case .seen(_, let service): service
    case .serving(let service): .foreground(service)
    case .unseen(let unseen) where unseen.until == nil: .plain
    case .notRunning, .stopped, .unseen, .cached, .frozen: .none
    }
  }

  /// Whether nothing of it runs.
  private var isIdle: Bool { state == .cached || state == .frozen }

  private mutating func leave(at now: EngineInstant) {
    guard case .seen(_, let service) = phase else { return }
    let grace = now.advanced(bySeconds: Self.graceAfterSight)
    switch service {
    case .foreground(let service): phase = .serving(service)
    case .none:
      phase = .unseen(Unseen(until: grace, exemption: .asIfSeen, exemptUntil: grace))
    case .plain:
      let until = release.plainServiceLasts.map { now.advanced(bySeconds: $0) }
      phase = .unseen(Unseen(until: until, exemption: .asIfSeen, exemptUntil: grace))
    }
  }

  private mutating func swipe() {
    switch phase {
    case .seen(_, .foreground(let service)): phase = .serving(service)
    case .seen, .cached, .frozen: phase = .notRunning
    case .notRunning, .stopped, .unseen, .serving: break
    }
  }

  private mutating func wakeUp(_ wake: AndroidWake, at now: EngineInstant) {
    let until = now.advanced(bySeconds: wake.lasts)
    switch phase {
    case .seen, .serving, .stopped: break
    case .unseen(var unseen):
      if let running = unseen.until { unseen.until = max(running, until) }
      if let exemption = wake.exemption {
        unseen.exemption = exemption
        unseen.exemptUntil = until
      }
      phase = .unseen(unseen)
    case .cached, .frozen, .notRunning:
      phase = .unseen(Unseen(until: until, exemption: wake.exemption, exemptUntil: until))
    }
  }

  private mutating func startPlainService(at now: EngineInstant) {
    switch phase {
    case .seen(let isInFront, .none): phase = .seen(inFront: isInFront, .plain)
    case .unseen(var unseen) where release.plainServiceLasts == nil:
      unseen.until = nil
      phase = .unseen(unseen)
    case .notRunning, .stopped, .seen, .unseen, .serving, .cached, .frozen: break
    }
  }

  private mutating func startService(_ isLocation: Bool, at now: EngineInstant) -> AndroidObstacle?
  {
    guard state.runsCode else { return .notRunning }
    let exemption = exemption(at: now)
    if exemption == nil, release.unseenStartNeedsExemption { return .startNotAllowed }
    let beganSeen = exemption == .asIfSeen
    let hasAccess = isAlways || beganSeen && permission == .whileInUse
    if isLocation, release.startChecksPermission, !hasAccess { return .startWithoutAccess }
    let service = ForegroundService(isLocation: isLocation, beganSeen: beganSeen)
    if case .seen(let isInFront, _) = phase {
      phase = .seen(inFront: isInFront, .foreground(service))
    } else {
      phase = .serving(service)
    }
    return nil
  }

  /// Why it may start a foreground service now; `nil` if nothing but an old release lets it.
  private func exemption(at now: EngineInstant) -> ServiceExemption? {
    switch phase {
    case .seen: .asIfSeen
    case .serving(let service): service.beganSeen ? .asIfSeen : .unseen
    case .unseen(let unseen): now < unseen.exemptUntil ? unseen.exemption : nil
    case .notRunning, .stopped, .cached, .frozen: nil
    }
  }

  private mutating func endService(at now: EngineInstant) {
    switch phase {
    case .seen(let isInFront, _): phase = .seen(inFront: isInFront, .none)
    case .serving: rest(at: now)
    case .unseen(let unseen) where unseen.until == nil: rest(at: now)
    case .notRunning, .stopped, .unseen, .cached, .frozen: break
    }
  }

  private mutating func stop() {
    phase = .stopped
    promises = promises.filter { !$0.isCancelledByStop(in: release) }
  }

  private mutating func reboot() {
    if phase != .stopped { phase = .notRunning }
    promises = promises.filter(\.outlivesReboot)
  }

  /// Taking a permission back ends the process (doc: request permissions).
  private mutating func permit(_ permission: AndroidPermission) {
    let isLess = permission == .denied || permission == .whileInUse && self.permission == .always
    if isLess, phase != .stopped, self.permission != permission { phase = .notRunning }
    self.permission = permission
  }

  private mutating func rest(at now: EngineInstant) {
    phase = .cached(freezesAt: release.freezesAfter.map { now.advanced(bySeconds: $0) })
  }

  private mutating func timePassed(at now: EngineInstant) {
    guard let due = nextDeadline, due <= now else { return }
    switch phase {
    case .unseen: rest(at: now)
    case .cached: phase = .frozen
    case .notRunning, .stopped, .seen, .serving, .frozen: break
    }
  }

  /// The same, with all instants counted from one, so that two that differ in time alone are equal.
  package func relative(to now: EngineInstant) -> Self {
    func moved(_ instant: EngineInstant) -> EngineInstant {
      EngineInstant(microseconds: max(0, instant.microseconds - now.microseconds))
    }
    var copy = self
    switch phase {
    case .unseen(var unseen):
      unseen.until = unseen.until.map(moved)
      unseen.exemptUntil = moved(unseen.exemptUntil)
      if unseen.exemptUntil == .zero { unseen.exemption = nil }
      copy.phase = .unseen(unseen)
    case .cached(let freezesAt): copy.phase = .cached(freezesAt: freezesAt.map(moved))
    case .notRunning, .stopped, .seen, .serving, .frozen: break
    }
    return copy
  }
}
