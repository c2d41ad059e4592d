// SPDX-License-Identifier: Apache-2.0

import Geodesy

// Theory
// ======
//
// To somebody on foot the motion sensor is an odometer with two gears: the time that it felt goes at a
// walker's pace, and its silence at a creep, which is nothing for who rests and half a metre per second for
// who looks at shop windows. So the way since the last look is
//
//     felt · (felt seconds) + unfelt · (silent seconds)
//
// and the next look is due when that, with caution, is what is missing: silence puts it off, and each event
// of the sensor brings it nearer. Both gears are learnt from the legs between looks: the metres that a leg made
// more or less than they say are shared between them as the squares of their seconds (normalised least mean
// squares), and a longer leg weighs more. A walker's silence raises `unfelt`, two minutes of rest halve it; so
// a rest after a creep is looked at sooner, and later and later as long as it lasts.
//
// How much of the time ahead will be felt is taken from the last minutes (`share`). Who is felt most of the
// time is better foretold by his speed (`SpeedOutlook`); so is a vehicle, which never strolls.

/// How far somebody on foot gets while the motion sensor feels him, and while it is silent.
struct WalkOdometer: Sendable, Equatable, Codable {
  /// Metres per second above which nobody strolls [ours: a very brisk walk].
  static let fastest = 2.0
  /// Share of felt time above which a walk is steady [ours].
  static let steady = 0.6
  /// Metres per second in silence above which silence is no rest [ours: a quarter of what the sensor feels].
  static let patchy = 0.25
  /// Ways that are not exceeded, over expected ones [ours: gait is steady, a creep is not].
  static let caution = (felt: 1.1, unfelt: 2.0)
  /// Seconds for which a predicted crossing may be waited [ours: a quarter of what may be late].
  static let late = 8.0
  /// Seconds in which the share is learnt [ours: the interval].
  static let learning = 300.0
  /// Seconds of a leg over its weight, and the most that one leg weighs: from 120 s on [ours].
  static let lesson = (seconds: 240.0, most: 0.5)
  /// Metres per second that the gears stay within: slow and quick gait; a rest that is still looked at, and
  /// what the sensor would feel [ours].
  static let gears = (felt: 0.9...2.2, unfelt: 0.02...1.0)

  /// Metres per second made good while the sensor feels movement, and while it does not.
  private(set) var felt = 1.3
  private(set) var unfelt = 0.15
  /// The share of time that it felt lately, 0 to 1.
  private(set) var share = 0.5

  /// Takes a leg on foot: `metres` in `felt` and `silent` seconds.
  mutating func learn(_ metres: Double, felt heard: Double, silent: Double) {
    let seconds = heard + silent
    guard seconds > 0 else { return }
    let error = metres - (felt * heard + unfelt * silent)
    let weight = min(Self.lesson.most, seconds / Self.lesson.seconds)
    let step = weight * error / (heard * heard + silent * silent)
    felt = Self.within(Self.gears.felt, felt + step * heard)
    unfelt = Self.within(Self.gears.unfelt, unfelt + step * silent)
    share += (1 - exponential(-seconds / Self.learning)) * (heard / seconds - share)
  }

  private static func within(_ bounds: ClosedRange<Double>, _ speed: Double) -> Double {
    min(bounds.upperBound, max(bounds.lowerBound, speed))
  }

  /// Whether it feels most of the walk.
  var isSteady: Bool { share > Self.steady }

  /// Whether its silence is no rest.
  var isPatchy: Bool { unfelt > Self.patchy }

  /// Metres that are likely not exceeded in so many seconds.
  func reach(felt heard: Double, silent: Double) -> Double {
    Self.caution.felt * felt * heard + Self.caution.unfelt * unfelt * silent
  }

  /// The same for a second of the usual mixture.
  var pace: Double { reach(felt: share, silent: 1 - share) }

  /// Metres that are made while a crossing is waited for.
  var tolerance: Double { Self.late * (share * felt + (1 - share) * unfelt) }

  /// Seconds until `metres` may be covered by somebody who goes at `speed` now.
  func seconds(toCover metres: Double, from speed: Double) -> Double {
    let head = max(0, min(speed, felt) - pace)
    return earliest(within: metres / pace) { seconds in
      pace * seconds + head * SpeedOutlook.remembered(in: seconds) >= metres
    }
  }
}
