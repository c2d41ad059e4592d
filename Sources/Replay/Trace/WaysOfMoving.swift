// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import RadioWorld

// Theory
// ======
//
// How the device moved is told from the path alone, looking `reach` seconds back and ahead:
//
//     it goes on now (0.2 m/s)  ──no──────────────────────────────────────────► rest
//            │ yes
//     it got on by 0.25 m/s over the minute around ──no──► drift of a receiver ► rest
//            │ yes
//     10 s of that minute at 4 m/s ──no─────────────────────────────────────────► foot
//            │ yes
//           ride
//
// - *Now* is the leg's speed (`SpeedOverGround`): a movement begins and ends with its second, and never
//   before, however far ahead one looks.
// - *The minute* is what tells a slow hike (0.3 m/s made good) from a recorded position that drifts at rest
//   by metres a second for seconds on end. Of four static logs of the public corpus, three have no window of
//   10 s that moves, and the fourth (four satellites) 3 of 120; of a hike in the mountains that is recorded
//   in leaps of 12 m (Endomondo), 714 of 1,042 move. Where the truth lies beside the trace, who rests does
//   not move at all.
// - *4 m/s* for 10 s is more than a runner keeps up (two recorded runs have no second of it) and less than
//   what buses and bicycles do. Looking ahead makes the first metres of a ride a part of it.
// - *One ride* goes on through stops, jams and whatever else for `stop` seconds, so that a train is as
//   smooth behind a station as before it.
//
// Who paces within a room or strolls round a square gets on by less, and rests here [limit of the path].

/// Gives samples their way of moving; holds them back until it is known.
struct WaysOfMoving: Sendable {
  /// Seconds that are looked at before and behind.
  static let reach = 30
  /// Metres per second now that are a movement [ours: the drift of a leg of minutes is less].
  static let least = 0.2
  /// Metres per second made good over the minute that are no drift (above).
  static let madeGood = 0.25
  /// Metres per second over `spurt` seconds that nobody makes on foot (above).
  static let riding = 4.0
  static let spurt = 10
  /// Seconds without riding that end a ride [ours: above what a train or a bus stands at a stop].
  static let stop = 300.0

  /// The latest samples of the segment by their number, modulo its size.
  private var ring: [TruthSample] = []
  /// Samples of the segment that were taken, and that were given on.
  private var taken = 0
  private var given = 0
  /// The last sample that ends a spurt of riding.
  private var lastSpurt: Int?
  private var ride: (number: UInt64, until: EngineInstant)?

  private static let size = 2 * reach + 1

  /// Takes steps and appends those that are known.
  mutating func take(_ steps: [TruthStep], into known: inout [TruthStep]) {
    for step in steps {
      switch step {
      case .sample(let sample): take(sample, into: &known)
      case .gap:
        finish(into: &known)
        known.append(step)
      }
    }
  }

  /// The segment has ended; appends what was held back.
  mutating func finish(into known: inout [TruthStep]) {
    while given < taken { give(into: &known) }
    (taken, given, lastSpurt) = (0, 0, nil)
    ring.removeAll(keepingCapacity: true)
  }

  private mutating func take(_ sample: TruthSample, into known: inout [TruthStep]) {
    if ring.count < Self.size {
      ring.append(sample)
    } else {
      ring[taken % Self.size] = sample
    }
    if taken >= Self.spurt,
      metres(from: taken - Self.spurt, to: taken) >= Self.riding * Double(Self.spurt)
    {
      lastSpurt = taken
    }
    taken += 1
    if taken - given > Self.reach { give(into: &known) }
  }

  private mutating func give(into known: inout [TruthStep]) {
    var sample = ring[given % Self.size]
    sample.way = way(of: given, sample)
    known.append(.sample(sample))
    given += 1
  }

  private mutating func way(of index: Int, _ sample: TruthSample) -> WayOfMoving {
    let first = max(0, index - Self.reach)
    let last = min(taken - 1, index + Self.reach)
    let span = Double(max(last - first, Self.reach))
    guard sample.speed >= Self.least, metres(from: first, to: last) >= Self.madeGood * span
    else { return .rest }
    guard let lastSpurt, lastSpurt - Self.spurt >= first else { return .foot }
    let number = ride.map { sample.at <= $0.until ? $0.number : $0.number + 1 } ?? 1
    ride = (number, sample.at.advanced(bySeconds: Self.stop))
    return .ride(number)
  }

  private func metres(from: Int, to: Int) -> Double {
    LocalFrame(origin: ring[from % Self.size].coordinate)
      .distance(to: ring[to % Self.size].coordinate)
  }
}
