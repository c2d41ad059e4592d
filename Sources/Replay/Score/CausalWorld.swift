// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioWorld
import Scoring

// For a list of deliveries there is no run whose receiver could be copied: the quickest causal policy has
// one of its own, whose draws are those of the seed in their order.

/// The causal bound in the world of a replay, without a run.
struct CausalWorld: Sendable {
  private var world: WorldSampler
  private var sensors: DeviceSensors
  private var causal = CausalReceiver(copiesOwn: false)
  private let receiver: SimulatedReceiver
  private let mixesEnvironments: Bool

  init(options: ReplayOptions, observed: ObservedErrors?) {
    world = WorldSampler(options: options, observed: observed)
    sensors = DeviceSensors(options.device)
    receiver = options.receiver
    mixesEnvironments = options.mixesEnvironments
  }

  /// The truth moved on; tells the scorer, which has passed to the sample already.
  mutating func pass(to truth: TruthSample, _ scorer: inout Scorer) {
    let sample = world.sample(truth)
    if sample.stands { scorer.stands() }
    guard truth.isTick else { return }
    let hint = sensors.hear(sample, at: truth.at)
    let second = sample.second(hint, hasOwnFix: false, mixesEnvironments: mixesEnvironments)
    if causal.tick(second, own: receiver, at: truth.at) { scorer.couldDeliver() }
  }

  mutating func lostTrack(at now: EngineInstant) { causal.lostTrack(at: now) }
}
