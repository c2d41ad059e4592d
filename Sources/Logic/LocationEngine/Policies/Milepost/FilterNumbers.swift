// SPDX-License-Identifier: Apache-2.0

/// Numbers of the policy that neither the device's profile nor the caller states.
///
/// *How the filter decides* gives the source of each, and its value if it can be counted; `Tools/fit-filter` counts
/// them, and with `--sensitivity` halves and doubles them, by name.
enum FilterNumbers {
  // MARK: How one moves

  /// Mean seconds of a pace or a stop, and of a stay.
  static let lasts = 60.0
  static let stay = 14_400.0
  /// The share of ending paces that end at rest: on foot, and on a ride; of the former the share of stays.
  static let rests = 0.2
  static let halts = 0.4
  static let stays = 0.1
  /// Seconds of silence after which one stop in e still interrupts the same walk or ride: exp(−(t / keeps)²) do, if a
  /// sensor hears the silence.
  static let keeps = 150.0
  /// The weight of the prior, against this device's habits, in what follows a pace; soon after a stay also the share
  /// of paces on foot that a ride follows.
  static let change = 0.2
  /// Seconds of movement in which habits are learnt, and in which a walk that began at a stay becomes one as any.
  static let learning = 900.0
  /// Standard deviation of a way over its mean. A speed deviates as much, and by as many metres per second.
  static let width = 0.2
  /// Metres of way per change of cell.
  static let cell = 500.0

  // MARK: What a fix says

  /// The share of a ride's time in which its speed is any below its pace.
  static let slow = 0.2
  /// The share of first fixes that are jumps, as of ways that the belief does not foresee; the share of those among ways
  /// that are felt.
  static let jumps = 0.01
  static let unforeseen = 0.2

  // MARK: When to look

  /// Delay that is as dear as a look: metres over the distance.
  static let metres = 0.05
  /// The chance of a rest beyond which the policy waits for a hint.
  static let listens = 0.2
}
