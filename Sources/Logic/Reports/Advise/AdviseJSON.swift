// SPDX-License-Identifier: Apache-2.0

package import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Replay

/// `milepost advise --json`.
package enum AdviseJSON {
  package static let document = JSONDocument<AdviseReport>(
    "milepost.advise/3",
    "milepost advise --json: policies and settings over the user's traces, the front, and the "
      + "recommended one."
  ) { report in
    report.objects("traces", \.traces) { trace in
      trace.value("name", \.name)
      trace.value("truth_is_trace", \.isOwnTruth)
    }
    report.known(
      "judged_s", decimals: 3, about: "Of which the truth is known, all traces together.",
      \.compared.judged)
    report.known("distance_m", decimals: 1, about: "Travelled in it.", \.compared.distance)
    report.value("gaps", about: "Left out.", \.compared.gaps)
    report.value("profile", \.options.device.name)
    report.value("network", \.options.network?.name)
    report.value("era", \.options.rules.era.title)
    report.value("seed", about: "Of the first world.") { Int(clamping: $0.options.seed) }
    report.value(
      "worlds", about: "Simulated worlds; counts of events are over all of them together."
    ) { $0.worlds }
    report.value(
      "purpose", .words(AdviseReport.purposes.map(\.rawValue)),
      about: "What the app must know in time, as in milepost compare.", \.purpose.rawValue)
    report.value(
      "sure", about: "Whether other worlds would say the same: all but one in twenty agree.",
      \.isSure)
    report.value(
      "agrees_in", about: "Worlds that by themselves recommend the same.", \.agreesIn)
    report.objects(
      "otherwise", about: "What the others recommend, the most frequent first.", \.otherwise
    ) { other in
      other.value("name", about: "Null where nothing keeps the limits.", \.name)
      other.value("worlds", \.worlds)
    }
    report.number(
      "budget_mwh_per_day", decimals: 6,
      about: "What the user can afford; null where nothing was said.", \.limits.budget)
    report.number(
      "latest_s", decimals: 3, about: "The latest delay; null where nothing was said.",
      \.limits.latest)
    report.value(
      "rule", .words(["knee", "budget", "latest", "budget_and_latest"]),
      about: "How the recommended one was chosen of the front.", \.limits.rule)
    report.value(
      "recommended",
      about:
        "Name of a configuration; null where none is within budget and delay, or none could be judged.",
      \.recommended?.name)
    report.value(
      "configurations", .array(of: configuration.output),
      about: "The front from the cheapest to the dearest, then the others by energy.", \.places)
    report.value("silent", about: "Configurations that delivered nothing.", \.front.silent)
  }

  private static let configuration = JSONTable<AdvisedPlace> { place in
    place.value("name", about: "Policy and setting, as in the table.", \.place.name)
    place.value(
      "mode", .word(among: RunPlan.Mode.allCases), \.place.configuration.plan.mode)
    place.value("policy", \.place.configuration.plan.policy?.name)
    place.value("auto_pause", \.place.configuration.plan.pausesAutomatically)
    place.number(
      "interval_s", decimals: 3,
      about: "From one session to the next; null where that is no setting.",
      \.place.configuration.interval)
    place.value(
      "is_choice",
      about:
        "False for a model of what phones do with positions of the network; it neither beats nor is "
        + "recommended.", \.place.configuration.isChoice)
    place.columns(AdviseColumns.all)
    place.value(
      "on_front", about: "Whether no other configuration costs no more and is no later."
    ) { $0.place.letter != nil }
    place.value(
      "beaten_by", about: "Name of the cheapest one of the front that is no later.",
      \.place.beatenBy)
  }
}
