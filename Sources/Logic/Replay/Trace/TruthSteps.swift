// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A sample of the truth is complete some time after it is made: its speed when the leg to the next new position is
// known, its way of moving five minutes later. It is large, and every world reads it. So it stays where it was
// made until all have read it, and whoever knows more of it adds that in place:
//
//     number   forgotten │ looked back at │ known ............ │ speed known ...... │ just made
//                        └ first          └ taken up to here   └ `known`            └ `SpeedOverGround`   └ `end`

/// The true path, second by second: its latest samples, by their number from the start, and the gaps between them.
struct TruthSteps: Sendable {
  /// A time at which the position was unknown.
  struct Gap: Sendable, Equatable {
    /// The number of the sample behind it.
    let number: Int
    let start: EngineInstant
    let end: EngineInstant
    /// Whether the trace knows of it, and it is only not lived (`SparseDetail`).
    var isLeftOut = false
  }

  private(set) var samples: [TruthSample] = []
  /// The gaps that nobody has taken yet.
  private(set) var gaps: [Gap] = []
  /// The number of the first of `samples`.
  private var first = 0
  /// The end of the complete samples.
  var known = 0

  /// The number of the next sample.
  var end: Int { first + samples.count }

  subscript(number: Int) -> TruthSample {
    get { samples[number - first] }
    _modify { yield &samples[number - first] }
  }

  mutating func append(sample: TruthSample) { samples.append(sample) }

  mutating func append(
    gapFrom start: EngineInstant, to end: EngineInstant, isLeftOut: Bool = false
  ) {
    gaps.append(Gap(number: self.end, start: start, end: end, isLeftOut: isLeftOut))
  }

  /// Forgets the first gap, which was taken.
  mutating func removeFirstGap() { gaps.removeFirst() }

  /// The fewest samples forgotten at once [ours]: what remains is moved.
  private static let many = 512

  /// Forgets samples that are known and taken, except those that `MotionClassifier` looks back at.
  mutating func forget(before number: Int) {
    let past = number - MotionClassifier.driftReach - first
    guard past >= Self.many else { return }
    samples.removeFirst(past)
    first += past
  }
}
