// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioWorld
import Scoring

// For a list of deliveries there is no run whose receiver could be copied: the quickest honest policy has
// one of its own, whose draws are those of the seed in their order.

/// The causal bound in the world of a replay, without a run.
struct HonestWorld: Sendable {
  private var world: WorldSampler
  private var ears: Ears
  private var standstill = Standstill()
  private var honest = HonestReceiver(copiesOwn: false)
  private let receiver: Receiver
  private let mixesEnvironments: Bool

  init(options: ReplayOptions, observed: ObservedErrors?) {
    world = WorldSampler(options: options, observed: observed)
    ears = Ears(options.device)
    receiver = options.receiver
    mixesEnvironments = options.mixesEnvironments
  }

  /// The truth moved on; tells the scorer, which has passed to the sample already.
  mutating func pass(to truth: TruthSample, _ scorer: inout Scorer) {
    let sample = world.sample(truth)
    standstill.pass(to: truth.point)
    if standstill.stands { scorer.stands() }
    guard truth.isTick else { return }
    let hint = ears.hear(sample, at: truth.at)
    let second = HonestReceiver.Second(
      hasSky: sample.fix != nil, losesFix: sample.losesFix, stands: standstill.stands,
      isHinted: hint.isCell || hint.isMotion, hasOwnFix: false,
      environment: mixesEnvironments ? sample.environment : nil)
    if honest.tick(second, own: receiver, at: truth.at) { scorer.couldDeliver() }
  }

  mutating func lostTrack(at now: EngineInstant) { honest.lostTrack(at: now) }
}
