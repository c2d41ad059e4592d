// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import RadioWorld
import Scoring

/// One second of the world, or a stride of several, the same for all runs of a comparison.
///
/// It is large, and copied often: so it refers to nothing, and the rare events of the truth go beside it.
struct WorldSample: Sendable {
  var truth: TruthSample
  /// Whether there is a fix: asked more often than the fix itself, which is large.
  var hasSky = false
  /// The cell that a modem camps on.
  var cell: CellID
  /// The receiver's environment at the place.
  var environment: RadioWorld.Environment
  /// Whether the receiver's fix, if it has one, goes missing on its way.
  var losesFix = false
  /// Windows in which the motion sensor fired since the previous sample: in one second, one at most.
  var felt = 0
  /// Whether the true device stands.
  var stands: Bool
  /// The measurement of a receiver that tracks; without meaning if it sees no sky.
  var seen: Seen

  struct Seen: Sendable {
    var place: Coordinate
    /// Metres; `nil` is unknown.
    @NaNCoded var accuracy: Double?
    /// Those of the observation, if the receiver's are known; else it reports those of the truth.
    var details: PlaceDetails?
  }

  /// A tracking receiver's report; `nil` if it sees no sky. Made when needed: in most seconds nobody asks for all of it.
  var fix: Fix? {
    guard hasSky else { return nil }
    let details = seen.details ?? truth.details
    return Fix(
      time: truth.time, coordinate: seen.place, horizontalAccuracy: seen.accuracy,
      altitude: details.altitude, ellipsoidalHeight: details.ellipsoidalHeight,
      verticalAccuracy: details.verticalAccuracy, speed: truth.speed, course: details.course,
      speedAccuracy: details.speedAccuracy, courseAccuracy: details.courseAccuracy)
  }

  /// Whether the fix of a receiver that tracks reaches the device.
  @inline(__always)
  var hasReport: Bool { hasSky && !losesFix }

  /// The step of the truth, for all who judge against it.
  @inline(__always)
  var step: PathStep {
    PathStep(
      to: truth.place, at: truth.at, elapsed: truth.elapsed, travelled: truth.travelled,
      hasSky: hasSky || !truth.isTick, stands: stands)
  }

  /// The causal bound's view of this second.
  func second(
    _ hint: DeviceSensors.Hint, hasOwnFix: Bool, mixesEnvironments: Bool
  ) -> CausalReceiver.Second {
    CausalReceiver.Second(
      hasSky: hasSky, losesFix: losesFix, stands: stands, isHinted: hint.isCell || hint.isMotion,
      hasOwnFix: hasOwnFix, environment: mixesEnvironments ? environment : nil)
  }
}

/// Consecutive seconds of the world, with what the runs in it share.
///
/// A run passes over most of them, and then needs little of each: that lies in arrays of its own.
struct WorldSeconds: Sendable {
  private(set) var samples: [WorldSample] = []
  /// The steps of the truth, one for each sample.
  private(set) var steps: [PathStep] = []
  /// The number of samples before that of a segment's end, which is no whole second.
  private(set) var ticks = 0
  /// The samples with events of the truth, by number.
  private var eventful: [(number: Int, events: [TruthEvent])] = []
  /// The numbers of samples at which a sensor may have news: movement, or another cell than a second ago.
  private(set) var newsworthy: [Int] = []
  /// The cell of the latest sample.
  private var cell: CellID?
  /// The fixes of a receiver that always tracks.
  private var fixes = TrackedFixes()
  /// The number of fixes before each second.
  private var fixesBefore: [Int] = []

  mutating func append(_ sample: WorldSample, _ events: [TruthEvent]) {
    let number = samples.count
    let step = sample.step
    steps.append(step)
    if sample.truth.isTick { ticks = number + 1 }
    if !events.isEmpty { eventful.append((number, events)) }
    if sample.felt > 0 || sample.cell != cell { newsworthy.append(number) }
    cell = sample.cell
    fixesBefore.append(fixes.elements.count)
    if !sample.losesFix, let fix = sample.fix { fixes.append(fix, at: sample.truth.at) }
    samples.append(sample)
  }

  mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
    ticks = 0
    eventful.removeAll(keepingCapacity: true)
    newsworthy.removeAll(keepingCapacity: true)
    cell = nil
    fixes.removeAll()
    fixesBefore.removeAll(keepingCapacity: true)
  }

  /// The fixes of the seconds from `first` on, one each, up to `end` or a second without one.
  func fixes(from first: Int, to end: Int) -> ArraySlice<TrackedFixes.Element> {
    var count = 0
    while first + count < end, samples[first + count].hasReport { count += 1 }
    return fixes.elements[fixesBefore[first]..<fixesBefore[first] + count]
  }

  /// A second's fix and the frame around it; `nil` if there is none.
  func fix(at number: Int) -> TrackedFixes.Element? {
    samples[number].hasReport ? fixes.elements[fixesBefore[number]] : nil
  }

  /// The events of the truth at a second.
  func events(at number: Int) -> [TruthEvent] {
    eventful.first { $0.number == number }?.events ?? []
  }

  /// The end of the whole seconds from `first` on that come before an instant; `nil` is never.
  func end(before instant: EngineInstant?, from first: Int) -> Int {
    guard let instant, ticks > first, steps[ticks - 1].at >= instant else {
      return max(ticks, first)
    }
    var end = first
    while steps[end].at < instant { end += 1 }
    return end
  }
}

/// Makes the world around the truth: receiver error, losses, cells, motion.
struct WorldSampler: Sendable {
  private var surroundings: Surroundings
  private var noise: ReceiverNoise
  private var observed: ObservedErrors?
  private let errorFactor: Double
  private var loss: FixLoss
  private var modem: Modem
  private var motion: MotionSensor
  private var standstill = Standstill()
  /// Seconds of the latest stride at which the motion sensor fired.
  private var fired: [Int] = []

  init(options: ReplayOptions, observed: ObservedErrors?) {
    surroundings = Surroundings(
      seed: options.seed, usual: options.environment, isMixed: options.mixesEnvironments)
    noise = ReceiverNoise(seed: options.seed, environment: options.environment)
    errorFactor = options.noise
    loss = FixLoss(seed: options.seed, share: options.fixLoss)
    modem = Modem(seed: options.seed, layout: options.towerLayout)
    motion = MotionSensor(seed: options.seed, options.motion)
    self.observed = observed
  }

  /// The world at `truth`.
  mutating func sample(_ truth: TruthSample) -> WorldSample {
    let place = truth.place
    let environment = surroundings.environment(at: truth.coordinate)
    standstill.pass(to: truth.point)
    var sample = WorldSample(
      truth: truth, cell: modem.camp(at: truth.coordinate, at: truth.at),
      environment: environment, stands: standstill.stands,
      seen: WorldSample.Seen(place: truth.coordinate))
    guard truth.isTick else { return sample }
    noise.step(in: environment, seconds: truth.seconds)
    if observed != nil {
      if let seen = observed?.observed(truth.coordinate, at: truth.time) {
        (sample.seen, sample.hasSky) = (seen, true)
      }
    } else if truth.hasSky {
      sample.hasSky = true
      sample.seen.place = place.point(east: noise.east, north: noise.north)
      sample.seen.accuracy = noise.accuracy
    }
    if errorFactor != 1, sample.hasSky {
      let exact = sample.seen.place
      sample.seen.place = place.point(
        east: errorFactor * place.east(of: exact), north: errorFactor * place.north(of: exact))
      sample.seen.accuracy = sample.seen.accuracy.map { errorFactor * $0 }
    }
    sample.losesFix = loss.loses(after: truth.seconds)
    if truth.isStride {
      fired.removeAll(keepingCapacity: true)
      motion.feel(truth.way, for: truth.seconds, into: &fired)
      sample.felt = fired.count
    } else {
      sample.felt = motion.fires(moving: truth.way) ? 1 : 0
    }
    return sample
  }

  /// The stride that ends with `truth`, and the hints on the way.
  mutating func stride(
    to truth: TruthSample, from before: WorldSample, _ events: [TruthEvent] = []
  ) -> Stride {
    var cells: [Stride.Camping] = []
    if truth.way != .rest {
      var cell = before.cell
      for second in Swift.stride(from: Stride.listening, to: truth.seconds, by: Stride.listening) {
        let at = before.truth.at.advanced(bySeconds: Double(second))
        let place = before.truth.coordinate.interpolated(
          to: truth.coordinate, fraction: Double(second) / truth.elapsed)
        let next = modem.camp(at: place, at: at)
        if next != cell { cells.append(Stride.Camping(at: at, cell: next)) }
        cell = next
      }
    }
    let after = sample(truth)
    return Stride(
      before: before, after: after, events: events, cells: cells,
      windows: fired.map { before.truth.at.advanced(bySeconds: Double($0)) })
  }
}

extension MotionSensor {
  fileprivate init(seed: UInt64, _ sensing: MotionSensing) {
    self.init(
      seed: seed, window: sensing.window, steps: sensing.steps, ride: sensing.ride,
      smooth: sensing.smooth, falseAlarms: sensing.falseAlarms)
  }
}
