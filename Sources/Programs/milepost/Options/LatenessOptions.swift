// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LocationEngine
import Replay
import Wording

/// The value of an event's timeliness to the policy milepost.
struct LatenessOptions: ParsableArguments {
  @Option(
    number:
      "Seconds that a significant change may be late, whatever it costs, by what the policy milepost "
      + "believes; 1 to 86400 (default: as late as it is worth).", "seconds",
    read: { try Number.inside($0, 1...86_400) })
  var maxLate: Double?

  @Option(
    number:
      "Millijoules that a second of lateness is worth to the policy milepost, 0.1 to 100000 (default: those of a "
      + "second of tracking, for \(Figures.plain(EngineRules.usualInterval)) s between events).",
    "mj",
    read: { try Number.inside($0, 0.1...100_000) })
  var latenessPrice: Double?

  @Flag(
    help:
      "The device is on external power, where a joule is worth a tenth to the policy milepost.")
  var externalPower = false

  /// Writes these into the options of a replay.
  func apply(to options: inout ReplayOptions) {
    options.rules.lateness = LatenessTerms(
      longest: maxLate, price: latenessPrice.map { $0 / 1_000 }, isOnExternalPower: externalPower)
  }
}
