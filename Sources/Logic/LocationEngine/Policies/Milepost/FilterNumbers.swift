// SPDX-License-Identifier: Apache-2.0

/// All numbers of the policy that neither the device's profile nor the caller states.
///
/// *How the filter decides* gives the source of each, its value if it can be counted, and the effect of halving and
/// doubling it; `Tools/fit-filter` counts them, and with `--sensitivity` halves and doubles them, by name.
enum FilterNumbers {
  // MARK: How one moves

  /// Mean seconds of a stop and of a stay.
  static let stop = 50.0
  static let stay = 14_400.0
  /// Mean duration of a pace, seconds.
  static let pace = 60.0
  /// The share of ending paces that end at rest; of these the share of stays.
  static let rests = 0.2
  static let stays = 0.1
  /// The weight of the prior, against this device's habits, in what follows a rest, and a pace.
  static let surprise = 0.5
  static let change = 0.1
  /// Seconds of movement in which habits are learnt.
  static let learning = 900.0
  /// Standard deviation of a way over its mean: on a ride, and on foot, where gait is steady, and so is the share
  /// that leads away.
  static let width = 0.3
  static let gait = 0.2
  /// Metres of way per change of cell.
  static let cell = 500.0

  // MARK: What a fix says

  /// Standard deviation of a speed, metres per second and over the pace.
  static let speedError = 0.3
  /// The density of a speed that is anything else, seconds per metre: a ride that stands, a receiver between high walls.
  static let wild = 4e-4
  /// The share of first fixes that are jumps, and the seconds after which only one jump in e still lasts.
  static let jumps = 0.01
  static let jumpLasts = 10.0

  // MARK: When to look

  /// Seconds between two events at which a second of delay is worth one of tracking.
  static let interval = 270.0
  /// Metres of delay that are as dear as a look, over the distance.
  static let metres = 0.1
  /// The chance of a rest beyond which the policy waits for a hint.
  static let listens = 0.2
}
