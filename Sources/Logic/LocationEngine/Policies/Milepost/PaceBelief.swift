// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The position between two fixes is unknown; a distribution can be known over its *pace* (metres per second made good),
// and for each pace over the *way* since the last fix. It is a hidden Markov model with sixteen states:
//
//   at rest since the fix     a stay 4 h, a stop 60 s                    the longer it rests, the longer it
//   at rest, after some way   a stay 4 h, a stop 60 s of a walk or ride  will: stays outlive stops
//   on foot                   0.35, 0.75, 1.15, 1.6, 2.4 m/s
//   on a ride                 4.5, 8.5, 16, 32 m/s
//   on a smooth ride          10, 30 m/s                                 which a motion sensor does not feel
//
//   stay ──ends──► any pace, by the prior: a new trip need not be like the last one; who walks first may walk to a car
//                  or a train, and a train leaves slowly: soon after a stay one foot pace in five ends on a ride
//   stop ──ends──► a pace of the kind that it interrupts, as usual for this device
//     ▲              │
//     │ foot 1 in 5  │ every 60 s another pace of its kind (a walker walks on), as usual for this device
//     └ ride 2 in 5 ─┘
//
// - *Kinds.* A bus that stands when it is looked at goes on as a bus: on the trips to fit on, 1 in 170 stops of up to 5
//   min turned a walk into a ride or back. Two in five longer rests did: whoever waits for minutes may wait for a train.
//   So a stop forgets its kind the sooner, the longer nothing was felt: half of all after two minutes. One state is
//   enough for the stops since the fix, with their share of rides: they end alike.
// - *Way.* Besides its chance p each state has the first two moments of the way, p·E[X] and p·E[X²]. A step of Δ
//   seconds adds w = pace·Δ: second += 2·w·first + w²·p, first += w·p. States that change take their moments along. P(X
//   ≥ m) is a sum of logistic tails with each state's mean and variance.
// - *One origin.* After a night at home there is a chance of a hundredth or more that a ride which nothing felt has led a
//   hundred kilometres away. A walk that begins then begins at home or there; two moments of both would say that it is
//   some kilometres away, give or take ten, and no fix could tell it from a ride. So, with a sensor, movement begins at the
//   rest since the fix alone, while that is the likelier.
// - *Evidence is likelihood.* A window of the motion sensor that fired, or did not, weighs by the profile's chances for
//   the way of moving; a change of cell by a rate r that grows with pace, and its absence by 1 / (1 + r·Δ); a fix by
//   the way found, and by its speed. After a fix the way is zero, give or take its error.
//   Of a device that rests it is the smaller, the more fixes agree (`FixError`).
// - *Speed.* A ride is slow for part of its time: at a junction, pulling into a stop. A second later a receiver reports
//   much the same speed, so within a window of the sensor it is another draw only with the chance Δ / window.
// - *Habits* are learnt from fixes alone, in seconds of movement: a forecast teaches nothing.
// - *Jumps.* A fix may be no way at all: a share of them jump, any length from 100 m to 100 km alike on a scale of
//   ratios. If a way is impossible, the rest of the belief is that the receiver jumped. Two moments a state have no tails,
//   so against a jump stand also ways that the belief does not foresee: one in a hundred is any up to that of the fastest
//   ride, if the device moved at all (a train that stood, and went on unheard, did not jump); of a movement that a sensor
//   feels one in five, up to that of the fastest of its kind since it began.
//
// Drawing of a day (phone): P(rest) — after a fix at home 0.9, an hour later 0.997; a window that fires 0.5, a
// second one 0.003; in a car 0.03, at a light 0.03 → 0.4 → 0.03.
//
// `FilterNumbers` has the numbers.

/// A distribution over pace, and over the way made since the last fix.
struct PaceBelief: Sendable, Equatable, Codable {
  typealias States = SIMD16<Double>

  /// Metres per second made good.
  static let paces = States(
    0, 0, 0, 0, 0, 0.35, 0.75, 1.15, 1.6, 2.4, 4.5, 8.5, 16, 32, 10, 30)
  /// The second slowest on foot, and the fastest.
  static let (strolls, hurries) = (paces[6], paces[9])
  private static let kinds = (rest: 0..<5, foot: 5..<10, ride: 10..<14, smooth: 14..<16)
  /// The states that have not moved since the fix.
  private static let unmoved = 0..<2
  private static let resting = mask(kinds.rest)
  private static let onFoot = mask(kinds.foot)
  private static let riding = mask(kinds.ride)
  private static let smooth = mask(kinds.smooth)
  private static let onWheels = riding + smooth
  /// Mean duration of a state, seconds: stay and stop; stay and stops of a walk and of a ride, after some way; a pace.
  private static let lasts: States = {
    var lasts = States(repeating: FilterNumbers.lasts)
    (lasts[0], lasts[2]) = (FilterNumbers.stay, FilterNumbers.stay)
    return lasts
  }()
  /// The fastest ride, by a standard deviation.
  private static let fastest = paces[13] * (1 + FilterNumbers.width)
  /// The farthest way of a pace's kind over the mean one of that pace.
  private static let reach =
    (onFoot * hurries + onWheels * paces[13]) * (1 + FilterNumbers.width) / (paces + resting)
  /// Standard deviation of a way over its mean.
  private static let width = FilterNumbers.width * (1 - resting)

  /// Seconds of the sensor's window, as stated or learnt; 10 without one.
  private(set) var window: Double
  private var gaps: Gaps?
  /// The chance that a window fires; 0 without a sensor.
  private let fires: States
  private let prior: States
  private var chances: States
  private var first = States()
  private var second = States()
  private var usual: States
  /// The share of stops since the fix that interrupt a ride, 0 to 1.
  private var stoppedRides = 0.5
  /// The chance that a walk now is one that began at a stay a moment ago, 0 to 1.
  private var departs = 0.0
  /// Seconds of the open window, and since the sensor fired.
  private var open = 0.0
  private(set) var quiet = 0.0

  /// `sensing`: the behaviour of the motion sensor; `nil` if there is none, and so is one whose windows have no length.
  init(sensing: MotionSensing?) {
    let sensing = sensing.flatMap { $0.window > 0 ? $0 : nil }
    window = sensing?.window ?? 10
    gaps = sensing.map { Gaps(stated: $0.window) }
    let smoothness = sensing?.smooth ?? 0
    // Half on foot, half riding; a smooth ride feels like none.
    let prior =
      Self.onFoot / 10 + Self.riding * ((1 - smoothness) / 8) + Self.smooth * (smoothness / 4)
    if let sensing {
      // At 0.35 m/s a fifth of the time is no step, at 0.75 m/s a tenth: longer pauses are stops.
      var feet = Self.onFoot
      (feet[5], feet[6]) = (0.8, 0.9)
      let alarms = min(0.5, max(1e-4, sensing.falseAlarms * sensing.window / 3_600))
      fires = (feet * sensing.steps + Self.riding * sensing.ride)
        .clamped(lowerBound: States(repeating: alarms), upperBound: States(repeating: 0.999))
    } else {
      fires = States()
    }
    self.prior = prior
    usual = prior
    chances = prior / 2
    (chances[0], chances[1]) = (0.2, 0.3)
  }

  private static func mask(_ range: Range<Int>) -> States {
    var states = States()
    for index in range { states[index] = 1 }
    return states
  }

  /// The chance that the device rests.
  var rest: Double { (chances * Self.resting).sum() / chances.sum() }

  /// The likelier way of moving, and its mean pace; `chance` is that the device moves at all.
  var movement: MovementBelief {
    let (walks, rides) = ((chances * Self.onFoot).sum(), (chances * Self.onWheels).sum())
    let kind = rides > walks ? Self.onWheels : Self.onFoot
    return MovementBelief(
      chance: (walks + rides) / chances.sum(), isRide: rides > walks,
      pace: (chances * kind * Self.paces).sum() / max(1e-300, walks, rides))
  }

  /// The root of the mean square of the way, metres.
  var way: Double { (second.sum() / chances.sum()).squareRoot() }

  /// The chance of a way, the share of it that is the fix's error, for the device has rested since then, and the mean pace.
  typealias Crossed = (chance: Double, still: Double, pace: Double)

  /// The cases in which the way is `metres` or more. It is `mutating` to spare a variable, which is large, the copy.
  mutating func crossed(_ metres: Double) -> Crossed {
    let (mean, variance) = ways
    // Two metres: a device that stands there has not crossed.
    let deviation = (variance + 4).squareRoot()
    let beyond = chances * LogisticTail.share(beyond: (mean - metres) / deviation)
    let chance = beyond.sum()
    let pace = chance > 0 ? (beyond * Self.paces).sum() / chance : 0
    return (chance, beyond[0] + beyond[1], pace)
  }

  /// The ways of all states; 0 where a state has no chance.
  private var ways: (mean: States, variance: States) {
    let each = 1 / (chances + 1e-300)
    let mean = first * each
    let wide = Self.width * mean
    let spread = second * each - mean * mean
    return (mean, spread.replacing(with: 0, where: spread .< 0) + wide * wide)
  }

  // MARK: Time

  /// The successor of a state that ends, by present habits: of a stay, of a stop of each kind, and of a pace of each.
  struct Turnover {
    fileprivate let stay: States
    fileprivate let walkStop: States
    fileprivate let rideStop: States
    fileprivate let foot: States
    fileprivate let ride: States
    fileprivate let smooth: States
    /// Of a pace on foot that ends on a ride.
    fileprivate let boards: States
  }

  var turnover: Turnover {
    Turnover(
      stay: prior, walkStop: habit(within: Self.onFoot), rideStop: habit(within: Self.onWheels),
      foot: turnover(within: Self.onFoot, FilterNumbers.rests, at: 3),
      ride: turnover(within: Self.riding, FilterNumbers.halts, at: 4),
      smooth: turnover(within: Self.smooth, FilterNumbers.halts, at: 4),
      boards: Self.share(of: prior, within: Self.onWheels) ?? prior)
  }

  /// A pace that ends is followed by a rest, a share of which are stops of its kind, or by another pace of its kind.
  private func turnover(within kind: States, _ rests: Double, at stop: Int) -> States {
    var result = States()
    result[2] = FilterNumbers.rests * FilterNumbers.stays
    result[stop] = rests - result[2]
    guard let fresh = Self.share(of: prior, within: kind) else { return result }
    let change = FilterNumbers.change
    return result + (fresh * change + habit(within: kind) * (1 - change)) * (1 - rests)
  }

  /// The paces of a kind as usual for this device, in shares; the prior's if it has none, or any of them.
  private func habit(within kind: States) -> States {
    Self.share(of: usual, within: kind) ?? Self.share(of: prior, within: kind) ?? prior
  }

  private static func share(of paces: States, within kind: States) -> States? {
    let known = paces * kind
    let sum = known.sum()
    return sum > 1e-9 ? known / sum : nil
  }

  /// Windows of silence after which the chances are rescaled; each leaves a thousandth of a chance at least.
  private static let mostWindows = 100.0

  /// Seconds of silence beyond which the chances no longer change: they are those of stays, which last hours [ours].
  private static let longestSilence = 7 * 86_400.0

  /// Advances by `seconds` in which the motion sensor was silent, and no new cell was heard if `cells` are armed.
  mutating func pass(_ seconds: Double, cells: Bool) {
    let turnover = turnover
    var left = min(seconds, Self.longestSilence)
    quiet += seconds - left
    while left > 0 {
      // The longer the silence, the longer the steps: only the last window of an eighth of it is told apart.
      let windows = min(
        Self.mostWindows, (min(quiet / 8, left - window) / window).rounded(.down))
      if open == 0, windows >= 1 {
        advance(windows * window, cells: cells)
        change(windows * window, by: turnover)
        for _ in 0..<Int(windows) { weigh(1 - fires) }
        // Months of silence would leave nothing of any chance.
        normalize()
        left -= windows * window
      }
      let part = min(left, window - open)
      left -= part
      open += part
      advance(part, cells: cells)
      if open >= window - 1e-6 {
        open = 0
        weigh(1 - fires)
      }
      change(part, by: turnover)
    }
    normalize()
  }

  private mutating func advance(_ seconds: Double, cells: Bool) {
    quiet += seconds
    advance(seconds)
    if cells { weigh(1 / (1 + Self.paces * (seconds / FilterNumbers.cell))) }
  }

  /// Advances by `seconds` of which nothing is known.
  mutating func foresee(_ seconds: Double, by turnover: Turnover) {
    advance(seconds)
    change(seconds, by: turnover)
  }

  /// The same if the hints, which come at these rates (`hintRates`), stay away: the chances then sum up to
  /// that of silence.
  mutating func foresee(_ seconds: Double, by turnover: Turnover, withoutHintsAt rates: States) {
    advance(seconds)
    weigh(1 / (1 + rates * seconds))
    change(seconds, by: turnover)
  }

  /// The rate, per second, at which each pace makes the motion sensor fire and the modem change its cell.
  func hintRates(_ hints: Senses) -> States {
    fires / (1 - fires) / window
      + (hints.contains(.cells) ? Self.paces / FilterNumbers.cell : States())
  }

  private mutating func advance(_ seconds: Double) {
    let way = Self.paces * seconds
    second += 2 * way * first + way * way * chances
    first += way * chances
  }

  private mutating func change(_ seconds: Double, by turnover: Turnover) {
    let ends = seconds / (Self.lasts + seconds)
    // Without a sensor nobody knows for how long it has been still, nor that it begins to move.
    let isSensed = fires.max() > 0
    let silence = isSensed ? 2 * quiet / FilterNumbers.keeps : 1
    let forgetting = seconds / FilterNumbers.keeps * silence
    let forgotten = forgetting / (1 + forgetting)
    stoppedRides += (0.5 - stoppedRides) * forgotten
    let stays = (chances[0] + chances[2]) / max(1e-300, chances.sum())
    departs = max(departs * FilterNumbers.learning / (FilterNumbers.learning + seconds), stays)
    let isNear = isSensed && chances[0] + chances[1] > chances[2] + chances[3] + chances[4]
    chances = changed(chances, ends, forgotten, turnover)
    first = changed(first, ends, forgotten, turnover, isNear: isNear)
    second = changed(second, ends, forgotten, turnover, isNear: isNear)
  }

  /// `isNear`: of rests that end only those since the fix count.
  private func changed(
    _ states: States, _ ends: States, _ forgotten: Double, _ turnover: Turnover,
    isNear: Bool = false
  ) -> States {
    var ending = states * ends
    // By kind: sums over masks are four times as long.
    func sum(_ range: Range<Int>) -> Double {
      var sum = 0.0
      for index in range { sum += ending[index] }
      return sum
    }
    // One by one: the compiler does not finish with their sum.
    var changed = states - ending
    if isNear { (ending[2], ending[3], ending[4]) = (0, 0, 0) }
    changed += turnover.stay * (ending[0] + ending[2])
    changed += turnover.walkStop * (ending[3] + ending[1] * (1 - stoppedRides))
    changed += turnover.rideStop * (ending[4] + ending[1] * stoppedRides)
    let walks = sum(Self.kinds.foot)
    let boards = walks * FilterNumbers.change * departs
    changed += turnover.foot * (walks - boards) + turnover.boards * boards
    changed += turnover.ride * sum(Self.kinds.ride)
    changed += turnover.smooth * sum(Self.kinds.smooth)
    // A stop that forgets its kind draws it anew: the prior walks as often as it rides.
    let drawn = (changed[3] - changed[4]) * forgotten / 2
    changed[3] -= drawn
    changed[4] += drawn
    return changed
  }

  // MARK: Evidence

  /// The motion sensor fired, `seconds` after the last input: its window is no silence.
  mutating func felt(after seconds: Double, cells: Bool) {
    // A device without a sensor hears none: an unexplained event would leave no chance at all.
    guard fires.max() > 0 else { return pass(seconds, cells: cells) }
    if let learnt = gaps?.window(after: quiet + seconds, now: window) { window = learnt }
    let silent = max(0, seconds - window)
    pass(silent, cells: cells)
    advance(seconds - silent)
    weigh(fires)
    change(seconds - silent, by: turnover)
    normalize()
    (open, quiet) = (0, 0)
  }

  /// A sense says that a trip begins, as this device makes them, or that one has ended in a stay.
  mutating func heard(_ hint: TripHint) {
    let trip = hint.isRide ? Self.onWheels : Self.onFoot + Self.onWheels
    let (before, next) = hint.begins ? (1 - trip, habit(within: trip)) : (trip, Self.mask(2..<3))
    for moment in [\PaceBelief.chances, \.first, \.second] {
      let changing = self[keyPath: moment] * before * hint.reliability
      self[keyPath: moment] += next * changing.sum() - changing
    }
  }

  /// The modem changed to a cell that was not heard here before.
  mutating func heardNewCell() {
    weigh(Self.paces / FilterNumbers.cell + 1 / FilterNumbers.stay)
    normalize()
  }

  /// Takes a fix, `seconds` after the last: the way from that, and the speed; each `nil` if unknown. `error` is the
  /// standard deviation of the fix, metres.
  mutating func fixed(way: Way?, speed: Double?, after seconds: Double, error: Double = 0) {
    var atRest = error * error
    if let way {
      let ways = ways
      let before = (second[0] + second[1]) / max(1e-300, chances[0] + chances[1])
      atRest = FixError.variance(error, after: seconds, before: before)
      for index in 0..<States.scalarCount where chances[index] > 1e-12 {
        chances[index] *=
          Self.density(of: way, ways.mean[index], ways.variance[index]) + Self.jumped(way)
      }
    }
    if let speed { weigh(speed: speed, after: way == nil ? window : seconds) }
    let unmoved = chances
    settle()
    (first, second) = (States(), chances * (error * error))
    for index in Self.unmoved { second[index] += unmoved[index] * (atRest - error * error) }
    normalize()
    let moving = chances * (1 - Self.resting)
    let sum = moving.sum()
    if sum > 1e-9 {
      usual += (moving / sum - usual) * (1 - exponential(-seconds * sum / FilterNumbers.learning))
    }
  }

  /// Weighs the paces, whose way counts already, by a speed, `seconds` after another one.
  private mutating func weigh(speed: Double, after seconds: Double) {
    var likelihood = States(repeating: 1)
    for index in 0..<States.scalarCount { likelihood[index] = Self.density(ofSpeed: speed, index) }
    let mean = (chances * likelihood).sum() / chances.sum()
    guard mean > 1e-300 else { return }
    let fresh = min(1, seconds / window)
    chances *= (1 - fresh) + likelihood * (fresh / mean)
  }

  /// The odds that the receiver jumped, against the device having made this way, in `seconds`, and going at this speed
  /// now.
  func oddsOfJump(_ way: Way, speed: Double?, after seconds: Double) -> Double {
    var (made, any) = (0.0, 0.0)
    let (ways, farthest) = (ways, Self.fastest * seconds)
    for index in 0..<States.scalarCount where chances[index] > 1e-12 {
      let likelihood = chances[index] * (speed.map { Self.density(ofSpeed: $0, index) } ?? 1)
      let moved = Self.unmoved.contains(index) ? 0 : FilterNumbers.jumps
      let felt = fires[index] * FilterNumbers.unforeseen
      made +=
        likelihood
        * (Self.density(of: way, ways.mean[index], ways.variance[index])
          + moved * Self.density(of: way, upTo: farthest)
          + felt * Self.density(of: way, upTo: Self.reach[index] * ways.mean[index]))
      any += likelihood
    }
    return Self.jumped(way) * any / max(1e-300, made)
  }

  private static func density(ofSpeed speed: Double, _ index: Int) -> Double {
    let pace = paces[index]
    let error = FilterNumbers.width
    // Between high walls receivers report 100 m/s.
    let slow = index >= kinds.ride.lowerBound && speed < pace ? FilterNumbers.slow / pace : 0
    return FixError.density(min(speed, paces[13]) - pace, error * error * (1 + pace * pace)) + slow
  }

  /// Takes over the habits of this device that another belief has learnt.
  mutating func takeHabits(of other: PaceBelief) {
    usual = other.usual
    guard gaps?.stated == other.gaps?.stated else { return }
    (window, gaps) = (other.window, other.gaps)
  }

  /// A device at rest now has rested since the fix.
  private mutating func settle() {
    let rides = chances[1] * stoppedRides + chances[4]
    chances[0] += chances[2]
    chances[1] += chances[3] + chances[4]
    if chances[1] > 0 { stoppedRides = rides / chances[1] }
    (chances[2], chances[3], chances[4]) = (0, 0, 0)
  }

  private mutating func weigh(_ likelihood: States) {
    chances *= likelihood
    first *= likelihood
    second *= likelihood
  }

  private mutating func normalize() {
    let sum = chances.sum()
    guard sum > 1e-300 else { return }
    chances /= sum
    first /= sum
    second /= sum
  }
}
