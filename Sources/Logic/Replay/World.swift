// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import Scoring

/// One world around the truth, and the lives in it.
package struct World: Sendable {
  private(set) var runs: [Run]
  private var sampler: WorldSampler
  /// The latest sample, if a stride may follow it.
  private var before: WorldSample?

  /// A step of the truth, with its events.
  struct Scene: Sendable {
    let step: TruthStep
    /// The place of the step, or the one before a gap.
    let place: LocalFrame
    let events: [TruthEvent]

    var isStride: Bool { if case .sample(let truth) = step { truth.isStride } else { false } }
  }

  init(runs: [Run], sampler: WorldSampler) {
    self.runs = runs
    self.sampler = sampler
  }

  mutating func live(_ scenes: [Scene]) {
    for (number, scene) in scenes.enumerated() {
      switch scene.step {
      case .sample(let truth):
        let sample: WorldSample
        if truth.isStride, let before {
          let stride = sampler.stride(to: truth, from: before, around: scene.place)
          for index in runs.indices { runs[index].take(stride, scene) }
          sample = stride.after
        } else {
          sample = sampler.sample(truth, around: scene.place)
          for index in runs.indices { runs[index].take(sample, scene) }
        }
        // A sample is large, and most are followed by the next second.
        if number + 1 >= scenes.count || scenes[number + 1].isStride { before = sample }
      case .gap(let start, let end):
        for index in runs.indices { runs[index].pass(gapFrom: start, to: end, scene.events) }
      }
    }
  }

  mutating func finish(_ events: [TruthEvent]) {
    for index in runs.indices { runs[index].finish(events) }
  }

  mutating func drainEvents(ofRun index: Int) -> [ReplayEvent] { runs[index].drainEvents() }

  mutating func drainRadioLog(ofRun index: Int) -> [Activity] { runs[index].drainRadioLog() }
}

/// The way of running several worlds, which share nothing.
package struct Cores: Sendable {
  let each: @Sendable (inout [World], @Sendable (inout World) -> Void) -> Void

  /// `each` returns when its second argument was called with every world.
  package init(
    each:
      @escaping @Sendable (
        _ worlds: inout [World], _ body: @Sendable (inout World) -> Void
      ) -> Void
  ) {
    self.each = each
  }

  /// One after the other.
  package static let one = Cores { worlds, body in worlds.indices.forEach { body(&worlds[$0]) } }
}

extension ReplayOptions {
  /// The same in another world; 0 is this one.
  package func world(_ number: Int) -> ReplayOptions {
    var options = self
    options.seed &+= UInt64(number)
    return options
  }
}

extension RunPlan {
  /// The same, with the world's seed for a policy that draws.
  func inWorld(of options: ReplayOptions) -> RunPlan {
    var plan = self
    plan.policy = policy?.drawing(with: options.seed)
    return plan
  }
}
