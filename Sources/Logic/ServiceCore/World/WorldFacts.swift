// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract
import Wording

/// The world as seen by the service, for status queries.
struct WorldFacts: Sendable, Equatable {
  /// What `link` said before any fix was needed.
  static let notAsked = "not asked yet"

  /// The line to gpsd, in words, since when, and whether it is connected.
  var link = notAsked
  var linkSince: UTCInstant
  var isConnected = false
  /// Whether gpsd is needed but not connected.
  var isUnreachable: Bool { !isConnected && link != Self.notAsked }
  /// The reason why gpsd could not be reached the last time; `nil` while it answers.
  var linkTrouble: String?
  /// The time since which the receiver is on, or off.
  var planSince: UTCInstant
  /// The time of its last switching on; `nil` while it is off.
  var onAt: EngineInstant?
  var isWatching = false
  /// gpsd's release; `nil` before its first message.
  var release: String?
  /// Paths of open devices, with their drivers.
  var devices: [Device] = []

  struct Device: Sendable, Equatable {
    let path: String
    let driver: String?
    /// The time of its last report.
    var lastReport: EngineInstant?
  }
  /// The newest fix of any device, its time, and its device.
  var lastFix: Fix?
  var lastFixAt: EngineInstant?
  var lastFixReceived: UTCInstant?
  var lastDevice: String?
  /// The receiver's last sky, and its time; kept only if gpsd's clients may ask.
  var sky: Sky?
  var skyAt: EngineInstant?
  /// Faults of gpsd's data, and their counts; bounded by the number of kinds.
  var troubles: [String: Int] = [:]
  /// The messages that found the host's inbox full.
  var lost: [RefusableEvent: Int] = [:]
  /// The reason why nothing can be written now; `nil` if all is well.
  var storeTrouble: String?
  /// Faults of the database found.
  let storeWarning: String?
  /// Whether the state of an earlier service could be read: only then is an unknown app none of ours.
  let isStoreRead: Bool
  /// Whether the machine was on external power at its last report, including to the service before this one.
  var isOnExternalPower = false
  /// Joules by component of all services before this one.
  let energyBefore: [String: Double]
  /// The unwatched time before this start; `nil` at a first start.
  let gap: EngineClock.Gap?

  init(_ beginning: ServiceBeginning, at time: ServiceTime) {
    storeTrouble = beginning.storeTrouble
    let warnings = beginning.storeWarnings
    storeWarning = warnings.isEmpty ? nil : warnings.joined(separator: "\n")
    isStoreRead = beginning.isStoreRead
    energyBefore = beginning.stored.energy
    gap = beginning.clock.gap
    linkSince = time.utc
    planSince = time.utc
  }

  /// Takes a change of the receiver's plan, or the restored plan.
  mutating func follow(_ plan: ReceiverPlan, at now: ServiceTime) {
    // No attempts to reach gpsd are made any more: its last state would be stale.
    if !plan.isOn, !isConnected { link = Self.notAsked }
    planSince = now.utc
    onAt = plan.isOn ? onAt ?? now.at : nil
  }

  /// Follows a step of the host's clock: starting times are given by its new reading.
  mutating func follow(_ step: ClockStep) {
    linkSince = step.corrected(linkSince)
    planSince = step.corrected(planSince)
    lastFixReceived = lastFixReceived.map(step.corrected)
  }

  /// Forgets gpsd's state: it is elsewhere now.
  mutating func forgetGPSD(at now: ServiceTime) {
    (isConnected, isWatching, devices) = (false, false, [])
    (link, linkSince, linkTrouble, release) = (Self.notAsked, now.utc, nil, nil)
  }
}

extension WorldFacts {
  /// Seconds after which a fix is no longer current: as for the meter, which takes the receiver for searching.
  static let freshness = ServiceMeter.silence

  /// The reason why no fixes come though the receiver is wanted; `nil` if they do, or it is off.
  ///
  /// `wanted` is the only watched device, `nil` for all.
  func drought(of wanted: String?, at now: EngineInstant) -> String? {
    guard let onAt else { return nil }
    func ago(_ instant: EngineInstant) -> Double { EngineInstant.seconds(from: instant, to: now) }
    if !isConnected || !isWatching { return link }
    let fix = lastFixAt.flatMap { $0 < onAt ? nil : $0 }
    if let fix, ago(fix) <= Self.freshness { return nil }
    let open = devices.filter { wanted == nil || $0.path == wanted }
    guard !open.isEmpty else {
      return wanted.map { "gpsd has no device \($0)" } ?? "gpsd has no receiver open"
    }
    let report = open.compactMap(\.lastReport).max().flatMap { $0 < onAt ? nil : $0 }
    let missing =
      fix.map { "no fix for \(Figures.span(ago($0)))" }
      ?? "no fix in the \(Figures.span(ago(onAt))) since the receiver was switched on"
    if let report, ago(report) <= Self.freshness { return missing + "; the receiver is acquiring" }
    return missing + ", and no word of the receiver"
      + (report.map { " for \(Figures.span(ago($0)))" } ?? "")
  }
}
