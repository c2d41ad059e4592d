// SPDX-License-Identifier: Apache-2.0

import Replay
import ServiceContract

/// A configuration with its figures.
struct AdvisedPlace: Sendable {
  let place: ParetoFront.Place
  /// Seconds with known truth.
  let judged: Double
  let purpose: Purpose

  /// Over all worlds.
  var events: EventTally { place.row.map { purpose.events($0.whereabouts) } ?? EventTally() }

  /// A delay in words: `missed` if too many were never told, `–` if none could be judged.
  func lateness(late: Double?) -> String {
    late.map { ParetoFront.Place.isMissed($0) ? "missed" : Figures.delay($0) } ?? Figures.unknown
  }
}

/// The columns of `milepost advise`.
enum AdviseColumns {
  static let all: [Column<AdvisedPlace>] = [
    Column(
      "energy_mwh_per_day", .milliwattHours, "energy a day", lines: ("energy", "a day"),
      in: [.text, .html, .json], about: "Above the baseline, nominal, of the middle world."
    ) { $0.place.energy },
    Column(
      "energy_low_mwh_per_day", .milliwattHours, in: .json, about: "5th percentile of the draws."
    ) { $0.place.low },
    Column("energy_high_mwh_per_day", .milliwattHours, in: .json, about: "95th percentile.") {
      $0.place.high
    },
    Column(words: "range", lines: ("", "range"), in: [.text, .html]) {
      Figures.milliwattHourRange($0.place.low, $0.place.high, around: $0.place.energy)
    },
    Column(
      "delay_p95_s", .delay, "delay (95 %)", lines: ("delay", "95 %"), in: [.text, .html, .json],
      about:
        "Until 95 % of the events were known, in the middle world; null where more than one in twenty was missed, or "
        + "none could be judged.",
      words: { $0.lateness(late: $0.place.late) }
    ) { $0.place.delay }.orUnknown(),
    Column(
      "delay_p50_s", .delay, "median", lines: ("", "median"), in: [.text, .html, .json],
      about: "The same of half of them; a missed one counts with 30 min.",
      words: { $0.lateness(late: $0.place.median) }
    ) { $0.place.median }.orUnknown(),
    Column(words: "missed", lines: ("", "missed"), in: .text) {
      "\(Figures.count($0.events.missed))/\(Figures.count($0.events.judged))"
    },
    Column(counting: "missed", "missed", in: [.html, .json]) { $0.events.missed },
    Column(
      counting: "events", "of", in: [.html, .json],
      about: "That could be judged, of all worlds together."
    ) { $0.events.judged },
    Column(
      "receiver_on_share", .share, "receiver on", lines: ("recei-", "ver on"),
      in: [.text, .html, .json], about: "Of the judged time."
    ) { place in
      place.judged > 0 ? place.place.row.map { $0.receiverOn / place.judged } : nil
    }.orUnknown(),
    Column(counting: "deliveries", "deliveries", in: [.html, .json]) {
      $0.place.row?.deliveries ?? 0
    },
    Column(counting: "sessions", in: .json, about: "Times that the receiver was switched on.") {
      $0.place.row?.sessions ?? 0
    },
    Column(
      "buys_s_per_mwh_per_day", .exchange, "one mWh more buys", lines: ("one mWh", "more buys"),
      in: [.text, .html, .json],
      about: "Seconds of delay that one more mWh a day buys towards the next of the front.",
      words: { $0.place.buys.map(Figures.bought) ?? "" }
    ) { $0.place.buys }.orUnknown(),
    Column(words: "beaten by", in: .html, isText: true) { $0.place.beatenBy ?? "" },
  ]
}
