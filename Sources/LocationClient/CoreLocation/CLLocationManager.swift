// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import LocationModel

// Threads
// =======
//
// Core Location calls a delegate on the thread whose run loop made the manager. Programs on Linux often
// have no run loop, so a queue says it here: `delegateQueue`, by default the main queue, which
// `dispatchMain()`, `RunLoop.main.run()` and an `async` main function all serve (after `dispatchMain()` it
// is served by any thread, and is the main actor's still). A manager may be used from any thread; `lock` guards its own state, the session guards the rest. In a replay the queue does
// not count: delegates are called on the thread that runs the replay.

/// The object through which an app asks for locations.
open class CLLocationManager: NSObject, @unchecked Sendable {
  private let session: LocationSession
  private let mailbox: Mailbox
  private let id: Int
  private let lock = NSLock()
  private weak var heldDelegate: (any CLLocationManagerDelegate)?
  private var request = StandardRequest()
  private var isUpdating = false
  private var activity = CLActivityType.other
  private var headingStep: CLLocationDegrees = 1
  private var endsWork = false
  private var previous: CLLocation?

  /// A manager whose delegate is called on the main queue.
  public convenience override init() { self.init(delegateQueue: .main) }

  /// A manager whose delegate is called on `delegateQueue`, which should be serial.
  public init(delegateQueue: DispatchQueue) {
    session = .current
    mailbox = Mailbox(session, queue: delegateQueue)
    id = session.join(mailbox)
    // As Core Location has it: pauses unless it is told not to; background updates only if it is.
    request.pausesAutomatically = true
    request.allowsBackgroundUpdates = false
    super.init()
    mailbox.belongs(to: self)
  }

  deinit { session.leave(id, tickets: mailbox.abandon()) }

  /// Where the delegate is called; counts for what is not under way yet.
  public var delegateQueue: DispatchQueue {
    get { mailbox.target }
    set { mailbox.target = newValue }
  }

  open weak var delegate: (any CLLocationManagerDelegate)? {
    get { lock.withLock { heldDelegate } }
    set { lock.withLock { heldDelegate = newValue } }
  }

  // MARK: What this machine has

  /// Whether the daemon is there, or was when this process last spoke to it.
  open class func locationServicesEnabled() -> Bool {
    let session = LocationSession.current
    return session.callsInline || session.isGreeted || DaemonBackend.isPresent
  }

  /// Always true: without a modem, short scheduled sessions of the receiver stand in for cells.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

  /// Always false: there is no compass.
  open class func headingAvailable() -> Bool { false }

  // MARK: Authorization

  /// `notDetermined` until the daemon has answered.
  open var authorizationStatus: CLAuthorizationStatus {
    CLAuthorizationStatus(session.authorization ?? .notDetermined)
  }

  /// The form before iOS 14.
  open class func authorizationStatus() -> CLAuthorizationStatus {
    CLAuthorizationStatus(LocationSession.current.authorization ?? .notDetermined)
  }

  /// Always full: positions are not coarsened for anybody.
  open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }

  /// Asks the user, who answers with `milepost apps authorize`; nothing pops up.
  open func requestWhenInUseAuthorization() { session.take(.asks(.whenInUse)) }

  /// Asks the user, who answers with `milepost apps authorize`; nothing pops up.
  open func requestAlwaysAuthorization() { session.take(.asks(.always)) }

  // MARK: Standard updates

  /// Metres, best effort; the default is the best.
  open var desiredAccuracy: CLLocationAccuracy {
    get { lock.withLock { request.desiredAccuracy } }
    set { changeRequest { $0.desiredAccuracy = newValue } }
  }

  /// Metres from the last delivered position; by default every fix is delivered.
  open var distanceFilter: CLLocationDistance {
    get { lock.withLock { request.distanceFilter ?? kCLDistanceFilterNone } }
    set { changeRequest { $0.distanceFilter = newValue > 0 ? newValue : nil } }
  }

  /// Remembered; changes nothing.
  open var activityType: CLActivityType {
    get { lock.withLock { activity } }
    set { lock.withLock { activity = newValue } }
  }

  /// Whether updates pause when the device has rested; the default is yes.
  open var pausesLocationUpdatesAutomatically: Bool {
    get { lock.withLock { request.pausesAutomatically } }
    set { changeRequest { $0.pausesAutomatically = newValue } }
  }

  /// Whether updates of an app with the declared mode keep it running in the background; by default no.
  ///
  /// Core Location ends a program that sets this without having declared the mode; here it has no effect.
  open var allowsBackgroundLocationUpdates: Bool {
    get { lock.withLock { request.allowsBackgroundUpdates } }
    set { changeRequest { $0.allowsBackgroundUpdates = newValue } }
  }

  /// Begins updates, or begins them again after a pause; a request of one location ends with that.
  open func startUpdatingLocation() {
    let request = lock.withLock {
      isUpdating = true
      return self.request
    }
    session.change(id, restarts: true) {
      $0.standard = request
      $0.once = false
    }
  }

  /// Ends updates, and a request of one location too.
  open func stopUpdatingLocation() {
    lock.withLock { isUpdating = false }
    session.change(id) {
      $0.standard = nil
      $0.once = false
    }
  }

  /// One position, to `didUpdateLocations`, of `desiredAccuracy` where there is one.
  ///
  /// After 10 s the best position that came until then counts; where none came `didFailWithError` is told
  /// `locationUnknown`, and the request is over. `stopUpdatingLocation` ends it.
  open func requestLocation() {
    let accuracy = desiredAccuracy
    session.change(id) {
      $0.once = true
      $0.onceAccuracy = accuracy
    }
  }

  /// The newest position that any manager of this process got; `nil` before the first.
  open var location: CLLocation? { session.latest }

  // MARK: Significant changes

  /// Monitoring goes on when the manager, or the process, is gone; only `stop…` ends it.
  open func startMonitoringSignificantLocationChanges() {
    session.change(id) { $0.significant = true }
  }

  open func stopMonitoringSignificantLocationChanges() {
    session.change(id) { $0.significant = false }
    session.take(.stopsSignificant)
  }

  // MARK: Heading

  /// Degrees; remembered, since there is no heading.
  open var headingFilter: CLLocationDegrees {
    get { lock.withLock { headingStep } }
    set { lock.withLock { headingStep = newValue } }
  }

  /// Fails at once: the delegate is told `headingFailure`.
  open func startUpdatingHeading() {
    mailbox.take(.failure(CLError(.headingFailure, "this machine has no compass")))
  }

  open func stopUpdatingHeading() {}

  // MARK: Ours

  /// Why Milepost started this process; `nil` where its user did.
  open class var launchReason: CLLaunchReason? {
    let session = LocationSession.current
    if let reason = session.launchReason { return CLLaunchReason(reason) }
    return session.callsInline ? nil : DaemonBackend.launchReason
  }

  /// The state of this app; `nil` until the daemon has answered.
  open var appState: CLAppState? { session.state.map { CLAppState($0) } }

  /// Asks to be woken when the device begins to move while standard updates are paused or stopped.
  open func startMonitoringMotion() { session.change(id) { $0.motion = true } }

  open func stopMonitoringMotion() { session.change(id) { $0.motion = false } }

  /// Whether a wake's work counts as done when the delegate has returned and no standard updates are on.
  /// By default it does not: the app may go on for about 10 s, or says earlier that it is through, by
  /// `finishWork`.
  open var finishesWorkAutomatically: Bool {
    get { lock.withLock { endsWork } }
    set {
      lock.withLock { endsWork = newValue }
      session.take(.endsWorkItself(id, !newValue))
    }
  }

  /// The work for which the app was woken is done: it may be suspended.
  open func finishWork() { session.take(.finishedWork) }

  // MARK: Telling the delegate

  func exchangePrevious(for location: CLLocation) -> CLLocation? {
    lock.withLock {
      defer { previous = location }
      return previous
    }
  }

  private func changeRequest(_ change: (inout StandardRequest) -> Void) {
    let started: StandardRequest? = lock.withLock {
      change(&request)
      return isUpdating ? request : nil
    }
    if let started { session.change(id) { $0.standard = started } }
  }

  /// Calls the delegate for one notice, or for positions that follow each other.
  func tell(_ notices: [Notice]) {
    guard let delegate, let first = notices.first else { return }
    switch first {
    case .location:
      let locations = notices.compactMap { notice -> CLLocation? in
        guard case .location(let fix, let received, _) = notice else { return nil }
        return session.location(fix, received: received)
      }
      delegate.locationManager(self, didUpdateLocations: locations)
    case .motion: delegate.locationManagerDidDetectMotion(self)
    case .authorization(let new):
      delegate.locationManagerDidChangeAuthorization(self)
      delegate.locationManager(self, didChangeAuthorization: CLAuthorizationStatus(new))
    case .failure(let error): delegate.locationManager(self, didFailWithError: error)
    case .state(let state):
      delegate.locationManager(self, didChangeAppState: CLAppState(state))
    case .willTerminate(let seconds):
      delegate.locationManager(self, willTerminateIn: seconds)
    case .paused: delegate.locationManagerDidPauseLocationUpdates(self)
    case .resumed: delegate.locationManagerDidResumeLocationUpdates(self)
    case .lost(let count):
      delegate.locationManager(self, didLoseDeliveries: Int(clamping: count))
    }
  }
}
