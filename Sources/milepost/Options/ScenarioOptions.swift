// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ArgumentParser
import LocationEngine
import Replay

extension RunPlan.Scenario: ExpressibleByArgument {}

/// The numbers of the built-in scenarios.
struct ScenarioOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Pocket: seconds from the launch until the app is put away (default: 60).",
      valueName: "seconds"),
    transform: { try Number.zeroOrMore($0) })
  var backgroundAfter = 60.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds in the background until an app that nothing holds is suspended (default: 5).",
      valueName: "seconds"),
    transform: { try Number.zeroOrMore($0) })
  var suspendAfter = 5.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds of suspension until the app is purged (default: 600).", valueName: "seconds"),
    transform: { try Number.zeroOrMore($0) })
  var purgeAfter = 600.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that a wake allows at most (default: 10).", valueName: "seconds"),
    transform: { try Number.zeroOrMore($0) })
  var wakeBudget = 10.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds that the app works of each wake (default: 2).", valueName: "seconds"),
    transform: { try Number.zeroOrMore($0) })
  var workTime = 2.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds still after which updates pause (default: 600).", valueName: "seconds"),
    transform: { try Number.positive($0) })
  var pauseAfter = 600.0

  /// Writes these into the options of a replay.
  func apply(to options: inout ReplayOptions) {
    options.scenario.backgroundAfter = backgroundAfter
    options.scenario.workTime = workTime
    options.rules.lifecycle.suspendsAfter = suspendAfter
    options.rules.lifecycle.purgesAfter = purgeAfter
    options.rules.lifecycle.wakeBudget = wakeBudget
    options.rules.pausesAfter = pauseAfter
  }
}
