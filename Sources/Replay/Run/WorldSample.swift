// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import RadioWorld

/// One second of the world, the same for all runs of a comparison.
struct WorldSample: Sendable {
  var truth: TruthSample
  /// What a tracking receiver reports; `nil` where it sees no sky.
  var fix: Fix?
  /// The cell that a modem camps on.
  var cell: CellGrid.Cell
  /// Whether the motion sensor fires.
  var moves: Bool
}

/// Makes the world around the truth: receiver error, cells, motion.
struct WorldSampler: Sendable {
  private var noise: ReceiverNoise
  private var observed: ObservedErrors?
  private var cells: CellGrid
  private var motion = MotionSensor()

  init(options: ReplayOptions, observed: ObservedErrors?) {
    noise = ReceiverNoise(seed: options.seed, environment: options.environment)
    cells = CellGrid(seed: options.seed, spacing: options.cellSpacing)
    self.observed = observed
  }

  mutating func sample(_ truth: TruthSample) -> WorldSample {
    let cell = cells.camp(at: truth.coordinate)
    guard truth.isTick else {
      return WorldSample(truth: truth, fix: nil, cell: cell, moves: false)
    }
    noise.step()
    var seen: (place: Coordinate, accuracy: Double?)?
    if observed != nil {
      seen = observed?.observed(truth.coordinate, at: truth.time)
    } else if truth.hasSky {
      let frame = LocalFrame(origin: truth.coordinate)
      seen = (frame.point(east: noise.east, north: noise.north), noise.accuracy)
    }
    let fix = seen.map {
      Fix(
        time: truth.time, coordinate: $0.place, horizontalAccuracy: $0.accuracy,
        speed: truth.speed)
    }
    return WorldSample(
      truth: truth, fix: fix, cell: cell, moves: motion.fires(at: truth.coordinate))
  }
}
