// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import LocationModel
package import RadioPower

// Theory
// ======
//
// One pass over the truth feeds every run in step, so memory does not grow with the trace: what is kept
// is each run's state, and the events of the latest chunk where somebody wants them. Truth and world are
// made once per second for all runs; that is also what makes their luck common.

/// Several runs over one trace, in lock-step.
package struct Comparison: Sendable {
  package private(set) var runs: [Run]
  private var truth: TruthStream
  private var world: WorldSampler
  private var steps: [TruthStep] = []
  private var distance = 0.0
  private var gapSeconds = 0.0
  private var gaps = 0
  private var judged = 0.0

  /// Prepares runs over a trace that `summary` describes.
  ///
  /// With `observed` the events to come are those of the truth, and the receiver sees what the trace
  /// saw; without, they are the trace's own, which then is the truth.
  package init(
    _ plans: [RunPlan], options: ReplayOptions, summary: TraceSummary,
    observed: ObservedErrors? = nil, records: Run.Records = []
  ) {
    runs = plans.map { Run($0, options: options, records: records) }
    truth = TruthStream(gapThreshold: summary.gapThreshold, removesJumps: observed == nil)
    world = WorldSampler(options: options, observed: observed)
  }

  /// Takes the next events of the truth.
  package mutating func feed(_ events: [TraceEvent]) {
    for event in events { truth.take(event, into: &steps) }
    drain()
  }

  /// The result; call after the last event.
  package mutating func finish() -> ComparisonResult {
    truth.finish(into: &steps)
    drain()
    for index in runs.indices { runs[index].finish() }
    return ComparisonResult(
      runs: runs.map(\.result), judged: judged, distance: distance, gapSeconds: gapSeconds,
      gaps: gaps, jumpsRemoved: truth.jumpsRemoved, lateOrDuplicate: truth.lateOrDuplicate)
  }

  /// Hands out the events of a run since the last call.
  package mutating func drainEvents(ofRun index: Int) -> [ReplayEvent] {
    runs[index].drainEvents()
  }

  /// Hands out the radio activity of a run since the last call.
  package mutating func drainRadioLog(ofRun index: Int) -> [Activity] {
    runs[index].drainRadioLog()
  }

  private mutating func drain() {
    for step in steps {
      switch step {
      case .sample(let sample):
        judged += sample.elapsed
        distance += sample.travelled
        let worldSample = world.sample(sample)
        for index in runs.indices { runs[index].take(worldSample) }
      case .gap(let start, let end):
        gaps += 1
        gapSeconds += EngineInstant.seconds(from: start, to: end)
        for index in runs.indices { runs[index].pass(gapFrom: start, to: end) }
      }
    }
    steps.removeAll(keepingCapacity: true)
  }
}

extension Run {
  /// What the run came to so far.
  fileprivate var result: RunResult {
    RunResult(
      plan: plan, counters: counters, energy: desk.meter.report(), usage: desk.meter.usage,
      receiverOn: desk.meter.receiverOnSeconds, blindSeconds: blindness.seconds,
      blindMetres: blindness.metres)
  }
}
