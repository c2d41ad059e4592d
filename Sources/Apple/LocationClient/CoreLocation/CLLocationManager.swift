// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
public import Dispatch
public import Foundation
import LocationModel

// Threads
// =======
//
// Core Location calls a delegate on the thread whose run loop made the manager. Programs on Linux often have no run
// loop, so a queue replaces it: `delegateQueue`, by default the main queue, which `dispatchMain()`,
// `RunLoop.main.run()` and an `async` main function all serve (after `dispatchMain()` any thread may serve it; it is
// still the main actor's). A manager may be used from any thread; `lock` guards its own state, the session guards the
// rest. In a replay, `ReplayedTrace` says on which thread a delegate is called.
//
// Lives
// =====
//
// A replay runs the successive processes of an app within one process. A manager in a static property is made once, so
// later lives use it although they did not make it. There it behaves as if a new process had made it: its settings and
// delegate stay, nothing is under way, and it receives what a new manager receives.
//
//   made ─► heard in its life ─► that life ends: deaf ─► used in another one: heard there

/// The object through which an app asks for locations; `CLLocationManagerDelegate` has an example.
open class CLLocationManager: NSObject, @unchecked Sendable {
  private let lock = NSLock()
  /// The mailbox of the life in which the manager was used last.
  private var held: Mailbox
  private weak var heldDelegate: (any CLLocationManagerDelegate)?
  private var request = StandardRequest()
  private var activity = CLActivityType.other
  private var headingStep: CLLocationDegrees = 1
  private var orientation = CLDeviceOrientation.portrait
  private var showsIndicator = false
  private var endsWork = false

  /// A manager whose delegate is called on the main queue.
  public override init() {
    held = Mailbox(.current, queue: .main)
    super.init()
    join()
  }

  /// A manager whose delegate is called on `delegateQueue`, which should be serial.
  public init(delegateQueue: DispatchQueue) {
    held = Mailbox(.current, queue: delegateQueue)
    super.init()
    join()
  }

  private func join() {
    // As in Core Location: updates pause unless switched off, background updates are off unless switched on.
    request.pausesAutomatically = true
    request.allowsBackgroundUpdates = false
    held.join(as: self)
    held.session.send(input: .endsWorkItself(held.id, true))
  }

  deinit { held.session.leave(held.id, tickets: held.abandon()) }

  // MARK: Lives

  /// The session of the life in which the manager is used.
  var session: LocationSession { mailbox.session }
  private var id: Int { mailbox.id }

  var mailbox: Mailbox {
    let old = lock.withLock { held }
    let life = old.session.living
    return life === old.session ? old : move(from: old, to: life)
  }

  private func move(from old: Mailbox, to life: LocationSession) -> Mailbox {
    let new = Mailbox(life, queue: old.target)
    new.join(as: self)
    let (listens, endsItself): (Bool, Bool) = lock.withLock {
      held = new
      return (heldDelegate != nil, !endsWork)
    }
    life.send(input: .listens(new.id, listens ? .app : .deaf))
    life.send(input: .endsWorkItself(new.id, endsItself))
    return new
  }

  /// The queue on which the delegate is called; a change applies to calls that are not under way yet.
  public var delegateQueue: DispatchQueue {
    get { mailbox.target }
    set { mailbox.target = newValue }
  }

  open weak var delegate: (any CLLocationManagerDelegate)? {
    get { lock.withLock { heldDelegate } }
    set {
      lock.withLock { heldDelegate = newValue }
      session.send(input: .listens(id, newValue == nil ? .deaf : .app))
      // The authorization may have come before there was a delegate, if another thread serves the queue.
      if newValue != nil, let authorization = session.heardAuthorization {
        mailbox.receive(.authorization(authorization))
      }
    }
  }

  // MARK: What this machine has

  /// Whether the daemon is there, or was when this process last contacted it.
  open class func locationServicesEnabled() -> Bool {
    let session = LocationSession.current
    return session.callsInline || session.isGreeted || DaemonBackend.isPresent
  }

  /// Always true: without a modem, short scheduled sessions of the receiver stand in for cells.
  open class func significantLocationChangeMonitoringAvailable() -> Bool { true }

  /// Always true: without a compass, the receiver's course stands in for it.
  open class func headingAvailable() -> Bool { true }

  /// Always false: there are no beacons.
  open class func isRangingAvailable() -> Bool { false }

  /// Whether regions of a kind can be monitored; only circles can.
  open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
    regionClass is CLCircularRegion.Type
  }

  /// Whether the era defers updates: that of iOS 7 does.
  open class func deferredLocationUpdatesAvailable() -> Bool {
    LocationSession.current.circumstances.defersUpdates
  }

  // MARK: Authorization

  // A program's first question waits for the daemon's first message, at most 200 ms from this process's first contact;
  // after that an unknown authorization is `notDetermined`.

  /// The user's authorization; `notDetermined` if the daemon has not answered within 200 ms of this process's first
  /// contact.
  open var authorizationStatus: CLAuthorizationStatus {
    CLAuthorizationStatus(session.authorization ?? .notDetermined)
  }

  /// The form before iOS 14.
  open class func authorizationStatus() -> CLAuthorizationStatus {
    CLAuthorizationStatus(LocationSession.current.authorization ?? .notDetermined)
  }

  /// The accuracy that the user allows this app; full if the daemon has not answered within 200 ms of this process's
  /// first contact.
  open var accuracyAuthorization: CLAccuracyAuthorization {
    CLAccuracyAuthorization(session.accuracy)
  }

  /// Always false: there are no widgets here.
  open var isAuthorizedForWidgetUpdates: Bool { false }

  /// Shows no prompt: the completion is called on `delegateQueue`, without an error if accuracy is full, else with
  /// `promptDeclined`.
  open func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let refusal = refusalOfFullAccuracy
    if let completion { session.post(on: mailbox.target) { completion(refusal) } }
  }

  /// Returns at once; throws `promptDeclined` if accuracy is reduced.
  open func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String)
    async throws
  {
    if let refusal = refusalOfFullAccuracy { throw refusal }
  }

  private var refusalOfFullAccuracy: CLError? {
    session.accuracy == .full ? nil : .onlyReduced
  }

  /// Asks the user, who answers with `milepost apps authorize`; no dialog appears.
  open func requestWhenInUseAuthorization() { session.send(input: .asks(.whenInUse)) }

  /// Asks the user, who answers with `milepost apps authorize`; no dialog appears.
  open func requestAlwaysAuthorization() { session.send(input: .asks(.always)) }

  // MARK: Standard updates

  /// Metres, best effort; the default is the best accuracy.
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

  /// Whether updates pause after the device has rested; true by default.
  open var pausesLocationUpdatesAutomatically: Bool {
    get { lock.withLock { request.pausesAutomatically } }
    set { changeRequest { $0.pausesAutomatically = newValue } }
  }

  /// Whether updates of an app with the declared mode keep it running in the background; false by default.
  ///
  /// Core Location ends a program that sets this without having declared the mode; here it then has no effect.
  open var allowsBackgroundLocationUpdates: Bool {
    get { lock.withLock { request.allowsBackgroundUpdates } }
    set { changeRequest { $0.allowsBackgroundUpdates = newValue } }
  }

  /// Remembered; changes nothing, since there is no status bar that shows use of location.
  open var showsBackgroundLocationIndicator: Bool {
    get { lock.withLock { showsIndicator } }
    set { lock.withLock { showsIndicator = newValue } }
  }

  /// Begins updates, or begins them again after a pause; also ends a request of one location.
  open func startUpdatingLocation() {
    mailbox.with { $0.isUpdating = true }
    let request = lock.withLock { self.request }
    session.change(id, restarts: true) {
      $0.standard = request
      $0.once = false
    }
  }

  /// Ends updates and a request of one location.
  open func stopUpdatingLocation() {
    mailbox.with { $0.isUpdating = false }
    session.change(id) {
      $0.standard = nil
      $0.once = false
    }
  }

  /// Requests one position of `desiredAccuracy`, if possible, for `didUpdateLocations`.
  ///
  /// After 10 s the best position so far is delivered; if there is none, `didFailWithError` receives `locationUnknown`
  /// and the request is over. `stopUpdatingLocation` ends the request.
  open func requestLocation() {
    let accuracy = desiredAccuracy
    session.change(id) {
      $0.once = true
      $0.onceAccuracy = accuracy
    }
  }

  /// The newest position that any manager of this process received; before the first, the one that launched the
  /// process; `nil` without either.
  open var location: CLLocation? { session.latest }

  // MARK: Significant changes

  /// Monitoring continues after the manager or the process is gone; only `stop…` ends it.
  open func startMonitoringSignificantLocationChanges() {
    session.change(id) { $0.significant = true }
  }

  open func stopMonitoringSignificantLocationChanges() {
    session.change(id) { $0.significant = false }
    session.send(input: .stopsSignificant)
  }

  // MARK: Heading

  /// The last heading that this manager received; `nil` before the first.
  open var heading: CLHeading? { mailbox.with { $0.heading } }

  /// The minimum change since the last reported heading, degrees; 1 by default, `kCLHeadingFilterNone` reports all.
  open var headingFilter: CLLocationDegrees {
    get { lock.withLock { headingStep } }
    set {
      lock.withLock { headingStep = newValue }
      if mailbox.with({ $0.updatesHeading }) { startUpdatingHeading() }
    }
  }

  /// Remembered; changes nothing.
  open var headingOrientation: CLDeviceOrientation {
    get { lock.withLock { orientation } }
    set { lock.withLock { orientation = newValue } }
  }

  /// Reports the device's direction from a sensor of gpsd; without one, its course from 0.6 m/s on. The receiver is on
  /// for it while the app runs.
  open func startUpdatingHeading() {
    mailbox.with { $0.updatesHeading = true }
    let step = headingFilter
    let filter = step > 0 ? min(step, 180) : nil
    session.change(id) { $0.heading = HeadingRequest(isOn: true, filter: filter) }
  }

  open func stopUpdatingHeading() {
    mailbox.with { $0.updatesHeading = false }
    session.change(id) { $0.heading = nil }
  }

  /// Nothing is displayed.
  open func dismissHeadingCalibrationDisplay() {}

  // MARK: Regions

  /// Metres: circles with a larger radius are refused.
  open var maximumRegionMonitoringDistance: CLLocationDistance { MonitoredRegion.radii.upperBound }

  /// The monitored regions of this app, from all managers; without those of a `CLMonitor`.
  open var monitoredRegions: Set<CLRegion> {
    let circles = session.regions.entries.map(\.circle)
    return Set(
      circles.filter { !$0.identifier.hasPrefix(MonitorWatch.mark) }.map { CLCircularRegion($0) })
  }

  /// Monitors a circle until it is stopped, even while the app does not run; it replaces one with the same identifier.
  /// `monitoringDidFailFor` reports a failure.
  open func startMonitoring(for region: CLRegion) {
    guard let circle = MonitoredRegion(region) else { return refuse(region) }
    session.send(input: .regions(.monitor(circle, by: id)))
  }

  open func stopMonitoring(for region: CLRegion) {
    session.send(input: .regions(.stop(region.identifier)))
  }

  /// Asks whether the device is in a monitored region; the answer comes to `didDetermineState`.
  open func requestState(for region: CLRegion) {
    guard let circle = MonitoredRegion(region) else { return refuse(region) }
    session.send(input: .regions(.requestState(circle, by: id)))
  }

  private func refuse(_ region: CLRegion) {
    session.post(on: mailbox.target) { [weak self] in
      guard let self else { return }
      delegate?.locationManager(
        self, monitoringDidFailFor: region,
        withError: CLError(.regionMonitoringFailure, region.refusal))
    }
  }

  // MARK: Visits

  /// Monitoring continues after the manager or the process is gone; only `stop…` ends it.
  open func startMonitoringVisits() { session.change(id) { $0.visits = true } }

  open func stopMonitoringVisits() {
    session.change(id) { $0.visits = false }
    session.send(input: .regions(.stopsVisits))
  }

  // MARK: Deferred updates

  /// Defers continuous, unfiltered updates of the best accuracy in the background, up to a distance in metres or a time
  /// in seconds. Then all are delivered, and `didFinishDeferredUpdatesWithError`. Meanwhile the app is suspended.
  open func allowDeferredLocationUpdates(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval
  ) {
    session.send(input: .defers(id, Deferral(untilTravelled: distance, timeout: timeout)))
  }

  open func disallowDeferredLocationUpdates() { session.send(input: .defers(id, nil)) }

  // MARK: Ours

  /// The reason why Milepost started this process; `nil` if the user started it.
  open class var launchReason: CLLaunchReason? {
    let session = LocationSession.current
    if let reason = session.launchReason { return CLLaunchReason(reason) }
    return session.callsInline ? nil : DaemonBackend.launchReason
  }

  /// The state of this app; `nil` until the daemon has answered.
  open var appState: CLAppState? { session.state.map { CLAppState($0) } }

  /// Asks for a wake when the device moves (felt, or seen by positions) while updates rest; outlives the process.
  open func startMonitoringMotion() { session.change(id) { $0.motion = true } }

  /// Ends it, also that of an earlier process.
  open func stopMonitoringMotion() {
    session.change(id) { $0.motion = false }
    session.send(input: .stopsMotion)
  }

  /// Whether the work of a wake counts as done when the delegate has returned and no standard updates are on. False by
  /// default: the app may continue for about 10 s, or ends earlier with `finishWork`.
  open var finishesWorkAutomatically: Bool {
    get { lock.withLock { endsWork } }
    set {
      lock.withLock { endsWork = newValue }
      session.send(input: .endsWorkItself(id, !newValue))
    }
  }

  /// Ends the work for which the app was woken: the app may be suspended.
  open func finishWork() { session.send(input: .finishedWork) }

  private func changeRequest(_ change: (inout StandardRequest) -> Void) {
    let changed = lock.withLock {
      change(&request)
      return request
    }
    if mailbox.with({ $0.isUpdating }) { session.change(id) { $0.standard = changed } }
  }
}
