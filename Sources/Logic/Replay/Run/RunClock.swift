// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

/// The latest instant of a run, and its UTC.
struct RunClock: Sendable {
  private(set) var now = EngineInstant.zero
  private(set) var utc = UTCInstant(microseconds: 0)

  var time: ServiceTime { ServiceTime(at: now, utc: utc) }

  /// Begins at the first sample of the truth.
  mutating func begin(at truth: TruthSample) { (now, utc) = (truth.at, truth.time) }

  /// Goes on to a sample of the truth, which knows its UTC; never back.
  @inline(__always)
  mutating func pass(to truth: TruthSample) {
    now = max(now, truth.at)
    utc = truth.time
  }

  /// Goes on to an instant, if it is later.
  mutating func shift(to instant: EngineInstant) {
    guard instant > now else { return }
    utc = utc.advanced(bySeconds: EngineInstant.seconds(from: now, to: instant))
    now = instant
  }

  /// States the UTC anew, after a time about which nothing is known.
  mutating func set(_ utc: UTCInstant) { self.utc = utc }
}
