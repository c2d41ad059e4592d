// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The movement of the device is derived from the path alone, looking back and ahead:
//
//     it goes on now (0.2 m/s)  ──no──────────────────────────────────────────────► rest
//            │ yes
//     a recording: it got on by 0.25 m/s over the three minutes around ──no─► drift ► rest
//            │ yes, or the path is the truth
//     10 s of the minute around at 4 m/s, or such both before and behind ──no─────► foot
//            │ yes                     (300 s apart at most)
//           ride
//
// - *Now* is the leg's speed (`SpeedOverGround`): a movement begins and ends with its second, and never before, however
//   long the look ahead.
// - *Three minutes* separate a slow hike from a recorded position that drifts at rest by metres a second for seconds on
//   end. Windows of 10 s of four static logs of the public corpus: 0 of 157 advance by this much; of a day at home with
//   an error of 15 m per axis 7 % (a minute: 51 %); of a mountain hike that is recorded in leaps of 12 m (Endomondo) 84
//   %, of another 94 %. A device at rest in a truth beside the trace does not move at all, so there every pace is a
//   step. In a recording, a stroll round a square counts as rest [limit].
// - *4 m/s* for 10 s is more than a runner keeps up (two recorded runs have no second of it) and less than
//   what buses and bicycles do. Looking ahead makes the first metres of a ride a part of it.
// - *A stride* of a long leg (`TruthStream`) is by itself longer than these windows: the leg's speed decides alone, and
//   the least speed made good in a recording is that of three minutes.
// - *One ride* goes on through stops, jams and anything else for `stop` seconds, so that a train is as smooth behind a
//   station as before it, and nobody takes steps in a car that crawls at 2 m/s between two stretches of motorway. A walk
//   of less than that from one ride to the next counts as a part of them [limit].
// - *A phone settles* (`settling`): it counts as moving until its motion coprocessor has dated its rest.

/// Gives samples their way of moving, some time after they were made.
struct MotionClassifier: Sendable {
  /// Seconds before and behind in which a ride shows.
  static let rideReach = 30
  /// The same for the speed made good in a recording (above).
  static let driftReach = 90
  /// The least speed now, metres per second, that counts as movement [ours: the drift of a leg of minutes is less].
  static let least = 0.2
  /// Metres per second made good that are no drift (above).
  static let madeGood = 0.25
  /// The speed over `spurt` seconds, metres per second, that is impossible on foot (above).
  static let riding = 4.0
  static let spurt = 10
  /// Seconds without riding that end a ride [ours: longer than a train or a bus stops].
  static let stop = 300.0

  /// Seconds from the last movement until a phone knows that it lies still: the median of 127 ends of trips, as the
  /// coprocessors of iPhones 6 dated them (MobilityNet).
  static let settling = 95.0

  /// The seconds ahead that decide on a sample: a jam ends within them.
  private static let reach = Int(stop)

  private let isRecorded: Bool
  /// The first sample of the segment, or that behind its latest stride.
  private var start = 0
  /// The end of the samples taken.
  private var taken = 0
  /// The last sample checked for a spurt of riding that ends there.
  private var looked = spurt - 1
  /// The samples around the spurts found, where no more than `stop` lies between two; without those left behind.
  private var stretches: [ClosedRange<Int>] = []
  private var ride: (number: UInt64, until: EngineInstant)?
  private var lastMoved: EngineInstant?

  /// `isRecorded`: the path is a receiver's recording, drift included.
  init(isRecorded: Bool) { self.isRecorded = isRecorded }

  /// Looks at the samples up to `end`, and gives those their way of moving that are far enough behind.
  mutating func look(at steps: inout TruthSteps, upTo end: Int) {
    while taken < end {
      if steps[taken].beginsSegment { finishSegment(&steps) }
      if steps[taken].isStride {
        finishSegment(&steps)
        settle(&steps[taken], way(of: steps[taken]))
        taken += 1
        steps.known = taken
        beginSegment()
      } else {
        taken += 1
        if taken - steps.known > Self.reach { give(&steps) }
      }
    }
  }

  /// Ends the segment: no more is known of its samples.
  mutating func finishSegment(_ steps: inout TruthSteps) {
    while steps.known < taken { give(&steps) }
    beginSegment()
  }

  private mutating func beginSegment() {
    (start, looked) = (taken, taken + Self.spurt - 1)
    stretches.removeAll(keepingCapacity: true)
  }

  private mutating func settle(_ sample: inout TruthSample, _ way: WayOfMoving) {
    sample.way = way
    if way != .rest { lastMoved = sample.at }
    sample.moves =
      lastMoved.map { EngineInstant.seconds(from: $0, to: sample.at) < Self.settling } ?? false
  }

  private mutating func way(of stride: TruthSample) -> WayOfMoving {
    guard stride.speed >= (isRecorded ? Self.madeGood : Self.least) else { return .rest }
    return stride.speed >= Self.riding ? rides(at: stride.at) : .foot
  }

  private mutating func give(_ steps: inout TruthSteps) {
    let number = steps.known
    while looked < min(number + Self.reach, taken - 1) {
      looked += 1
      let way = metres(from: looked - Self.spurt, to: looked, of: steps)
      if way >= Self.riding * Double(Self.spurt) { noteSpurt(endingAt: looked) }
    }
    if let first = stretches.first, first.upperBound < number { stretches.removeFirst() }
    settle(&steps[number], way(of: number, of: steps))
    steps.known += 1
  }

  /// Adds the samples within whose minute around the spurt lies, or joins them to those of the ride going on.
  private mutating func noteSpurt(endingAt end: Int) {
    let around = (end - Self.rideReach)...(end - Self.spurt + Self.rideReach)
    if let latest = stretches.last, around.upperBound - latest.upperBound <= Self.reach {
      stretches[stretches.count - 1] = latest.lowerBound...around.upperBound
    } else {
      stretches.append(around)
    }
  }

  private mutating func way(of number: Int, of steps: TruthSteps) -> WayOfMoving {
    guard steps[number].speed >= Self.least, !isRecorded || isNoDrift(number, of: steps) else {
      return .rest
    }
    guard let stretch = stretches.first, stretch.contains(number) else { return .foot }
    return rides(at: steps[number].at)
  }

  /// The ride that continues at an instant, or begins there.
  private mutating func rides(at now: EngineInstant) -> WayOfMoving {
    let number = ride.map { now <= $0.until ? $0.number : $0.number + 1 } ?? 1
    ride = (number, now.advanced(bySeconds: Self.stop))
    return .ride(number)
  }

  private func isNoDrift(_ number: Int, of steps: TruthSteps) -> Bool {
    let first = max(start, number - Self.driftReach)
    let last = min(taken - 1, number + Self.driftReach)
    return metres(from: first, to: last, of: steps)
      >= Self.madeGood * Double(max(last - first, Self.driftReach))
  }

  private func metres(from first: Int, to last: Int, of steps: TruthSteps) -> Double {
    steps[first].place.distance(to: steps[last].coordinate)
  }
}
