// SPDX-License-Identifier: Apache-2.0

import Geodesy

// Theory
// ======
//
// Phones and loggers with a distance filter are silent while they lie still: an iPhone with a filter of 1 m reported
// nothing for up to 20 min of its stays (MobilityNet). So a hole in a trace means one of two things:
//
//     A ●●●●●                         ●●●●● A     both ends in one place: a *stay*. The device is there, the receiver works
//     A ●●●●●                         ●●●●● B     it leads elsewhere: a *gap*. Nobody knows where the device was
//
// One place: within 100 m, and less than 0.2 m/s apart, which is the pace below which a recorded position drifts
// (`MotionClassifier`). A device may have been away and come back: the longer the hole, the less certain is the stay. Half of
// the certainty is gone after 8 h [ours: a day's work away from home], and a hole of a day is a gap.

/// The rule by which a hole in a trace is a stay.
enum SilentStay {
  /// The greatest distance of the two ends, metres [ours: as around the place of a visit].
  static let radius = 100.0
  /// Metres per second from one end to the other that are no way made.
  static let pace = MotionClassifier.least
  /// The least hole, seconds: a shorter one is none.
  static let least = TraceSummary.leastGap
  /// The longest, seconds, and the time in which half of the certainty goes [ours].
  static let longest = 86_400.0
  static let halfLife = 28_800.0

  /// Whether a hole of `seconds` from one fix to the next is a stay.
  static func holds(_ seconds: Double, from start: LocalFrame, to end: Coordinate) -> Bool {
    guard seconds > least, seconds <= longest else { return false }
    let metres = start.distance(to: end)
    return metres <= radius && metres < pace * seconds
  }

  /// The chance that the device was there all the time, 0 to 1.
  static func certainty(after seconds: Double) -> Double {
    exponential(-logarithm(2) * seconds / halfLife)
  }
}
