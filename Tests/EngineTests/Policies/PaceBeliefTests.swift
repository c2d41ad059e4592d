// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import LocationEngine

// Before any evidence a stay has 0.2, a stop 0.3, five walking paces 0.05 each, and four riding paces
// 0.0625 each; the expected values are computed from that by hand.

@Suite("How fast, and how far: the belief")
struct PaceBeliefTests {
  private static let sensor = MotionSensing(
    window: 10, steps: 0.95, ride: 0.9, smooth: 0, falseAlarms: 0.25)

  /// The total probability, and its mean pace.
  private func all(_ belief: PaceBelief) -> (chance: Double, pace: Double) {
    var belief = belief
    let all = belief.crossed(-1e6)
    return (all.chance, all.pace)
  }

  /// Metres: ∫ P(X ≥ m) dm over m > 0, less ∫ P(X < m) dm over m < 0.
  private func meanWay(_ belief: PaceBelief) -> Double {
    let step = 0.5
    var belief = belief
    return stride(from: -500, to: 6_000, by: step).reduce(0.0) { sum, metres in
      let chance = belief.crossed(metres + step / 2).chance
      return sum + step * (metres < 0 ? chance - 1 : chance)
    }
  }

  private func riding(_ speed: Double = 16) -> PaceBelief {
    var belief = PaceBelief(sensing: nil)
    belief.fixed(way: nil, speed: speed, after: 0)
    for _ in 0..<5 {
      belief.pass(10, cells: false)
      belief.fixed(way: (10 * speed, 8), speed: speed, after: 10)
    }
    return belief
  }

  @Test("Half a year of silence leaves chances that a fix can change")
  func years() {
    var belief = PaceBelief(sensing: Self.sensor)
    belief.pass(180 * 86_400, cells: true)
    #expect(belief.rest > 0.9 && belief.rest <= 1)
    #expect(abs(all(belief).chance - 1) < 1e-9)
    for _ in 0..<5 {
      belief.felt(after: 10, cells: true)
      belief.fixed(way: (160, 8), speed: 16, after: 10)
    }
    #expect(belief.rest < 0.1)
  }

  @Test("Its chances sum up to 1 and its ways are numbers, whatever it is told", arguments: 1...50)
  func numbers(seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    // Any size from 1 to 10 to a power, alike on a scale of ratios.
    func size(upTo power: Double) -> Double {
      exponential(.random(in: 0...1, using: &dice) * power * 2.302585)
    }
    var belief = PaceBelief(sensing: seed.isMultiple(of: 2) ? Self.sensor : nil)
    for step in 0..<300 {
      let seconds = size(upTo: 8)
      let cells = Bool.random(using: &dice)
      switch Int.random(in: 0..<4, using: &dice) {
      case 0: belief.pass(seconds, cells: cells)
      case 1: belief.felt(after: seconds, cells: cells)
      case 2: belief.heardNewCell()
      default:
        belief.fixed(
          way: cells ? (size(upTo: 7), 2 + size(upTo: 6)) : nil,
          speed: Bool.random(using: &dice) ? size(upTo: 5) - 1 : nil, after: seconds,
          error: Bool.random(using: &dice) ? size(upTo: 7) : 0)
      }
      #expect(abs(belief.crossed(-1e15).chance - 1) < 1e-9, "seed \(seed), step \(step)")
      #expect(belief.way.isFinite && belief.rest <= 1, "seed \(seed), step \(step)")
    }
  }

  @Test("A sensor whose windows have no length is none", .timeLimit(.minutes(10)))
  func noWindow() {
    var (with, without) = (Self.sensor, PaceBelief(sensing: nil))
    with.window = 0
    var belief = PaceBelief(sensing: with)
    belief.pass(100, cells: true)
    without.pass(100, cells: true)
    #expect(belief == without)
  }

  @Test("The mean way is the mean pace, summed up over time")
  func way() {
    for start in [PaceBelief(sensing: nil), riding(1.15)] {
      var belief = start
      var expected = 0.0
      for _ in 0..<6 {
        expected += 10 * all(belief).pace
        belief.foresee(10, by: belief.turnover)
      }
      // Steps of half a metre, and tails that are cut off at 7 deviations.
      #expect(abs(meanWay(belief) - expected) < 0.006 * expected + 0.1)
    }
  }

  @Test("The tail is the logistic one, within 0.0095 of the normal one")
  func tail() {
    for z in stride(from: -7.0, through: 25, by: 0.01) {
      let exact = 1 / (1 + exponential(-1.702 * z))
      let share = LogisticTail.share(beyond: .init(repeating: z))
      #expect(share.min() == share.max())
      #expect(abs(share[0] / exact - 1) < 1e-10, "\(z)")
    }
    // The normal distribution's table; the distance is Haley's (1952).
    for (z, share) in [
      (-2, 0.0228), (-1, 0.1587), (0, 0.5), (0.57, 0.7157), (1, 0.8413), (2, 0.9772),
    ] {
      #expect(abs(LogisticTail.share(beyond: .init(repeating: z))[0] - share) < 0.00955, "\(z)")
    }
    #expect(LogisticTail.share(beyond: .init(repeating: -1e9)).sum() == 0)
    #expect(LogisticTail.share(beyond: .init(repeating: 1e9)).sum() == 16)
  }

  @Test("At a known pace half of the ways are longer than pace times time")
  func median() {
    for pace in [1.15, 16] {
      var belief = riding(pace)
      for _ in 0..<10 { belief.foresee(1, by: belief.turnover) }
      #expect((0.4...0.6).contains(belief.crossed(10 * pace).chance), "\(pace)")
      #expect(belief.crossed(20 * pace).chance < 0.1, "\(pace)")
      #expect(belief.crossed(5 * pace).chance > 0.85, "\(pace)")
    }
  }

  @Test("A silent window multiplies each chance by that of silence; then the states change")
  func silence() {
    var belief = PaceBelief(sensing: Self.sensor)
    belief.pass(10, cells: false)
    // 0.25 false alarms an hour are 0.00069 a window: 0.49965 at rest; 0.05 × (0.24 + 0.145 + 3 × 0.05) = 0.02675 walks,
    // 0.25 × 0.1 rides. Of stays 10 / 14,410 end, of stops 10 / 70: 0.04297; of moving states a seventh, a fifth of the
    // walks and two fifths of the rides at rest: 0.00219. 0.45887 / 0.5514.
    #expect(abs(belief.rest - 0.8322) < 0.0005)
  }

  @Test("A sensor whose events never come within 30 s has windows of 30 s, whatever was stated")
  func window() {
    var belief = PaceBelief(sensing: Self.sensor)
    func walk(every gap: Double, times: Int) {
      for _ in 0..<times { belief.felt(after: gap, cells: false) }
    }
    walk(every: 30, times: 7)
    #expect(belief.window == 10, "seven may be chance")
    walk(every: 30, times: 1)
    #expect(belief.window == 30)
    // 20 s without a sign are no silence now.
    let moving = belief.rest
    belief.pass(20, cells: false)
    #expect(belief.rest < moving + 0.1)
    walk(every: 10, times: 1)
    #expect(belief.window == 30, "30 s after the one before")
    walk(every: 10, times: 1)
    #expect(belief.window == 10, "one that comes sooner says it all")
    // Alarms once in an hour are not windows of an hour.
    walk(every: 3_600, times: 20)
    #expect(belief.window == 10)
    walk(every: 5, times: 20)
    #expect(belief.window == 10, "never shorter than stated")
  }

  @Test("A window that fires weighs by the chances that the profile states")
  func firing() {
    var belief = PaceBelief(sensing: Self.sensor)
    belief.felt(after: 0, cells: false)
    // 0.5 × 0.00069 of that and 0.05 × (0.76 + 0.855 + 3 × 0.95) + 0.25 × 0.9 = 0.44825.
    #expect(abs(belief.rest - 0.0007740) < 1e-6)
  }

  /// A device that a sensor feels, which goes at this speed, and stands at its last fix.
  private func stopped(after speed: Double) -> PaceBelief {
    var belief = PaceBelief(sensing: Self.sensor)
    belief.fixed(way: nil, speed: speed, after: 0)
    for _ in 0..<12 {
      belief.felt(after: 10, cells: false)
      belief.fixed(way: (10 * speed, 8), speed: speed, after: 10)
    }
    belief.pass(20, cells: false)
    belief.fixed(way: (0, 8), speed: 0, after: 20)
    return belief
  }

  @Test(
    "What stands goes on as it came, after half a minute; the longer it stands, the less",
    arguments: [
      // Mean paces, metres per second. The prior: (15.3 + 1.25) / 2 = 8.3, less what rests again. A bus that goes on is
      // between its habit, 8.5, and all rides, 15.3; a walker goes on at 1.25 to 1.4. Of 30 s 0.96 keep the kind.
      (seconds: 30.0, bus: 8.0...15, walker: 1.0...2.4),
      // One in e does: 0.37 × 8.5 + 0.63 × 8.3 to 0.37 × 15.3 + 0.63 × 8.3; 0.37 × 1.25 + 0.63 × 8.3 = 5.7, and of what
      // walks then a quarter has another pace after 20 s, one in five of these on a ride: 0.25 × 0.2 × 15.3 = 0.8 more.
      (150, 8...10.9, 4.5...6.5),
      (1_800, 7...8.3, 7...8.3),
    ])
  func kind(seconds: Double, bus: ClosedRange<Double>, walker: ClosedRange<Double>) {
    for (speed, expected) in [(8.5, bus), (1.4, walker)] {
      var belief = stopped(after: speed)
      #expect(belief.rest > 0.5)
      var pieces = belief
      belief.pass(seconds, cells: false)
      for _ in 0..<Int(seconds / 10) { pieces.pass(10, cells: false) }
      for _ in 0..<2 {
        belief.felt(after: 10, cells: false)
        pieces.felt(after: 10, cells: false)
      }
      #expect(expected.contains(all(belief).pace), "\(all(belief).pace)")
      #expect(abs(all(pieces).pace / all(belief).pace - 1) < 0.1, "\(all(pieces).pace)")
    }
  }

  @Test("A speed a second after another one is not heard twice; a bus that pulls in remains a bus")
  func pullsIn() {
    func tracked(every seconds: Double) -> Double {
      var belief = riding(14)
      for _ in 0..<4 {
        belief.pass(seconds, cells: false)
        // A way that no pace contradicts.
        belief.fixed(way: (1.2 * seconds, 1e3), speed: 1.2, after: seconds)
      }
      return all(belief).pace
    }
    #expect(tracked(every: 1) > 12)
    // Half as fast, or less.
    #expect(tracked(every: 10) < 7)
  }

  @Test("A new cell is the likelier the faster the device goes")
  func cell() {
    var belief = PaceBelief(sensing: nil)
    // 0.05 × 6.25 + 0.0625 × 61.
    #expect(abs(all(belief).pace - 4.125) < 1e-9)
    belief.heardNewCell()
    // Weights of pace / 500 + 1 / 14,400 (python3): 0.17288 / 0.0083194; 0.5 / 14,400 / 0.0083194.
    #expect(abs(all(belief).pace - 20.780) < 0.01)
    #expect(abs(belief.rest - 0.0041737) < 1e-6)
  }

  @Test("What comes at one instant weighs the same in any order")
  func order() {
    var (one, other) = (PaceBelief(sensing: Self.sensor), PaceBelief(sensing: Self.sensor))
    one.heardNewCell()
    one.felt(after: 0, cells: true)
    other.felt(after: 0, cells: true)
    other.heardNewCell()
    #expect(abs(one.rest - other.rest) < 1e-12)
    #expect(abs(all(one).pace - all(other).pace) < 1e-9)
  }

  @Test("At a fix the way begins anew")
  func fix() {
    var belief = riding()
    for _ in 0..<30 { belief.foresee(1, by: belief.turnover) }
    #expect(belief.crossed(200).chance > 0.8)
    belief.fixed(way: (480, 8), speed: 16, after: 30)
    #expect(belief.crossed(20).chance == 0)
    #expect(abs(belief.crossed(0).chance - 0.5) < 1e-6)
  }

  @Test("The drawing of a day: home, an hour later, a window that fires, and a second one")
  func day() {
    var belief = PaceBelief(sensing: Self.sensor)
    belief.fixed(way: nil, speed: 0, after: 0)
    belief.pass(3_600, cells: true)
    #expect(belief.rest > 0.99)
    belief.felt(after: 10, cells: true)
    #expect((0.05...0.95).contains(belief.rest))
    belief.felt(after: 10, cells: true)
    #expect(belief.rest < 0.05)
  }

  @Test("Behind a night at rest a movement begins where the device rested, whatever nothing felt")
  func morning() {
    // A fiftieth of the rides is not felt, so a ride of 8 h may have led 800 km away.
    var sensing = Self.sensor
    sensing.smooth = 0.02
    var belief = PaceBelief(sensing: sensing)
    belief.fixed(way: nil, speed: 0, after: 0)
    belief.pass(8 * 3_600, cells: false)
    for _ in 0..<2 { belief.felt(after: 10, cells: false) }
    // In 20 s even the fastest of all rides, 32 m/s, has gone 640 m, and the next, 16 m/s, 320 m: a sixteenth of what
    // moves goes at 32 m/s, if each movement is as likely a walk as a ride of four paces.
    #expect(belief.crossed(500).chance < 0.125)
    for _ in 0..<3 { belief.felt(after: 10, cells: false) }
    // 400 m in 50 s is a ride, though it stands at a light: on foot at 2.4 m/s it would be 120 m.
    belief.fixed(way: (400, 6), speed: 0, after: 28_850)
    belief.pass(1, cells: false)
    belief.felt(after: 10, cells: false)
    #expect(belief.crossed(-1e6).pace > 3)
  }

  @Test(
    "The chances sum up to 1 whatever happens, and ways are longer with time", arguments: 1...10)
  func sums(seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    var belief = PaceBelief(sensing: seed % 2 == 0 ? nil : Self.sensor)
    for _ in 0..<60 {
      let seconds = Double.random(in: 0.1...200, using: &dice)
      switch Int.random(in: 0..<5, using: &dice) {
      case 0: belief.pass(seconds, cells: Bool.random(using: &dice))
      case 1: belief.felt(after: seconds, cells: Bool.random(using: &dice))
      case 2: belief.heardNewCell()
      case 3: belief.foresee(seconds, by: belief.turnover)
      default:
        // Also the impossible: 10 km in a second, at a speed of a hundred.
        let ways: [Double] = [0, 30, 400, 10_000]
        let way: Double = ways.randomElement(using: &dice) ?? 0
        let speeds: [Double?] = [nil, 0, 1, 14, 100]
        let speed: Double? = speeds.randomElement(using: &dice) ?? nil
        belief.fixed(way: (way, 8), speed: speed, after: seconds)
      }
      #expect(abs(all(belief).chance - 1) < 1e-6, "seed \(seed)")
      #expect((0...1 + 1e-9).contains(belief.rest), "seed \(seed)")
      #expect(belief.crossed(100).chance >= belief.crossed(1_000).chance, "seed \(seed)")
    }
  }
}
