// SPDX-License-Identifier: Apache-2.0

package import FixFormats
package import Geodesy
package import LocationModel
package import RadioPower
package import Scoring
import ServiceCore

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
  private let last: UTCInstant?
  /// The truth in memory, where that was asked for; complete after the trace's end.
  package private(set) var path: TruthPath?
  private let reckonsOptimum: Bool
  private let options: ReplayOptions
  /// When and where the device truly was last.
  package private(set) var latest: (time: UTCInstant, place: Coordinate)?
  /// Whether `last` was reached: what is fed from then on changes nothing.
  package private(set) var isPast = false
  /// Whether `last` lies in a gap, of which nobody knows where the device was.
  package private(set) var isInGap = false

  /// Prepares runs over a trace that `summary` describes.
  ///
  /// With `observed` the events to come are those of the truth, and the receiver sees what the trace
  /// saw; without, they are the trace's own, which then is the truth. With `last` the replay stands still
  /// after the last sample that is not later, so that the runs can be asked about that instant. With
  /// `reckonsOptimum` the truth stays in memory, 40 bytes a second, and the runs of significant change
  /// know their causal bound. With `keepsPath` it only stays.
  package init(
    _ plans: [RunPlan], options: ReplayOptions, summary: TraceSummary,
    observed: ObservedErrors? = nil, records: Run.Records = [], last: UTCInstant? = nil,
    reckonsOptimum: Bool = false, keepsPath: Bool = false
  ) {
    let records = reckonsOptimum ? records.union(.causal) : records
    let runs = plans.map {
      Run($0, options: options, records: records, expecting: summary.duration)
    }
    self.init(
      runs: runs, options: options, summary: summary, observed: observed, last: last,
      reckonsOptimum: reckonsOptimum, keepsPath: keepsPath)
  }

  /// Prepares one run; see above for the other arguments.
  package init(
    _ run: Run, options: ReplayOptions, summary: TraceSummary, observed: ObservedErrors?
  ) {
    self.init(runs: [run], options: options, summary: summary, observed: observed)
  }

  init(
    runs: [Run], options: ReplayOptions, summary: TraceSummary, observed: ObservedErrors?,
    last: UTCInstant? = nil, reckonsOptimum: Bool = false, keepsPath: Bool = false
  ) {
    self.last = last
    self.options = options
    path = reckonsOptimum || keepsPath ? TruthPath() : nil
    self.reckonsOptimum = reckonsOptimum
    self.runs = runs
    truth = TruthStream(gapThreshold: summary.gapThreshold, isRecorded: observed == nil)
    world = WorldSampler(options: options, observed: observed)
  }

  /// Takes the next events of the truth.
  package mutating func feed(_ events: [TraceEvent]) {
    for event in events { feed(event) }
  }

  /// Takes the next event of the truth: one leg, however long it lasts, is all that is kept at a time.
  package mutating func feed(_ event: TraceEvent) {
    truth.take(event, into: &steps)
    drain()
  }

  /// The result; call after the last event.
  package mutating func finish() -> ComparisonResult {
    truth.finish(into: &steps)
    drain()
    for index in runs.indices { runs[index].finish() }
    path?.endSegment()
    var results = runs.map(\.result)
    if let path, reckonsOptimum {
      for index in results.indices { results[index].reckonOptimum(over: path, options) }
    }
    return ComparisonResult(
      runs: results, judged: judged, distance: distance, gapSeconds: gapSeconds,
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
    for step in steps where !isPast {
      if isLater(step) {
        isPast = true
        break
      }
      switch step {
      case .sample(let sample):
        latest = (sample.time, sample.coordinate)
        judged += sample.elapsed
        distance += sample.travelled
        let worldSample = world.sample(sample)
        for index in runs.indices { runs[index].take(worldSample) }
        path?.append(sample.point)
      case .gap(let start, let end):
        path?.endSegment()
        gaps += 1
        gapSeconds += EngineInstant.seconds(from: start, to: end)
        for index in runs.indices { runs[index].pass(gapFrom: start, to: end) }
      }
    }
    steps.removeAll(keepingCapacity: true)
  }

  /// Whether a step ends after the instant at which the replay is to stand still.
  private mutating func isLater(_ step: TruthStep) -> Bool {
    guard let last else { return false }
    switch step {
    case .sample(let sample): return sample.time > last
    case .gap(let start, let end):
      guard let latest else { return false }
      let gap = EngineInstant.seconds(from: start, to: end)
      isInGap = latest.time.advanced(bySeconds: gap) > last
      return isInGap
    }
  }
}

extension Run {
  /// What the run came to so far.
  fileprivate var result: RunResult {
    RunResult(
      plan: plan, counters: counters, energy: service.meter.meter.report(),
      usage: service.meter.meter.usage,
      waste: service.meter.meter.waste,
      receiverOn: service.meter.meter.receiverOnSeconds, blindSeconds: blindness.seconds,
      blindMetres: blindness.metres, score: scorer.score,
      crossings: scorer.keepsCrossings ? scorer.crossings : nil)
  }
}
