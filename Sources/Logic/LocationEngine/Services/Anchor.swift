// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The last delivered fresh position of one service of one app: the origin of every filter.
///
/// Never the last *seen* one: measured from that, a slow walker with a fix a second would never get far
/// enough.
struct Anchor: Sendable, Equatable, Codable {
  let frame: LocalFrame
  let at: EngineInstant
  let accuracy: Double?

  /// `frame` is the one around the fix, if the caller has it.
  init(_ fix: Fix, around frame: LocalFrame? = nil, at now: EngineInstant) {
    self.frame = frame ?? LocalFrame(origin: fix.coordinate)
    at = now
    accuracy = fix.horizontalAccuracy
  }

  /// Metres from here to `fix`.
  func moved(to fix: Fix) -> Double { frame.distance(to: fix.coordinate) }

  /// Seconds since this was delivered.
  func since(_ now: EngineInstant) -> Double { EngineInstant.seconds(from: at, to: now) }
}
