// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A crossing is a matter of the distance from the anchor, not of the way that is made. Who strolls makes
// twice the way, or five times; a forecast by the speed along the way then looks too early, again and
// again, while the device hovers below the 500 m. So the share of the way that led outwards is learnt
//
//     share = (o₀ + Σ outward) / (o₀ + Σ way)      both sums forgotten over `memory` metres of way
//
// o₀ metres of a straight way stand for what is believed before anything is known. The forecast is made
// with share × speed, and never with less than `least` of it: who strolls may set off at any time. A share
// above `winding` is taken as a straight way: a bend or two make no stroll, and the look would be late.
// How much later a look may be for that, the policy limits (`MilepostPolicy.tolerated`).
// A new anchor starts a new leg and keeps the share: winding people stay winding.

/// How much of its way leads the device away from the anchor.
struct OutwardProgress: Sendable, Equatable, Codable {
  /// Metres of way over which is forgotten [ours: about a crossing's].
  static let memory = 500.0
  /// Metres of straight way that are believed in advance [ours].
  static let prior = 150.0
  /// The share below which somebody strolls [ours].
  static let winding = 0.6
  /// The least share of the way that is reckoned with [ours].
  static let least = 0.4

  private var outward = 0.0
  private var way = 0.0
  private var last: Standing?

  private struct Standing: Sendable, Equatable, Codable {
    var remaining: Double
    var anchor: EngineInstant
  }

  /// `remaining` metres are missing to the crossing that counts from `anchor`, after so many metres of way.
  mutating func learn(remaining: Double, anchor: EngineInstant, way passed: Double) {
    defer { last = Standing(remaining: remaining, anchor: anchor) }
    guard let last, last.anchor == anchor, passed > 0 else { return }
    let keep = max(0, 1 - passed / Self.memory)
    outward = keep * outward + min(passed, max(-passed, last.remaining - remaining))
    way = keep * way + passed
  }

  /// The share of the speed that is expected to lead outwards.
  var share: Double {
    let share = (Self.prior + outward) / (Self.prior + way)
    return share < Self.winding ? max(Self.least, share) : 1
  }
}
