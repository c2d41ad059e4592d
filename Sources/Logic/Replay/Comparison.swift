// SPDX-License-Identifier: Apache-2.0

package import FixFormats
package import Geodesy
package import LocationModel
package import RadioPower

// Theory
// ======
//
// One pass over the truth feeds every run in step, so memory does not grow with the trace: it holds each run's state,
// and the events of the latest chunk if the caller wants them. Truth and its events are made once per second for all
// runs, and the world around it once for those that live in it; this also gives them the same luck.
//
// A world is everything that no trace states: errors, TTFF, cells, the motion sensor. It has a seed. Several worlds
// share nothing but the truth, so they take a chunk of it side by side, one core each.

/// Several runs over one trace, in lock-step, in one world or several.
package struct Comparison: Sendable {
  private var worlds: [World]
  /// The number of worlds that were asked for; those that are not lived are taken to be like the lived ones.
  private var asked: Int
  private let detail: SparseDetail?
  private let cores: Cores
  private var truth: TruthStream
  private var truthEvents = TruthEvents()
  private var borders: TrueBorders
  private var steps = TruthSteps()
  /// The end of the samples read here, and of those that the worlds have lived.
  private var read = 0
  private var lived = 0
  /// The gaps and events among the samples that the worlds have not lived yet.
  private var gapsToLive: [World.Gap] = []
  private var happenings: [World.Happening] = []
  private var distance = 0.0
  private var gapSeconds = 0.0
  private var gaps = 0
  private var judged = 0.0
  private let last: UTCInstant?
  /// The truth in memory, if requested; complete after the trace's end.
  package private(set) var path: TruthPath?
  private let reckonsOptimum: Bool
  private let options: ReplayOptions
  /// The latest true time and position.
  package private(set) var latest: (time: UTCInstant, place: Coordinate)?
  /// Whether `last` was reached: further input changes nothing.
  package private(set) var isPast = false
  /// Whether `last` lies in a gap, in which the position is unknown.
  package private(set) var isInGap = false

  /// Prepares runs over a trace that `summary` describes.
  ///
  /// With `observed` the events to come are those of the truth, and the receiver sees what the trace saw; without, they
  /// are the trace's, which then is the truth. With `last` the replay stops after the last sample that is not later, so
  /// that the runs can be queried about that instant. With `reckonsOptimum` the truth stays in memory, 40 bytes a
  /// second, and the runs of significant change have their causal bound. The first world has the seed of the options,
  /// each further one the next; they live on `cores`.
  package init(
    _ plans: [RunPlan], options: ReplayOptions, summary: TraceSummary,
    observed: ObservedErrors? = nil, records: Run.Records = [], last: UTCInstant? = nil,
    reckonsOptimum: Bool = false, worlds count: Int = 1,
    on cores: Cores = .one
  ) {
    let records = reckonsOptimum ? records.union(.causal) : records
    let detail = SparseDetail(summary, worlds: max(1, count))
    var worlds = (0..<detail.worlds).map { World(options.world($0), observed: observed) }
    cores.each(&worlds) { $0.beginRuns(of: plans, records: records, expecting: summary.duration) }
    self.init(
      worlds: worlds, options: options, summary: summary, isRecorded: observed == nil, last: last,
      reckonsOptimum: reckonsOptimum, detail, on: cores)
    asked = max(1, count)
  }

  /// Prepares one run; see above for the other arguments.
  package init(
    _ run: Run, options: ReplayOptions, summary: TraceSummary, observed: ObservedErrors?
  ) {
    self.init(runs: [run], options: options, summary: summary, observed: observed)
  }

  /// Prepares runs made by the caller, in one world.
  package init(
    runs: [Run], options: ReplayOptions, summary: TraceSummary, observed: ObservedErrors?
  ) {
    let world = World(options, observed: observed, runs: runs)
    self.init(
      worlds: [world], options: options, summary: summary, isRecorded: observed == nil, last: nil,
      reckonsOptimum: false, nil, on: .one)
  }

  private init(
    worlds: [World], options: ReplayOptions, summary: TraceSummary, isRecorded: Bool,
    last: UTCInstant?, reckonsOptimum: Bool, _ detail: SparseDetail?, on cores: Cores
  ) {
    self.cores = cores
    self.last = last
    self.options = options
    path = reckonsOptimum ? TruthPath() : nil
    self.reckonsOptimum = reckonsOptimum
    self.worlds = worlds
    borders = TrueBorders(options.places)
    self.worlds[0].silence = Whereabouts(
      blindDistance: options.blindDistance, places: options.places)
    self.worlds[0].unknowable = Unknowable()
    truth = TruthStream(summary, isRecorded: isRecorded, detail: detail)
    self.detail = detail
    asked = worlds.count
  }

  /// The detail, if it is less than was asked for.
  private var thinned: SparseDetail? {
    guard let detail, detail.worlds < asked || detail.oneOf > 1 else { return nil }
    return detail
  }

  /// The lives in the first world.
  package var runs: [Run] { worlds[0].runs }

  /// Takes the next events of the truth. One world lives them at once; several may wait for more of them, so that their
  /// cores seldom wait for each other.
  package mutating func feed(_ events: [TraceEvent]) {
    for index in events.indices {
      read(event: events[index])
      // One leg may last for hours.
      if read - lived >= Self.few { live() }
    }
    if worlds.count == 1 { live() }
  }

  /// Takes the next event of the truth.
  package mutating func feed(_ event: TraceEvent) {
    read(event: event)
    live()
  }

  private mutating func read(event: TraceEvent) {
    truth.takeEvent(event, into: &steps)
    drain()
  }

  /// Enough to occupy the cores, few enough to stay in their caches.
  private static let few = 2_048

  /// Returns the result; call after the last event.
  package mutating func finishTrace() -> ComparisonResult {
    truth.finish(into: &steps)
    drain()
    live()
    truthEvents.endSegment(isLast: true)
    path?.endSegment()
    let (last, path, options) = (truthEvents.latest, reckonsOptimum ? path : nil, options)
    cores.each(&worlds) { world in
      world.finishRuns(after: last)
      world.reckon(over: path, options)
    }
    let lived = worlds.map(\.results)
    return ComparisonResult(
      worlds: (0..<asked).map { lived[$0 % lived.count] },
      thinned: thinned, judged: judged,
      distance: distance, gapSeconds: gapSeconds, gaps: gaps, leftOut: truth.leftOut,
      lateOrDuplicate: truth.lateOrDuplicate,
      silence: worlds[0].silence ?? Whereabouts(blindDistance: options.blindDistance),
      unknowable: worlds[0].unknowable ?? Unknowable())
  }

  /// Returns the events of a run since the last call.
  package mutating func drainEvents(ofRun index: Int) -> [ReplayEvent] {
    worlds[0].drainEvents(ofRun: index)
  }

  /// Returns the radio activity of a run since the last call.
  package mutating func drainRadioLog(ofRun index: Int) -> [Activity] {
    worlds[0].drainRadioLog(ofRun: index)
  }

  private mutating func drain() {
    while !isPast {
      if let gap = steps.gaps.first, gap.number <= read {
        takeGap(gap)
      } else if read < steps.known {
        takeSample()
      } else {
        return
      }
    }
  }

  private mutating func takeGap(_ gap: TruthSteps.Gap) {
    let seconds = EngineInstant.seconds(from: gap.start, to: gap.end)
    if let last, let latest {
      isInGap = latest.time.advanced(bySeconds: seconds) > last
      isPast = isInGap
      if isPast { return }
    }
    steps.removeFirstGap()
    path?.endSegment()
    if !gap.isLeftOut {
      gaps += 1
      gapSeconds += seconds
    }
    truthEvents.endSegment()
    borders.endSegment()
    gapsToLive.append(World.Gap(gap, truthEvents.latest))
  }

  private mutating func takeSample() {
    let time = steps[read].time
    if let last, time > last {
      isPast = true
      return
    }
    let point = steps[read].point
    latest = (time, point.coordinate)
    judged += steps[read].elapsed
    distance += steps[read].travelled
    truthEvents.pass(to: point)
    borders.pass(to: point, travelled: steps[read].travelled)
    path?.append(point: point)
    if !truthEvents.latest.isEmpty || !borders.latest.isEmpty {
      happenings.append(
        World.Happening(number: read, events: truthEvents.latest + borders.latest))
    }
    read += 1
  }

  /// Runs the worlds over what was read.
  private mutating func live() {
    if lived < read || !gapsToLive.isEmpty {
      let scene = World.Scene(
        truth: steps, numbers: lived..<read, gaps: gapsToLive, happenings: happenings)
      cores.each(&worlds) { $0.live(scene) }
    }
    lived = read
    gapsToLive.removeAll(keepingCapacity: true)
    happenings.removeAll(keepingCapacity: true)
    steps.forget(before: isPast ? steps.known : lived)
  }
}
