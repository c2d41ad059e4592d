// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Replay
import Scoring

/// The answers and what they rest on, as documents state them.
enum AnswerTables {
  /// An answer with the rows that it speaks of.
  struct Told: Sendable {
    let answer: Answer
    let rows: [ModeRow]
    let device: DeviceProfile

    var row: ModeRow { rows[answer.row] }
    var against: ModeRow? { answer.against.map { rows[$0] } }
    var other: ModeRow? { answer.other.map { rows[$0] } }
  }

  /// By purpose.
  struct All: Sendable {
    let told: [Purpose: Told]

    init(_ trace: ComparedTrace, _ device: DeviceProfile) {
      told = Dictionary(
        uniqueKeysWithValues: trace.answers.map {
          ($0.purpose, Told(answer: $0, rows: trace.rows, device: device))
        })
    }
  }

  static let answers = JSONTable<All> { all in
    for purpose in Purpose.allCases {
      all.optionalValue(purpose.rawValue, answer.output, about: purpose.question) {
        $0.told[purpose]
      }
    }
  }.output

  private static let mode = JSONTable<ModeRow> { row in
    row.value("mode", \.plan.service)
    row.value("scenario", .word(among: RunPlan.Scenario.allCases), { $0.plan.scenario })
    row.value("policy", \.policyName)
    row.value("auto_pause", \.plan.pausesAutomatically)
  }

  private static let answer = JSONTable<Told> { told in
    told.include(mode, \.row)
    told.value("call", about: "What to write in code or configuration.") {
      $0.row.call(on: $0.device)
    }
    told.optionalValue("call_android", String.json, about: "The same on Android; phones only.") {
      $0.row.androidCall(on: $0.device)
    }
    told.value(
      "will_do",
      about: "Whether it keeps within the purpose's limit; else it is what comes nearest.",
      \.answer.willDo)
    told.value("agrees_in", about: "Worlds that give this answer.", \.answer.agreesIn)
    told.value("worlds", \.answer.worlds)
    told.value(
      "sure",
      about:
        "Whether other worlds would say the same: nearly all of these agree, and events were enough.",
      \.answer.isSure)
    told.known(
      "redrawn_share", in: 0...1, decimals: 2,
      about:
        "Of 100 draws of as many of these worlds, with replacement, those that give this answer.",
      \.answer.redrawn)
    told.optionalValue(
      "otherwise", mode.output, about: "What most of the other worlds say.", \.other)
    told.optionalValue(
      "against", mode.output, about: "The mode that the ratio is to.", \.against)
    told.optionalValue(
      "ratio", .number(in: 0...1e15, decimals: 4),
      about:
        "Energy of against over that of the answer: median of the draws of worlds and numbers, and the "
        + "middle 90 % of them."
    ) { $0.answer.ratio?.p50 }
    told.optionalValue("ratio_low", .number(in: 0...1e15, decimals: 4)) { $0.answer.ratio?.p5 }
    told.optionalValue("ratio_high", .number(in: 0...1e15, decimals: 4)) { $0.answer.ratio?.p95 }
  }

  /// What an app knew of where it was.
  static let whereabouts = JSONTable<Whereabouts> { known in
    known.value(
      "age_s", spread(3),
      about: "Age of the last delivered position, over the time of all worlds.", \.age)
    known.value(
      "off_by_m", spread(1),
      about: "Metres from that position to the true one, over the time of all worlds.", \.offBy)
    known.value(
      "arrival_delay_s", delay, about: "From arrivals to the first right delivery, of all worlds.",
      \.arrivals)
    known.value("departure_delay_s", delay, about: "The same of departures.", \.departures)
    known.value(
      "crossing_delay_s", delay, about: "The same of crossings of 500 m.", \.crossings)
  }

  private static func spread(_ decimals: Int) -> JSONForm<TimeHistogram> {
    JSONTable<TimeHistogram> { spread in
      spread.number("median", decimals: decimals) { $0.quantile(0.5) }
      spread.number("p95", decimals: decimals) { $0.quantile(0.95) }
      spread.number("max", decimals: decimals, \.greatest)
    }.output
  }

  private static let delay = JSONTable<EventTally> { events in
    events.number("median", decimals: 3) { $0.delay.quantile(0.5) }
    events.number("p95", decimals: 3) { $0.delay.quantile(0.95) }
    events.number("max", decimals: 3) { $0.delay.count > 0 ? $0.longest : nil }
    events.value("count", about: "Told ones, of all worlds together.", \.delay.count)
    events.value("events", \.count)
    events.value("missed", \.missed)
  }.output
}
