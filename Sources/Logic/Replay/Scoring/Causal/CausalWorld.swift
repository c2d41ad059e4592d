// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// A list of deliveries has no run whose receiver could be copied: the quickest causal policy gets a
// separate one, whose draws are those of the seed in their order.

/// The causal bound in the world of a replay, without a run.
struct CausalWorld: Sendable {
  private var world: WorldSampler
  private var sensors: DeviceSensors
  private var causal = CausalReceiver(copiesOwn: false)
  private let receiver: SimulatedReceiver
  private let mixesEnvironments: Bool
  /// The latest sample.
  private var before: WorldSample?

  init(options: ReplayOptions, observed: ObservedErrors?) {
    world = WorldSampler(options: options, observed: observed)
    sensors = DeviceSensors(options.device)
    receiver = options.receiver
    mixesEnvironments = options.mixesEnvironments
  }

  /// Advances the truth: the scorer passes to it, and hears what could be delivered there.
  mutating func pass(to truth: TruthSample, _ scorer: inout Scorer) {
    guard truth.isStride, let before else {
      let sample = world.sample(truth)
      self.before = sample
      return takeSample(sample, &scorer)
    }
    let stride = world.stride(to: truth, from: before)
    self.before = stride.after
    var latest = before.truth.at
    while let next = secondToSee(after: latest, in: stride) {
      takeSample(stride.sample(at: next, after: latest), &scorer)
      latest = next
    }
    takeSample(stride.end(after: latest), &scorer)
  }

  /// The next second before a stride's end at which something may happen; `nil` if nothing will.
  private func secondToSee(after latest: EngineInstant, in stride: Stride) -> EngineInstant? {
    let hint = stride.nextHint(after: latest, cells: true, motion: true)
    let next = causal.isSteady ? hint : latest.advanced(bySeconds: 1)
    return next.flatMap { $0 < stride.end ? $0 : nil }
  }

  private mutating func takeSample(_ sample: WorldSample, _ scorer: inout Scorer) {
    let truth = sample.truth
    scorer.pass(to: truth.point)
    if sample.stands { scorer.stands() }
    guard truth.isTick else { return }
    let hint = sensors.hear(sample, at: truth.at)
    let second = sample.second(hint, hasOwnFix: false, mixesEnvironments: mixesEnvironments)
    if causal.tick(second, own: receiver, at: truth.at) { scorer.couldDeliver() }
  }

  mutating func lostTrack(at now: EngineInstant) { causal.lostTrack(at: now) }
}
