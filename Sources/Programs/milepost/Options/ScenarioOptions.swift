// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ArgumentParser
import LocationEngine
import Replay
import Scoring
import Wording

/// The numbers of the built-in scenarios.
struct ScenarioOptions: ParsableArguments {
  @Option(
    number:
      "Pocket: seconds from the launch until the app is put away (default: \(Figures.plain(ScenarioTiming().backgroundAfter))).",
    "seconds")
  var backgroundAfter = ScenarioTiming().backgroundAfter

  @Option(
    number:
      "Seconds in the background until an app that nothing holds is suspended (default: \(Figures.plain(LifecycleTiming.usual.suspendsAfter))).",
    "seconds")
  var suspendAfter = LifecycleTiming.usual.suspendsAfter

  @Option(
    number:
      "Seconds of suspension until the app is purged (default: \(Figures.plain(LifecycleTiming.usual.purgesAfter))).",
    "seconds")
  var purgeAfter = LifecycleTiming.usual.purgesAfter

  @Option(
    number:
      "Seconds that a wake allows at most (default: \(Figures.plain(LifecycleTiming.usual.wakeBudget))).",
    "seconds")
  var wakeBudget = LifecycleTiming.usual.wakeBudget

  @Option(
    number:
      "Seconds that the app works of each wake (default: \(Figures.plain(ScenarioTiming().workTime))).",
    "seconds")
  var workTime = ScenarioTiming().workTime

  @Option(
    number:
      "Seconds still after which updates pause (default: \(Figures.plain(EngineRules.usual.pausesAfter))).",
    "seconds",
    read: { try Number.positive($0) })
  var pauseAfter = EngineRules.usual.pausesAfter

  @Option(
    number:
      "Metres from the last delivery that make a significant change (default: \(Figures.plain(EngineRules.usual.significantDistance))).",
    "metres", read: { try Number.inside($0, ScoringRules.distances) })
  var significantDistance = EngineRules.usual.significantDistance

  @Option(
    number:
      "Seconds between two significant changes at least (default: \(Figures.plain(EngineRules.usual.significantInterval))).",
    "seconds")
  var significantInterval = EngineRules.usual.significantInterval

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
