// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel

/// Makes the world around the truth: receiver error, losses, cells, motion.
struct WorldSampler: Sendable {
  private var surroundings: Surroundings
  private var noise: ReceiverNoise
  private var observed: ObservedErrors?
  private let errorFactor: Double
  private var loss: FixLoss
  private var sky = LostSky()
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
      environment: environment, stands: standstill.stands)
    guard truth.isTick else {
      sample.isHidden = sky.isHidden
      return sample
    }
    noise.step(in: environment, seconds: truth.seconds)
    if observed != nil {
      sample.fix = observed?.fix(at: truth)
    } else if truth.hasSky {
      var fix = truth.exactFix
      fix.coordinate = place.point(east: noise.east, north: noise.north)
      fix.horizontalAccuracy = noise.accuracy
      sample.fix = fix
    }
    if errorFactor != 1, let seen = sample.fix {
      sample.fix?.coordinate = place.point(
        east: errorFactor * place.east(of: seen.coordinate),
        north: errorFactor * place.north(of: seen.coordinate))
      sample.fix?.horizontalAccuracy = seen.horizontalAccuracy.map { errorFactor * $0 }
    }
    sky.pass(truth, hasSky: sample.hasSky)
    sample.isHidden = sky.isHidden
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
