// SPDX-License-Identifier: Apache-2.0

import JSONText
import RadioPower
import Replay

/// The answers and what they rest on, as documents state them.
enum AnswerTables {
  /// An answer with its rows.
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
    let untold: [Purpose: String]

    init(_ trace: ComparedTrace, _ device: DeviceProfile) {
      told = Dictionary(
        uniqueKeysWithValues: trace.answers.map {
          ($0.purpose, Told(answer: $0, rows: trace.rows, device: device))
        })
      let words = AnswerWords(trace)
      untold = Dictionary(
        uniqueKeysWithValues: Purpose.allCases.filter { words.answer(to: $0) == nil }
          .map { ($0, words.line($0).words) })
    }
  }

  static let answers = JSONTable<All> { all in
    for purpose in Purpose.allCases {
      all.optionalValue(
        purpose.rawValue, answer.output,
        about: "\(purpose.aim); will do: \(purpose.limit)."
      ) {
        $0.told[purpose]
      }
    }
    all.optionalValue(
      "unanswered",
      JSONTable<All> { unanswered in
        for purpose in Purpose.allCases {
          unanswered.optionalValue(purpose.rawValue, String.json) { $0.untold[purpose] }
        }
      }.output, about: "Why there is no answer, by purpose; absent where there are all four."
    ) { $0.untold.isEmpty ? nil : $0 }
  }.output

  private static let mode = JSONTable<ModeRow> { row in
    row.value("mode", .word(among: RunPlan.Mode.allCases), \.plan.mode)
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
      $0.row.androidCall(on: $0.device, for: $0.answer.purpose)
    }
    told.value(
      "will_do",
      about: "Whether it keeps within the purpose's limit; else it is what comes nearest.",
      \.answer.willDo)
    told.value(
      "agrees_in",
      about: "Worlds that by themselves give this answer, mode and whether it will do.",
      \.answer.agreesIn)
    told.value("worlds", \.answer.worlds)
    told.value(
      "sure",
      about: "Whether other worlds would say the same: all but one in twenty of these agree.",
      \.answer.isSure)
    told.optionalValue(
      "otherwise", mode.output, about: "What most of the other worlds say.", \.other)
    told.optionalValue(
      "against", mode.output, about: "The mode that the ratio is to.", \.against)
    told.optionalValue(
      "ratio", .number(in: 0...1e15, decimals: 6),
      about:
        "energy_j of against over energy_j of the answer; low and high hold the middle 90 % of the "
        + "draws of worlds and numbers."
    ) { $0.answer.ratio?.nominal }
    told.optionalValue("ratio_low", .number(in: 0...1e15, decimals: 6)) { $0.answer.ratio?.low }
    told.optionalValue("ratio_high", .number(in: 0...1e15, decimals: 6)) { $0.answer.ratio?.high }
  }

  /// The place knowledge of an app, or with uploads of its server: each figure is that of the middle world.
  static let whereabouts = JSONTable<ModeRow> { row in
    row.value(
      "age_s", spread(3, \.age),
      about:
        "Age of the position that is known, over the time of a world; the middle one of all worlds."
    ) { $0 }
    row.value(
      "off_by_m", spread(1, \.offBy), about: "Metres from that position to the true one, likewise."
    ) { $0 }
    row.value(
      "arrival_delay_s", delay(\.arrivals),
      about:
        "From arrivals to the first right position that is known after them; missed ones count with 1800 s."
    ) { $0 }
    row.value("departure_delay_s", delay(\.departures), about: "The same of departures.") { $0 }
    row.value("crossing_delay_s", delay(\.crossings), about: "The same of crossings of 500 m.") {
      $0
    }
    row.value(
      "border_delay_s", delay(\.borders),
      about:
        "From crossings of the border around a place of the trip to the first position that shows the device beyond it, "
        + "or to the event that tells."
    ) { $0 }
  }

  private static func spread(
    _ decimals: Int, _ path: any KeyPath<Whereabouts, TimeHistogram> & Sendable
  ) -> JSONForm<ModeRow> {
    JSONTable<ModeRow> { spread in
      spread.number("median", decimals: decimals) { row in
        row.typical { $0[keyPath: path].quantile(0.5) }
      }
      spread.number("p95", decimals: decimals) { row in
        row.typical { $0[keyPath: path].quantile(0.95) }
      }
      spread.number("max", decimals: decimals) { row in row.typical { $0[keyPath: path].greatest } }
    }.output
  }

  private static func delay(
    _ path: any KeyPath<Whereabouts, EventTally> & Sendable
  ) -> JSONForm<ModeRow> {
    JSONTable<ModeRow> { delay in
      for (name, share) in [("median", 0.5), ("p95", 0.95), ("max", 1)] {
        delay.number(name, decimals: 3) { row in row.typical { $0[keyPath: path].lateness(share) } }
      }
      delay.value("count", about: "Told ones, of all worlds together.") {
        $0.whereabouts[keyPath: path].delay.count
      }
      delay.value("events", about: "Of all worlds together.") {
        $0.whereabouts[keyPath: path].count
      }
      delay.value("missed", about: "Of all worlds together.") {
        $0.whereabouts[keyPath: path].missed
      }
    }.output
  }
}
