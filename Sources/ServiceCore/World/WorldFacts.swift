// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract
import Wording

/// The world as the service has seen it, for those who ask how it is.
struct WorldFacts: Sendable, Equatable {
  /// The words of `link` before anybody needed a fix.
  static let notAsked = "not asked yet"

  /// The line to gpsd, in words, since when that is so, and whether it is there.
  var link = notAsked
  var linkSince: UTCInstant
  var isConnected = false
  /// Whether gpsd was asked for, and is not there.
  var isUnreachable: Bool { !isConnected && link != Self.notAsked }
  /// Why gpsd could not be reached the last time; `nil` while it answers.
  var linkTrouble: String?
  /// Since when the receiver is on, or off.
  var planSince: UTCInstant
  /// When it was last switched on; `nil` while it is off.
  var onAt: EngineInstant?
  var isWatching = false
  /// gpsd's release; `nil` before it has said it.
  var release: String?
  /// Paths of open devices, with their drivers.
  var devices: [Device] = []

  struct Device: Sendable, Equatable {
    let path: String
    let driver: String?
    /// When its last report came.
    var lastReport: EngineInstant?
  }
  /// The newest fix of any device, when it came, and from which.
  var lastFix: Fix?
  var lastFixAt: EngineInstant?
  var lastFixReceived: UTCInstant?
  var lastDevice: String?
  /// The receiver's last sky, and when it came; kept only where gpsd's clients may ask.
  var sky: Sky?
  var skyAt: EngineInstant?
  /// Faults of what gpsd sent, and how often; bounded by the kinds there are.
  var troubles: [String: Int] = [:]
  /// The messages that found the host's inbox full.
  var lost: [RefusableEvent: Int] = [:]
  /// Why nothing can be written now; `nil` where all is well.
  var storeTrouble: String?
  /// Faults of the database that was found.
  let storeWarning: String?
  /// Whether what an earlier service left could be read: only then is an unknown app none of ours.
  let isStoreRead: Bool
  /// Whether the machine was on external power when it last told so, also to the service before this one.
  var isOnExternalPower = false
  /// Joules by component of all services before this one.
  let energyBefore: [String: Double]
  /// The time before this start in which nobody watched; `nil` at a first start.
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

  /// The receiver's plan has changed, or is taken over.
  mutating func follow(_ plan: ReceiverPlan, at now: ServiceTime) {
    // Nobody tries to reach gpsd any more: what was last said of it would be stale.
    if !plan.isOn, !isConnected { link = Self.notAsked }
    planSince = now.utc
    onAt = plan.isOn ? onAt ?? now.at : nil
  }

  /// The host's clock has been set: since when something is so is said by its new reading.
  mutating func follow(_ step: ClockStep) {
    linkSince = step.corrected(linkSince)
    planSince = step.corrected(planSince)
    lastFixReceived = lastFixReceived.map(step.corrected)
  }

  /// gpsd is elsewhere now.
  mutating func forgetGPSD(at now: ServiceTime) {
    (isConnected, isWatching, devices) = (false, false, [])
    (link, linkSince, linkTrouble, release) = (Self.notAsked, now.utc, nil, nil)
  }
}

extension WorldFacts {
  /// Seconds after which a fix is none of now: as for the meter, which takes the receiver for searching.
  static let freshness = ServiceMeter.silence

  /// Why no fixes come though the receiver is wanted; `nil` where they do, or it is off.
  ///
  /// `wanted` is the only device that is watched, `nil` for all.
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
