// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ArgumentParser
import LocationEngine
import Replay
import Scoring

/// The numbers of the built-in scenarios.
struct ScenarioOptions: ParsableArguments {
  @Option(
    number: "Pocket: seconds from the launch until the app is put away (default: 60).", "seconds")
  var backgroundAfter = 60.0

  @Option(
    number: "Seconds in the background until an app that nothing holds is suspended (default: 5).",
    "seconds")
  var suspendAfter = 5.0

  @Option(
    number: "Seconds of suspension until the app is purged (default: 600).", "seconds")
  var purgeAfter = 600.0

  @Option(
    number: "Seconds that a wake allows at most (default: 10).", "seconds")
  var wakeBudget = 10.0

  @Option(
    number: "Seconds that the app works of each wake (default: 2).", "seconds")
  var workTime = 2.0

  @Option(
    number: "Seconds still after which updates pause (default: 600).", "seconds",
    read: { try Number.positive($0) })
  var pauseAfter = 600.0

  @Option(
    number: "Metres from the last delivery that make a significant change (default: 500).",
    "metres", read: { try Number.inside($0, ScoringRules.distances) })
  var significantDistance = 500.0

  @Option(
    number: "Seconds between two significant changes at least (default: 300).", "seconds")
  var significantInterval = 300.0

  /// Writes these into the options of a replay.
  func apply(to options: inout ReplayOptions) {
    options.scenario.backgroundAfter = backgroundAfter
    options.scenario.workTime = workTime
    options.rules.lifecycle.suspendsAfter = suspendAfter
    options.rules.lifecycle.purgesAfter = purgeAfter
    options.rules.lifecycle.wakeBudget = wakeBudget
    options.rules.pausesAfter = pauseAfter
    options.rules.significantDistance = significantDistance
    options.rules.significantInterval = significantInterval
    options.scoring.distance = significantDistance
    options.scoring.interval = significantInterval
  }
}
