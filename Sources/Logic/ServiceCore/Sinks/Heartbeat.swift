// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// At rest a sink has no news, and its other side cannot tell a device that rests from one that is lost. So when the newest
// event that it has is `heartbeat_s` old, and the device is in a visit, it is told that the visit goes on: its place once
// more, with the time of the newest position and its own:
//
//     arrived │                     heartbeat │ another sink sends │            departed │
//     ────────┼───────── silence ─────────────┼────── ≥ half ──────┼───── … ────────────┼──►
//             ▲ taken                         ▲ taken              ▲ rides, taken
//
// - Its time is the newest position's and the seconds since that came: a server sorts by it, and the host's clock may be
//   days from the receiver's until the network sets it. The boot clock measures them, also while the machine sleeps and
//   no service runs. Over a restart of the machine only the host's clock goes on, if at all: then its time counts, but
//   not before the position's and the seconds since the restart. A receiver that gives no time leaves the host's.
// - It is an event like others, with a number, and goes as they do. While the other side is away they wait too, so that
//   it sees no gap in the stay afterwards; but none is made where a batch of events waits already, and where only the
//   last one is kept it takes the place of the one before. What it takes late is as old as it is: the next one is due by
//   that.
// - While another sink has the radio on it goes from half of the silence on, if nothing waits, and costs no promotion and
//   no tail.
// - The service wakes for it at most once in `heartbeat_s`, also if there was none to make: no visit, no permission.
// - A restart goes on with the silence, and makes up for none that were missed.

/// The time of a sink's next heartbeat.
struct Heartbeat: Sendable, Equatable {
  /// Seconds of silence before one; `nil` if there is none.
  let silence: Double?
  private(set) var next: EngineInstant?

  /// `heard`: the last time that the other side took something.
  init(of manifest: AppManifest, heard: EngineInstant) {
    silence = manifest.sink.flatMap { SinkSchedule($0).heartbeat }
    begin(at: heard)
  }

  /// The place of the visit in which an app is, with the newest position's time and a number of its own; `nil` where it
  /// is in none, or may know no position. The place is the one that it was told: the newest position may be coarse.
  static func delivery(
    for id: AppID, _ manifest: AppManifest, _ engine: inout LocationEngine, _ step: Step
  ) -> Delivery? {
    guard let visit = engine.currentVisit(of: id), let newest = engine.lastKnown(for: id),
      let number = engine.takeSequence(of: id)
    else { return nil }
    let fix = Fix(
      time: newest.time, coordinate: visit.coordinate,
      horizontalAccuracy: visit.horizontalAccuracy, source: newest.source)
    return Delivery(
      sequence: number, service: manifest.service ?? .significant, fix: fix, isCached: true,
      moved: nil, since: seconds(since: fix, engine, step), occasion: .heartbeat)
  }

  /// The seconds from a position's time until now; `nil` if the receiver gave no time.
  private static func seconds(since fix: Fix, _ engine: LocationEngine, _ step: Step) -> Double? {
    guard let time = fix.time, let newest = engine.lastKnown?.time, let at = engine.lastKnownAt
    else { return nil }
    var passed = EngineInstant.seconds(from: at, to: step.now.at)
    if let start = engine.rebootedAt, at <= start {
      passed = max(
        UTCInstant.seconds(from: newest, to: step.now.utc),
        EngineInstant.seconds(from: start, to: step.now.at))
    }
    return UTCInstant.seconds(from: time, to: newest) + passed
  }

  /// The silence begins.
  mutating func begin(at instant: EngineInstant) {
    next = silence.map(instant.advanced(bySeconds:))
  }

  /// It goes along with something else, and is due now.
  mutating func rides(at instant: EngineInstant) { next = instant }

  func isDue(at now: EngineInstant) -> Bool { next.map { $0 <= now } ?? false }

  /// Whether half of the silence is over, so that one may go along with something else.
  func mayRide(at now: EngineInstant) -> Bool {
    guard let silence, let next else { return false }
    return EngineInstant.seconds(from: now, to: next) <= silence / 2
  }
}
