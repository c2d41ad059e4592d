// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import ServiceCore

/// One world around the truth, and the lives in it.
package struct World: Sendable {
  private(set) var runs: [Run]
  /// With the seed of this world.
  private let options: ReplayOptions
  /// Those of the runs; empty before `reckon`.
  private(set) var results: [RunResult] = []
  /// What an app knows that is told nothing; `nil` if nobody asks: all worlds have the same truth.
  var silence: Whereabouts?
  /// What nobody could know; `nil` likewise.
  var unknowable: Unknowable?
  private var sampler: WorldSampler
  /// Those that the runs have not taken yet.
  private var seconds: WorldSeconds
  /// The latest sample that the runs have taken.
  private var before: WorldSample?

  /// A piece of the truth: samples, the gaps among them, and the events.
  struct Scene: Sendable {
    let truth: TruthSteps
    let numbers: Range<Int>
    let gaps: [Gap]
    let happenings: [Happening]
  }

  /// A gap of the truth, with the events that show at its start.
  struct Gap: Sendable {
    let place: TruthSteps.Gap
    let events: [TruthEvent]

    init(_ place: TruthSteps.Gap, _ events: [TruthEvent]) {
      self.place = place
      self.events = events
    }
  }

  /// The events at a sample.
  struct Happening: Sendable {
    let number: Int
    let events: [TruthEvent]
  }

  /// The most seconds that a run takes in one go [ours: enough to pass over, few enough to stay in a core's cache].
  private static let batch = 512

  /// `options` have the seed of this world; `runs` are those made by the caller, if any.
  init(_ options: ReplayOptions, observed: ObservedErrors?, runs: [Run] = []) {
    self.runs = runs
    self.options = options
    seconds = WorldSeconds()
    sampler = WorldSampler(options: options, observed: observed)
  }

  /// Begins a run of each plan, of a trace that lasts for `duration` seconds.
  mutating func beginRuns(of plans: [RunPlan], records: Run.Records, expecting duration: Double) {
    runs = plans.map {
      Run($0.inWorld(of: options), options: options, records: records, expecting: duration)
    }
  }

  mutating func live(_ scene: Scene) {
    var (gaps, happenings) = (scene.gaps[...], scene.happenings[...])
    for number in scene.numbers {
      while let gap = gaps.first, gap.place.number <= number { pass(gaps.removeFirst()) }
      let isEventful = happenings.first?.number == number
      live(scene.truth[number], isEventful ? happenings.removeFirst().events : [])
    }
    for gap in gaps { pass(gap) }
    liveThroughSeconds()
  }

  private mutating func live(_ truth: TruthSample, _ events: [TruthEvent]) {
    if truth.isStride, let before = seconds.samples.last ?? before {
      liveThroughSeconds()
      let stride = sampler.stride(to: truth, from: before, events)
      for index in runs.indices { runs[index].live(through: stride) }
      silence?.pass(to: stride.after)
      unknowable?.pass(stride.after)
      for event in events { silence?.note(event) }
      self.before = stride.after
    } else {
      let sample = sampler.sample(truth)
      unknowable?.pass(sample)
      seconds.append(sample, events)
      if seconds.samples.count >= Self.batch { liveThroughSeconds() }
    }
  }

  private mutating func pass(_ gap: Gap) {
    liveThroughSeconds()
    for index in runs.indices {
      runs[index].pass(gapFrom: gap.place.start, to: gap.place.end, gap.events)
    }
    silence?.endSegment(after: gap.events)
    unknowable?.addGap(gap.place)
  }

  /// Lets the runs take the seconds.
  private mutating func liveThroughSeconds() {
    guard let last = seconds.samples.last else { return }
    before = last
    for index in runs.indices { runs[index].live(through: seconds) }
    silence?.pass(seconds)
    seconds.removeAll()
  }

  mutating func finishRuns(after events: [TruthEvent]) {
    for index in runs.indices { runs[index].finishRun(after: events) }
    silence?.endSegment(after: events)
  }

  /// Makes the results, with the bounds of the runs of significant change if the whole truth is in `path`.
  mutating func reckon(over path: TruthPath?, _ options: ReplayOptions) {
    results = runs.map(\.result)
    guard let path else { return }
    for index in results.indices { results[index].reckonOptimum(over: path, options) }
  }

  mutating func drainEvents(ofRun index: Int) -> [ReplayEvent] { runs[index].drainEvents() }

  mutating func drainRadioLog(ofRun index: Int) -> [Activity] { runs[index].drainRadioLog() }
}

extension Run {
  /// The result of the run so far.
  fileprivate var result: RunResult {
    RunResult(
      plan: plan,
      sums: RunSums(
        counters: counters, energy: service.meter.meter.report(),
        usage: service.meter.meter.usage, waste: service.meter.meter.waste,
        receiverOn: service.meter.meter.receiverOnSeconds, whereabouts: judges.whereabouts,
        score: judges.scorer.score),
      regions: judges.places.regions, visits: judges.places.visits,
      crossings: judges.scorer.keepsCrossings ? judges.scorer.crossings : nil, curves: curves)
  }
}

extension Whereabouts {
  /// Advances the truth by seconds in which nothing is told.
  fileprivate mutating func pass(_ seconds: WorldSeconds) {
    for number in seconds.samples.indices {
      pass(to: seconds.samples[number])
      for event in seconds.events(at: number) { note(event) }
    }
  }

  /// Ends the segment, after events that show only at its end.
  fileprivate mutating func endSegment(after events: [TruthEvent]) {
    for event in events { note(event) }
    endSegment()
  }
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
  /// The same, with the world's seed for a policy that draws, and with the places of its trip.
  func inWorld(of options: ReplayOptions) -> RunPlan {
    var plan = amongPlaces(options.places)
    plan.policy = policy?.drawing(with: options.seed)
    return plan
  }
}
