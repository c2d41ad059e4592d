// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A leg's speed is its length over its time. But if the trace itself is the truth, a phone that has not measured anew
// repeats its last position to the last digit, and then leaps:
//
//     recorded    A A A A A A B B B B C …     a walker's 12 m in 12 s
//     by legs     0 0 0 0 0 6 0 0 0 4         no walk is like that, and no Doppler shift shows it
//     here        1 1 1 1 1 1 1 1 1 1
//
// So the leg to a new position begins where its old one was first seen. A position repeated for more than `longest`
// seconds is a stop, and the next leg keeps its length. Samples of a repeat are held back for that time. In a truth
// beside a trace a repeat is a stop.

/// Gives samples the speeds that a receiver would measure there.
struct SpeedOverGround: Sendable {
  /// The longest repeat of a position to the last digit, seconds, that is no stop [ours: in a walk of the public corpus
  /// (Endomondo) half of the repeats are 10 s or less, nine of ten 24 s].
  static let longest = 30.0

  private let joinsRepeats: Bool
  /// The first sample of a repeat that may still be part of a leg: from there on no speed is known.
  private var held: Int?
  /// Seconds for which the last position has been repeated.
  private var repeated = 0.0

  /// `joinsRepeats`: the path is a recording, in which a repeat may be no stop.
  init(joinsRepeats: Bool) { self.joinsRepeats = joinsRepeats }

  /// Begins a leg of `metres` and `seconds`; returns its speed in metres per second.
  mutating func leg(
    of metres: Double, in seconds: Double, completing steps: inout TruthSteps
  ) -> Double {
    guard joinsRepeats else { return metres / seconds }
    if metres == 0 {
      repeated += seconds
      if repeated > Self.longest { release(at: 0, in: &steps) }
      return 0
    }
    let speed = metres / (seconds + (repeated <= Self.longest ? repeated : 0))
    release(at: speed, in: &steps)
    repeated = 0
    return speed
  }

  /// The end of the samples whose speed is known.
  func known(of steps: TruthSteps) -> Int { held ?? steps.end }

  /// Takes a sample of the leg; its speed is known at once unless the position may be a repeat.
  mutating func addSample(_ sample: TruthSample, into steps: inout TruthSteps) {
    if held == nil, repeated > 0, repeated <= Self.longest { held = steps.end }
    steps.append(sample: sample)
  }

  /// Ends the segment, and with it the repeat.
  mutating func finish(in steps: inout TruthSteps) {
    release(at: 0, in: &steps)
    repeated = 0
  }

  private mutating func release(at speed: Double, in steps: inout TruthSteps) {
    guard let first = held else { return }
    for number in first..<steps.end { steps[number].speed = speed }
    held = nil
  }
}
