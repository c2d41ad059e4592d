// SPDX-License-Identifier: Apache-2.0

import CReplayClock
import FixFormats
import JSONText
public import LocationClient
import LocationEngine
import LocationModel
import RadioPower
import Replay
import ServiceCore
import TraceFiles

// Theory
// ======
//
// An app's location code runs unchanged over a trace, in virtual time: engine, receiver, cells and life cycle are those
// of the replay; only the app is real. Virtual time stands still while app code runs, so an app's work takes no time.
// `Date()` returns the trace's time in code that the replay calls. An app's own timers ignore the trace; `clock`
// follows it.
//
//   run ─► launch closure (nil) ─► delegates are called … ─► purged: objects of this life hear no more
//                                                        └─► a significant change: launch closure (.location)
//
// A manager belongs to the run because it was made inside the closure, or by code called from there. In `run(_:)`
// delegates are called on the caller's thread, whatever the manager's queue. In the other two they are called on the
// main queue if that is the manager's, else on the replay's thread. A manager that was made elsewhere, in a detached
// task or on a thread of the app, belongs to no life: all its requests are refused, and it does not contact a daemon
// while a replay runs in its process. A manager in a static property outlives its life and belongs to the life in which
// it is used.

/// A recorded trace over which an app's location code is run.
///
///     var trace = try ReplayedTrace("walk.nmea")
///     trace.background(after: 60)
///     let account = try trace.run { reason in Walker() }
///     #expect(account.lives.count == account.launches.count)
public struct ReplayedTrace: Sendable {
  /// Whether the app declares the background mode `location`.
  public var declaresLocationMode = false
  /// Other background modes that the app declares, by their names in an Info.plist (`UIBackgroundModes`), such as
  /// `fetch`, `voip`, `audio` and `remote-notification`.
  public var backgroundModes: [String] = []
  /// Whether the user allows the app's notifications, in eras that ask.
  public var allowsNotifications = false
  /// Whether leaving the foreground ends the app.
  public var exitsOnSuspend = false
  /// The authorization at the start.
  public var authorization = CLAuthorizationStatus.authorizedAlways
  /// The accuracy that the user allows the app.
  public var accuracyAuthorization = CLAccuracyAuthorization.fullAccuracy
  /// The user's answer if the app asks for an authorization and the era shows a prompt: if nothing was decided, and
  /// from *when in use* to *always*; `nil` grants the request.
  public var answer: CLAuthorizationStatus?
  /// A device profile, which describes receiver, modem and motion sensor: the name of a built-in one, or a file
  /// (`milepost profiles show --file` prints one to start from), recognized by its `/` or `.`. A run throws
  /// `ReplayError` if there is no such profile, or if it is faulty.
  public var device = ProfileLibrary.defaultDevice
  /// A significant-change policy by name; `nil` is `ios`, the documented rules, which draw nothing by chance, and the
  /// usual policy of a device without a modem. A run throws `ReplayError` if there is no policy of that name.
  public var policy: String?
  /// The generation of background rules: `ios4`, `ios7`, `ios13` or `today`. For any other name a run throws
  /// `ReplayError`.
  public var era = Era.usual.name
  /// Rules that differ from the era's, by their keys in a scenario's file: `["task_budget_s": 8, "has_voip": false]`.
  public var eraRules: [String: EraValue] = [:]
  /// The seed of all random draws; the same seed gives the same run.
  public var seed: UInt64 = 1
  /// The type of the receiver's first start; `nil` is the usual one of the device: assisted for a phone, else cold.
  public var firstStart: FirstStart?
  /// Whether acquisition times are drawn at random; otherwise they are the profile's means.
  public var drawsAcquisition = true
  /// Changes nothing: stamps are the trace's own, and so is `Date()` in code that the replay calls.
  @available(*, deprecated, message: "stamps need no shift: Date() is the trace's in app code")
  public var stampsAsLive: Bool {
    get { false }
    set {}
  }
  /// The virtual time, for app code that reads or awaits it.
  public let clock = ReplayClock()
  /// The seconds of real time that app code may take for one event in `run(main:)` and `run(onMain:)`; more is an
  /// error.
  public var patience = 10.0

  private let path: String
  private let surveyed: SurveyedTrace
  /// The acts of the user, with their delays in seconds.
  private var acts: [(after: Double, what: Happening)] = []
  /// What must hold, and the places that its sentences name.
  var expected: [String] = []
  var expectedPlaces: [JSONValue.Member] = []

  /// The age of the receiver's last known position.
  public enum FirstStart: String, Sendable {
    case cold, warm, hot, assisted
  }

  /// Reads the trace at `path`, in any format that Milepost reads.
  ///
  /// The truth is taken from the file beside the trace (`walk.truth.csv` beside `walk.nmea`), if there is one. Throws
  /// `ReplayError` if the file cannot be read or holds nothing to replay.
  public init(_ path: String) throws {
    self.path = path
    surveyed = try Self.reading {
      try SurveyedTrace(TraceFile(path: path), truthPath: TraceFile.truthPath(beside: path))
    }
  }

  private static func reading<Read>(_ read: () throws -> Read) throws -> Read {
    do { return try read() } catch let error as Complaint {
      throw ReplayError(error.message)
    }
  }

  // MARK: The user's part; seconds count from the trace's first fix

  /// The user puts the app away.
  public mutating func background(after seconds: Double) { addAct(.background(Self.app), seconds) }

  /// The user comes back to the app, or starts it if it is not running.
  public mutating func foreground(after seconds: Double) { addAct(.open(Self.app), seconds) }

  /// The user swipes the app away.
  public mutating func forceQuit(after seconds: Double) { addAct(.forceQuit(Self.app), seconds) }

  /// The system ends the app in an orderly way: it is told, and has 5 s.
  public mutating func terminate(after seconds: Double) { addAct(.terminate(Self.app), seconds) }

  /// The system needs memory: a suspended app is gone.
  public mutating func purge(after seconds: Double) { addAct(.purge(Self.app), seconds) }

  /// The user changes the app's authorization.
  public mutating func authorize(_ status: CLAuthorizationStatus, after seconds: Double) {
    addAct(.authorize(Self.app, status.model), seconds)
  }

  /// A push announces data to fetch.
  public mutating func push(after seconds: Double) { addAct(.event(Self.app, .push), seconds) }

  /// A push asks for the device's location.
  public mutating func locationPush(after seconds: Double) {
    addAct(.event(Self.app, .locationPush), seconds)
  }

  /// The device is locked: the app enters the background.
  public mutating func lock(after seconds: Double) { addAct(.lock, seconds) }

  /// The device is unlocked, for the first time if it was booted before.
  public mutating func unlock(after seconds: Double) { addAct(.device(.unlocked), seconds) }

  /// The device reboots, and is locked.
  public mutating func reboot(after seconds: Double) {
    addAct(.device(.rebooted(isLocked: true)), seconds)
  }

  /// A call comes in, or is over: the foreground app is interrupted, and audio stops.
  public mutating func call(_ isOn: Bool, after seconds: Double) {
    addAct(.device(.call(isOn)), seconds)
  }

  /// Low Power Mode is switched on or off.
  public mutating func lowPower(_ isOn: Bool, after seconds: Double) {
    addAct(.device(.lowPower(isOn)), seconds)
  }

  /// Background refresh is allowed or forbidden.
  public mutating func backgroundRefresh(_ isOn: Bool, after seconds: Double) {
    addAct(.device(.backgroundRefresh(isOn)), seconds)
  }

  /// The network is lost, or back: a watched socket wakes its app.
  public mutating func network(_ isUp: Bool, after seconds: Double) {
    addAct(.network(isUp), seconds)
  }

  private mutating func addAct(_ what: Happening, _ seconds: Double) {
    acts.append((max(0, seconds), what))
  }

  /// The run's name for its only app.
  static let app = RunPlan.soleApp

  // MARK: Running

  /// Runs an app over the whole trace and returns the account.
  ///
  /// `launch` makes the app. It is called again, with the reason, whenever the app is relaunched after it was purged or
  /// ended; `nil` is a launch by the user. Its result is held while that life lasts, and handed out in `lives`.
  /// Everything is called on this thread. Throws `ReplayError` and the errors of `launch`.
  public func run<App>(_ launch: @escaping (CLLaunchReason?) throws -> App) throws
    -> ReplayAccount<App>
  {
    let lives = Lives<App>()
    let driver = Driver(self, .here { reason in lives.all.append(try launch(reason)) })
    let record = try LocationSession.replaying { try replay(driver) }
    return ReplayAccount(lives: lives.all, record: record)
  }

  /// Runs an app that lives on the main actor, as apps with a user interface do.
  ///
  /// As `run(_:)`, but `launch` and the delegates of managers whose queue is the main one are called on the main actor.
  /// Tasks there and work on the main queue that they begin are done before virtual time goes on. The replay has its
  /// own thread. The main queue must be served, as it is in tests and in programs whose main function is `async`.
  public func run<App: Sendable>(
    onMain launch: @escaping @MainActor @Sendable (CLLaunchReason?) throws -> App
  ) async throws -> ReplayAccount<App> {
    let lives = MainLives<App>()
    let record = try await replayOnOwnThread(
      .onMain { reason in lives.all.append(try launch(reason)) })
    return ReplayAccount(lives: await lives.all, record: record)
  }

  /// Runs an app that is an asynchronous function, such as a loop over `CLLocationUpdate.liveUpdates()`.
  ///
  /// Virtual time goes on while the app waits for the next update, and after `main` has returned. At the end of a life
  /// its task is cancelled and its sequences end. The replay has its own thread.
  public func run(main: @escaping @Sendable (CLLaunchReason?) async -> Void) async throws
    -> ReplayAccount<Void>
  {
    let record = try await replayOnOwnThread(.task(main))
    return ReplayAccount(
      lives: [Void](repeating: (), count: record.launches.count), record: record)
  }

  private func replayOnOwnThread(_ app: Driver.App) async throws -> ReplayRecord {
    let driver = Driver(self, app)
    return try await withCheckedThrowingContinuation { continuation in
      Thread {
        continuation.resume(
          with: Result { try LocationSession.replaying { try replay(driver) } })
      }.start()
    }
  }

  private func replay(_ driver: Driver) throws -> ReplayRecord {
    replay_clock_begin()
    defer {
      driver.endProcess()
      replay_clock_end()
    }
    let (plan, options) = try (plan(), options())
    let declaration = try declaration()
    var judge = try judge()
    let acts = acts.sorted { $0.after < $1.after }.map { UserAct($0.what, after: $0.after) }
    let run = Run(
      plan, running: driver, declaring: declaration, acts: acts, options: options,
      records: judge == nil ? [] : [.events],
      answer: answer?.model, expecting: surveyed.replayed.duration, observer: driver)
    var comparison = Comparison(
      run, options: options, summary: surveyed.replayed, observed: surveyed.observed)
    try Self.reading {
      try surveyed.forEachPiece(of: TraceFile(path: path)) { events in
        // One at a time, so that a failing app stops the replay there.
        for event in events {
          judge?.takeTruth([event])
          comparison.feed(event)
          judge?.takeAccount(comparison.drainEvents(ofRun: 0))
          if let failure = driver.failure { throw failure }
        }
      }
    }
    let result = comparison.finishTrace()
    judge?.takeAccount(comparison.drainEvents(ofRun: 0))
    driver.endProcess()
    if let failure = driver.failure { throw failure }
    var record = driver.account
    if let run = result.runs.first {
      record.energy = run.energy.total.nominal
      record.receiverOn = run.receiverOn
    }
    record.unmet = judge?.failures(joules: record.energy).map { UnmetExpectation($0) } ?? []
    return record
  }
}

extension ReplayedTrace {
  private func declaration() throws -> AppDeclaration {
    var declaration = AppDeclaration()
    for name in backgroundModes {
      guard let mode = BackgroundModes(named: name) else {
        throw ReplayError(
          "there is no background mode '\(name)'; known: "
            + BackgroundModes.names.map(\.name).joined(separator: ", "))
      }
      declaration.modes.insert(mode)
    }
    if declaresLocationMode { declaration.declaresLocationMode = true }
    declaration.mayNotify = allowsNotifications
    declaration.exitsOnSuspend = exitsOnSuspend
    declaration.authorization = authorization.model
    declaration.accuracy = accuracyAuthorization == .reducedAccuracy ? .reduced : .full
    return declaration
  }

  private func options() throws -> ReplayOptions {
    let device = try profile()
    let network = try? ProfileLibrary.network(named: device.network)
    var options = ReplayOptions(device: device, network: network ?? nil)
    options.rules = try rules
    options.seed = seed
    options.drawsAcquisition = drawsAcquisition
    switch firstStart {
    case .cold: options.firstStart = .cold
    case .warm: options.firstStart = .warm
    case .hot: options.firstStart = .hot
    case .assisted: options.firstStart = .assisted
    case nil: break
    }
    return options
  }

  private func plan() throws -> RunPlan {
    let device = try profile()
    // The documented limit, not the measured one: a test of an app should not depend on a random draw.
    var chosen = device.cellEvents == .none ? SignificantPolicy.usual(for: device) : .ios
    if let policy {
      guard let named = SignificantPolicy.named(policy, for: device, seed: seed) else {
        throw ReplayError(
          "there is no policy '\(policy)'; known: " + PolicyKind.words())
      }
      chosen = named
    }
    return RunPlan(.standard, .foreground, policy: chosen)
  }

  private func profile() throws -> DeviceProfile {
    if device.contains("/") || device.contains(".") { return try profile(inFile: device) }
    guard let profile = try? ProfileLibrary.device(named: device) else {
      throw ReplayError(
        "there is no device profile '\(device)'; known: "
          + ProfileLibrary.devices.joined(separator: ", ") + "; a file is named with its / or .")
    }
    return profile
  }

  private func profile(inFile path: String) throws -> DeviceProfile {
    let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw ReplayError("\(path): there is no file of a device profile, or it cannot be read")
    }
    do throws(ProfileErrors) {
      return try DeviceProfile.parse([UInt8](bytes).span, name: name)
    } catch {
      throw ReplayError(
        "\(path): \(error.errors.first?.description ?? "not a profile") "
          + "(milepost profiles check says all that is wrong)")
    }
  }
}

/// The reason why a replay could not be made.
public struct ReplayError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The fault, its place and its remedy.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// The apps that a run has launched on the main actor.
@MainActor
private final class MainLives<App: Sendable> {
  var all: [App] = []

  nonisolated init() {}
}

/// The apps that a run has launched; used only by the thread of the replay.
private final class Lives<App> {
  var all: [App] = []
}
