// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import RadioPower
import Replay

/// The answers and what they rest on, as documents state them.
enum AnswerTables {
  /// An answer with its rows, or the reason why there is none.
  enum Told: Sendable {
    case answer(Answer, rows: [ModeRow], device: DeviceProfile)
    case untested(String)
  }

  /// An answer with its rows.
  private struct Chosen: Sendable {
    let answer: Answer
    let rows: [ModeRow]
    let device: DeviceProfile

    var row: ModeRow { rows[answer.row] }

    func stated(_ figure: Double) -> Double { Tolerance.stated(figure, for: answer.purpose) }
  }

  /// A tolerance at which a mode becomes the choice.
  private struct Turned: Sendable {
    let chosen: Chosen
    let turn: Answer.Turn

    var row: ModeRow { chosen.rows[turn.row] }
  }

  /// A trace with its device.
  struct Subject: Sendable {
    let trace: ComparedTrace
    let device: DeviceProfile

    func told(_ purpose: Purpose) -> Told {
      let words = AnswerWords(trace)
      return words.answer(to: purpose).map { .answer($0, rows: trace.rows, device: device) }
        ?? .untested(words.untested(purpose))
    }
  }

  static let answers = JSONTable<Subject> { all in
    for purpose in Purpose.allCases {
      all.value(purpose.rawValue, told(purpose), about: "\(purpose.aim).") { $0.told(purpose) }
    }
  }.output

  private static func told(_ purpose: Purpose) -> JSONForm<Told> {
    let answer = answer(to: purpose).output
    let untested = JSONTable<String> { reason in
      reason.value("untested", about: "Why this trace has no answer.") { $0 }
    }.output
    return JSONForm(.oneOf([answer.shape, untested.shape])) { told, json in
      switch told {
      case .answer(let chosen, let rows, let device):
        answer.write(Chosen(answer: chosen, rows: rows, device: device), &json)
      case .untested(let reason): untested.write(reason, &json)
      }
    }
  }

  private static let mode = JSONTable<ModeRow> { row in
    row.value("mode", .word(among: RunPlan.Mode.allCases), \.plan.mode)
    row.value("scenario", .word(among: RunPlan.Scenario.allCases), { $0.plan.scenario })
    row.value("policy", \.policyName)
    row.value("auto_pause", \.plan.pausesAutomatically)
    row.value("name", about: "As the table has it.", \.name)
  }

  private static func answer(to purpose: Purpose) -> JSONTable<Chosen> {
    let within = "within_\(Tolerance.unit(of: purpose))"
    return JSONTable<Chosen> { told in
      told.include(mode, \.row)
      told.value("call", about: "What to write in code or configuration.") {
        $0.row.call(on: $0.device)
      }
      told.optionalValue("call_android", String.json, about: "The same on Android; phones only.") {
        $0.row.androidCall(on: $0.device, for: purpose)
      }
      told.value(
        within, figure(of: purpose),
        about:
          "The tolerance: metres off in 95 % of the way, seconds until 95 % of the events are known, or the share of "
          + "the time in which the known area is right to 1 km."
      ) { $0.stated($0.answer.tolerance.most) }
      told.value(
        "figure", .nullable(figure(of: purpose)),
        about: "The same of the mode, in the middle world; a missed event counts with 1800 s."
      ) { chosen in chosen.answer.figure.map(chosen.stated) }
      told.value(
        "keeps", about: "Whether that is within the tolerance; else the mode is the nearest.",
        \.answer.keeps)
      told.value(
        "judged", .number(in: 0...1e15, decimals: 0),
        about: "Events of a world that were judged, or seconds.", \.answer.judged)
      told.include(agreement) { $0 }
      told.optionalValue(
        "budget_j", .number(in: 0...1e15, decimals: 6),
        about:
          "What a mode may cost (--budget): the answer is then the best one that does not cost more, or the cheapest."
      ) { $0.answer.budget }
      told.optionalValue(
        "affordable", Bool.json, about: "With a budget: whether the mode is within it."
      ) { $0.answer.budget == nil ? nil : $0.answer.isFound }
      told.optionalValue(
        "against", mode.output, about: "The mode that the ratio is to."
      ) { chosen in chosen.answer.against.map { chosen.rows[$0] } }
      told.optionalValue(
        "ratio", .number(in: 0...1e15, decimals: 6),
        about:
          "energy_j of against over energy_j of the answer; low and high hold the middle 90 % of the draws of worlds "
          + "and numbers."
      ) { $0.answer.ratio?.nominal }
      told.optionalValue("ratio_low", .number(in: 0...1e15, decimals: 6)) { $0.answer.ratio?.low }
      told.optionalValue("ratio_high", .number(in: 0...1e15, decimals: 6)) { $0.answer.ratio?.high }
      told.objects(
        "turns",
        about:
          "From the loosest to the tightest: the tolerances from which on a mode is the choice."
      ) { chosen in
        chosen.answer.turns.map { Turned(chosen: chosen, turn: $0) }
      } _: { turned in
        turned.value(within, figure(of: purpose)) { $0.chosen.stated($0.turn.most) }
        turned.include(mode, \.row)
      }
    }
  }

  /// What the worlds say.
  private static let agreement = JSONTable<Chosen> { told in
    told.value(
      "certainty", .word(among: Answer.Certainty.allCases),
      about:
        "sure: other worlds would say the same, as all but one in twenty of these do; likely: three in five do; open: "
        + "fewer. Fewer than three events, or less than 10 min, make nothing sure.",
      \.answer.certainty)
    told.value(
      "agrees_in",
      about:
        "Worlds that by themselves allow this answer, mode and whether it keeps: modes that cost the same, within a tenth, "
        + "are equals.",
      \.answer.agreesIn)
    told.optionalValue(
      "otherwise", mode.output,
      about: "What most of the other worlds say, or what all of them allow as well."
    ) { chosen in (chosen.answer.other ?? chosen.answer.rival).map { chosen.rows[$0] } }
    told.value(
      "fails_in",
      about: "Worlds in which the mode is not within the tolerance, or with a budget too dear.",
      \.answer.failsIn)
    told.optionalValue(
      "safer", mode.output,
      about: "The cheapest mode that is so in fewer worlds, and in at most one of twenty."
    ) { chosen in chosen.answer.safer.map { chosen.rows[$0.row] } }
  }

  private static func figure(of purpose: Purpose) -> JSONForm<Double> {
    switch purpose {
    case .track: .number(in: 0...1e15, decimals: 1)
    case .arrival, .fence: .number(in: 0...1e15, decimals: 3)
    case .area: .number(in: 0...1, decimals: 6)
    }
  }

  /// The place knowledge of an app, or with uploads of its server: each figure is that of the middle world.
  static let whereabouts = JSONTable<ModeRow> { row in
    row.value(
      "way_off_m", wayOff,
      about:
        "Metres from the known position to the true one, over the way; what nobody could know is left out."
    ) { $0 }
    row.value(
      "arrival_delay_s", delay { $0.arrivals },
      about:
        "From arrivals to the first right position that is known after them, or to the event that tells; 0 if one from "
        + "before stayed right. Missed ones count with 1800 s."
    ) { $0 }
    row.value(
      "departure_delay_s", delay { $0.departures },
      about: "From departures to the first right position after them, or to the event that tells."
    ) { $0 }
    row.value(
      "fence_delay_s", delay { $0.borders },
      about:
        "From crossings of the border around a place of the trip to the first position that shows the device beyond it, "
        + "or to the event that tells."
    ) { $0 }
    row.value(
      "area_right_share", .nullable(.number(in: 0...1, decimals: 6)),
      about: "Of the time, in which the known position is right to 1 km."
    ) { row in Purpose.area.figure(row).map { 1 - $0 } }
  }

  private static let wayOff = JSONTable<ModeRow> { off in
    for (name, share) in [("median", 0.5), ("p95", 0.95)] {
      off.number(name, decimals: 1) { row in row.typical { $0.offBy.quantile(share) } }
    }
    off.number("max", decimals: 1) { row in row.typical(\.offBy.greatest) }
    off.known("count", decimals: 0, about: "Metres of way judged in a world.") {
      $0.typical(\.offBy.weight) ?? 0
    }
    off.known("missed", decimals: 0, about: "Metres on which it was blind, hidden ones included.") {
      $0.blindMetres
    }
  }.output

  private static func delay(
    _ events: @escaping @Sendable (Whereabouts) -> EventTally
  ) -> JSONForm<ModeRow> {
    JSONTable<ModeRow> { delay in
      for (name, share) in [("median", 0.5), ("p95", 0.95), ("max", 1)] {
        delay.number(name, decimals: 3) { row in row.typical { events($0).lateness(share) } }
      }
      delay.value(
        "count", about: "Judged ones, of all worlds together: the same for all modes."
      ) { events($0.whereabouts).judged }
      delay.value("missed", about: "Of these.") { events($0.whereabouts).missed }
    }.output
  }

  /// Stretches in which nobody could know the place.
  static let unknowable = JSONTable<UnknowableSpan> { span in
    span.value("start", \.start)
    span.value("end", \.end)
    span.known("duration_s", decimals: 3, \.seconds)
    span.value(
      "reason", .word(among: UnknowableSpan.Reason.allCases),
      about:
        "no_sky: the receiver saw nothing while the device went on, as in a tunnel; before_first_fix: the same; gap: "
        + "the trace says nothing of it.", \.reason)
    span.known("distance_m", decimals: 1, about: "Way made in it; 0 for a gap.", \.metres)
  }.output
}
