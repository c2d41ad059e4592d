// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

/// What is known of the receiver: its plan, and its last words.
struct ReceiverFacts: Sendable, Equatable {
  /// A position, as it came.
  struct Heard: Sendable, Equatable {
    let at: EngineInstant
    fileprivate(set) var received: UTCInstant
    let device: String
  }

  /// The time since which the receiver is on, or off.
  private(set) var planSince: UTCInstant
  /// The time of its last switching on; `nil` while it is off.
  private var onAt: EngineInstant?
  /// The arrival of the newest position of any device.
  private(set) var heard: Heard?
  /// That position, unless a zone hides it.
  private(set) var fix: Fix?
  private var sky: (sky: Sky, at: EngineInstant)?

  init(at utc: UTCInstant) { planSince = utc }

  /// Takes a change of the receiver's plan, or the restored plan.
  mutating func follow(isOn: Bool, at now: ServiceTime) {
    planSince = now.utc
    onAt = isOn ? onAt ?? now.at : nil
  }

  mutating func follow(clockStep step: ClockStep) {
    planSince = step.corrected(planSince)
    if let heard { self.heard?.received = step.corrected(heard.received) }
  }

  mutating func receive(fixOf device: String, at now: ServiceTime) {
    heard = Heard(at: now.at, received: now.utc, device: device)
  }

  /// Notes the position that came last; `nil` if nobody may know it.
  mutating func show(_ fix: Fix?) { self.fix = fix }

  mutating func receive(sky: Sky, at now: EngineInstant) { self.sky = (sky, now) }

  /// The sky, if it is not older than `age` seconds.
  func sky(within age: Double, at now: EngineInstant) -> Sky? {
    guard let sky, EngineInstant.seconds(from: sky.at, to: now) <= age else { return nil }
    return sky.sky
  }

  /// Seconds after which a fix is no longer current: as for the meter, which takes the receiver for searching.
  static let freshness = ServiceMeter.silence

  /// The reason why no fixes come though the receiver is wanted; `nil` if they do, or it is off.
  ///
  /// `wanted` is the only watched device, `nil` for all.
  func drought(on line: GPSDLine, of wanted: String?, at now: EngineInstant) -> String? {
    guard let onAt else { return nil }
    func ago(_ instant: EngineInstant) -> Double { EngineInstant.seconds(from: instant, to: now) }
    if !line.isWatching { return line.words }
    let fix = heard.flatMap { $0.at < onAt ? nil : $0.at }
    if let fix, ago(fix) <= Self.freshness { return nil }
    let open = line.devices.filter { wanted == nil || $0.path == wanted }
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

  static func == (a: Self, b: Self) -> Bool {
    a.planSince == b.planSince && a.onAt == b.onAt && a.heard == b.heard && a.fix == b.fix
      && a.sky?.sky == b.sky?.sky && a.sky?.at == b.sky?.at
  }
}
