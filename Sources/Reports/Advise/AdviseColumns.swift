// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Replay
import Scoring
import Wording

/// A configuration and the time over which it was replayed.
struct AdvisedPlace: Sendable {
  let place: ParetoFront.Place
  /// Seconds of which the truth is known, in all worlds together.
  let lived: Double

  var point: SweepPoint { place.point }

  /// A delay in words: `missed` where so many were never told, `–` where none fell due.
  func words(late seconds: Double?) -> String {
    guard point.score.crossings > 0 else { return Figures.unknown }
    return seconds.map(Figures.delay) ?? "missed"
  }
}

/// The columns of `milepost advise`.
enum AdviseColumns {
  static let all: [Column<AdvisedPlace>] = [
    Column(
      "energy_mwh_per_day", .milliwattHours, "energy a day", lines: ("energy", "a day"),
      in: [.text, .html, .json], about: "Above the baseline, nominal; the mean over the worlds."
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
        "The same as the median, 95th percentile; null where more than one in twenty was missed, or none could be judged.",
      words: { $0.words(late: $0.place.delay) }
    ) { $0.place.delay }.orUnknown(),
    Column(
      "delay_p50_s", .delay, "median", lines: ("", "median"), in: [.text, .html, .json],
      about:
        "From a crossing to its delivery; a missed one counts with 30 min; 0 where it told so often that none fell due; null where more than half were missed, or none could be judged.",
      words: { $0.words(late: $0.place.median) }
    ) { $0.place.median }.orUnknown(),
    Column(words: "missed", lines: ("", "missed"), in: .text) {
      $0.point.score.missedOfCrossings
    },
    Column(counting: "missed", "missed", in: [.html, .json]) { $0.point.score.missed },
    Column(counting: "crossings", "of", in: [.html, .json], about: "Judged crossings.") {
      $0.point.score.crossings
    },
    Column(
      counting: "spurious", "spurious", lines: ("", "spurious"), in: [.text, .html, .json],
      about: "Deliveries before the device had moved."
    ) { $0.point.score.spurious },
    Column(
      "receiver_on_share", .share, "receiver on", lines: ("recei-", "ver on"),
      in: [.text, .html, .json], about: "Of the judged time."
    ) { $0.lived > 0 ? $0.point.receiverOn / $0.lived : nil }.orUnknown(),
    Column(counting: "deliveries", "deliveries", in: [.html, .json]) { $0.point.deliveries },
    Column(counting: "sessions", in: .json, about: "Times that the receiver was switched on.") {
      $0.point.sessions
    },
    Column(
      "buys_s_per_mwh_per_day", .exchange, "one mWh more buys", lines: ("one mWh", "more buys"),
      in: [.text, .html, .json],
      about: "Seconds of delay that one more mWh a day buys towards the next of the front.",
      words: { $0.place.buys.map(Figures.delay) ?? "" }
    ) { $0.place.buys }.orUnknown(),
    Column(words: "beaten by", in: .html, isText: true) { $0.place.beatenBy ?? "" },
  ]
}

extension AdviseReport {
  /// The configurations, from the cheapest of the front to the dearest, then those that are beaten.
  var places: [AdvisedPlace] {
    (front.front + front.others).map { AdvisedPlace(place: $0, lived: sweep.lived) }
  }
}
