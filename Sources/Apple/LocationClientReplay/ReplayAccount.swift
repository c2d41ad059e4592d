// SPDX-License-Identifier: Apache-2.0

public import LocationClient
import LocationEngine
import LocationModel

/// The account of an app's replay: its events, the withheld ones, and the reasons.
///
///     let account = try ReplayedTrace("walk.nmea").run { _ in Walker() }
///     for launch in account.launches { print(launch.date, launch.reason?.rawValue ?? "by its user") }
///     print(account.why(at: account.start + 300))
///     print(account.energy, "J,", account.receiverOn, "s with the receiver on")
@dynamicMemberLookup
public struct ReplayAccount<App> {
  /// What the launch closure answered, one for each life, in order.
  public let lives: [App]
  public let record: ReplayRecord

  public subscript<Value>(dynamicMember path: KeyPath<ReplayRecord, Value>) -> Value {
    record[keyPath: path]
  }

  /// The app's state at an instant.
  public func state(at date: Date) -> CLAppState { record.state(at: date) }

  /// The reason why the app was told something, or nothing, at an instant, in one sentence.
  public func why(at date: Date) -> String { record.why(at: date) }
}

extension ReplayAccount: Sendable where App: Sendable {}

/// The account of a replay without its apps. All dates are the trace's.
public struct ReplayRecord: Sendable {
  /// The time of the first event.
  public internal(set) var start = Date(timeIntervalSince1970: 0)
  /// The time of the last event.
  public internal(set) var end = Date(timeIntervalSince1970: 0)
  /// The positions that were handed to the app, in order, in all its lives.
  public internal(set) var deliveries: [ReplayedDelivery] = []
  /// Judgements of fixes, the newest 100,000.
  public internal(set) var verdicts: [ReplayedVerdict] = []
  /// The number of judgements by name: `delivered`, `too_close`, …
  public internal(set) var verdictCounts: [String: Int] = [:]
  /// Changes of the app's state.
  public internal(set) var states: [ReplayedState] = []
  /// Each launch of the app.
  public internal(set) var launches: [ReplayedLaunch] = []
  /// Local notifications that were due, and their fates.
  public internal(set) var notifications: [ReplayedNotification] = []
  /// The times when the receiver was switched on or off.
  public internal(set) var receiver: [ReplayedReceiver] = []
  /// What the app's authorization requests asked for.
  public internal(set) var requests: [CLAuthorizationStatus] = []
  /// The library's complaints about the app on standard error, a line each.
  public internal(set) var complaints: [String] = []
  /// The number of times that the app, or the library for it, reported its work done.
  public internal(set) var finishedWork = 0
  /// Joules above the device's baseline, nominal, of all radio and processor use by the app.
  public internal(set) var energy = 0.0
  /// Seconds for which the receiver was on.
  public internal(set) var receiverOn = 0.0

  /// What was expected of the trace (`ReplayedTrace.expect`) and does not hold, in that order.
  public internal(set) var unmet: [UnmetExpectation] = []

  static let verdictLimit = 100_000

  /// The app's state at an instant.
  public func state(at date: Date) -> CLAppState {
    states.last { $0.date <= date }?.state ?? .notRunning
  }

  /// The reason why the app was told something, or nothing, at an instant, in one sentence.
  public func why(at date: Date) -> String {
    let state = state(at: date)
    let plan = receiver.last { $0.date <= date }
    let verdict = verdicts.last { $0.date <= date && date.timeIntervalSince($0.date) < 1 }
    if let verdict { return verdict.description }
    guard plan?.isOn == true else {
      return "receiver_off: \(plan?.reason ?? "nobody has asked"); the app is \(state.rawValue)"
    }
    return "no fix: the receiver is on and has reported none; the app is \(state.rawValue)"
  }
}

/// One position that was handed to the app.
public struct ReplayedDelivery: Sendable {
  public let date: Date
  /// `standard`, `significant` or `continuous`.
  public let service: String
  public let location: CLLocation
  /// Whether it is an old position, handed out at the start of a service.
  public let isCached: Bool
}

/// The reason why one fix was delivered or was not.
public struct ReplayedVerdict: Sendable, CustomStringConvertible {
  public let date: Date
  public let service: String
  /// `delivered`, `too_close`, `too_soon`, `inaccurate`, `invalid`, `duplicate`, `late`,
  /// `jump_unconfirmed`, `not_running`, `suspended`, `unauthorized`, `withheld` or `receiver_off`.
  public let outcome: String
  /// Metres from the last delivery, and the required distance; `nil` if that did not count.
  public let moved: Double?
  public let movedRequired: Double?
  /// Seconds since the last delivery, and the required time.
  public let since: Double?
  public let sinceRequired: Double?
  /// Metres.
  public let accuracy: Double?

  /// `too_close: 412 m of 500 m, 188 s of 300 s, accuracy 35 m`.
  public var description: String {
    var parts: [String] = []
    if let moved { parts.append(Self.part(moved, movedRequired, "m")) }
    if let since { parts.append(Self.part(since, sinceRequired, "s")) }
    if let accuracy { parts.append("accuracy \(Self.whole(accuracy)) m") }
    return parts.isEmpty ? outcome : outcome + ": " + parts.joined(separator: ", ")
  }

  private static func part(_ value: Double, _ required: Double?, _ unit: String) -> String {
    required.map { "\(whole(value)) \(unit) of \(whole($0)) \(unit)" }
      ?? "\(whole(value)) \(unit)"
  }

  private static func whole(_ value: Double) -> String {
    String(format: "%.0f", value)
  }
}

/// A change of the app's state.
public struct ReplayedState: Sendable {
  public let date: Date
  public let state: CLAppState
  /// `woken by location`, `purged`, …
  public let reason: String
}

/// A launch of the app; without a reason, the user launched it.
public struct ReplayedLaunch: Sendable {
  public let date: Date
  public let reason: CLLaunchReason?
}

/// A local notification that was due.
public struct ReplayedNotification: Sendable {
  public let date: Date
  /// The text for the user; empty if there is none.
  public let body: String
  public let fate: Fate

  /// Its outcome.
  public enum Fate: String, Sendable {
    /// The app was active and received it; the user was not alerted.
    case handedOver = "handed_over"
    /// The user was alerted.
    case alerted
    /// The user does not let the app notify (`ReplayedTrace.allowsNotifications`).
    case notAllowed = "not_allowed"
    /// The app had scheduled 128 already.
    case noRoom = "no_room"
  }
}

/// A change of the receiver's mode.
public struct ReplayedReceiver: Sendable {
  public let date: Date
  public let isOn: Bool
  public let reason: String
}

extension ReplayedNotification.Fate {
  init(_ fate: NotificationFate) {
    self =
      switch fate {
      case .handedOver: .handedOver
      case .alerted: .alerted
      case .notAllowed: .notAllowed
      case .noRoom: .noRoom
      }
  }
}
