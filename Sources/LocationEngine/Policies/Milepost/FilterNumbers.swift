// SPDX-License-Identifier: Apache-2.0

/// All numbers of the policy that are not stated by a device's profile or by whoever asks.
///
/// *How the filter decides* has where each is from, what it comes to where it can be counted, and what halving and
/// doubling it does; `Tools/fit-filter` counts them, and with `--sensitivity` halves and doubles them, by name.
enum FilterNumbers {
  // MARK: How one moves

  /// Mean seconds of a stop, of a pause and of a stay, and of a halt that may be a stop or a pause.
  static let stop = 20.0
  static let pause = 600.0
  static let stay = 14_400.0
  static let halt = 50.0
  /// Mean seconds for which a pace lasts.
  static let pace = 60.0
  /// Of paces that end, the share that ends at rest; of these the shares of stays and of pauses.
  static let rests = 0.2
  static let stays = 0.1
  static let pauses = 0.2
  /// How much of the prior, and not of what is usual for the device, is in what follows a rest, and a pace.
  static let surprise = 0.5
  static let change = 0.1
  /// Seconds of movement in which it is learnt what is usual.
  static let learning = 900.0
  /// Standard deviation of a way over its mean: of a ride, and on foot, where gait is steady, and so is the share that
  /// leads away.
  static let width = 0.3
  static let gait = 0.2
  /// Metres of way per change of cell.
  static let cell = 500.0

  /// The share of rides, at least, that a sensor does not feel: one may be broken, or feel less than is stated.
  static let unfelt = 0.01

  // MARK: What a fix says

  /// Standard deviation of a speed, metres per second and over the pace; and the density of one below that of a ride,
  /// seconds per metre, for much of a ride crawls or stands.
  static let speedError = 0.3
  static let crawls = 0.012
  /// The density of one that is anything else, as receivers between high walls report.
  static let wild = 4e-4
  /// The share of first fixes that are jumps, and the seconds in which all but one jump in e are over.
  static let jumps = 0.01
  static let jumpLasts = 10.0

  // MARK: When to look

  /// Seconds between two events at which a second of delay is worth one of tracking, and the share of it below which
  /// a second is not worth more.
  static let interval = 270.0
  static let shortest = 0.1
  /// Metres of delay that are as dear as a look, over the distance.
  static let metres = 0.1
  /// The chance of a rest from which on a hint is waited for.
  static let listens = 0.2
}
