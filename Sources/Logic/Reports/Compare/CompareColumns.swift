// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay

/// The columns of `milepost compare`, and of the summary of a replay.
enum CompareColumns {
  static let all: [Column<ModeFigures>] = energy + life

  /// Figures that follow from the energy alone, and so exist for the baseline too.
  static let energy: [Column<ModeFigures>] = [
    Column(
      "energy_j", .joules, "energy", in: [.tables, .documents, .summary, .changes],
      about: "Above the baseline; the exact sum of the components' energy_j."
    ) {
      $0.energy.nominal
    },
    Column(
      "energy_low_j", .joules, in: [.documents, .summary],
      about:
        "The least of: the 5th percentile over the draws of worlds and of the profile's numbers, energy_j, and energy_j "
        + "times the least that a measured device drew over the model."
    ) { $0.energy.low },
    Column(
      "energy_high_j", .joules, in: [.documents, .summary],
      about:
        "The greatest of: the 95th percentile over the draws, energy_j, and the same by the most."
    ) { $0.energy.high },
    Column(words: "range", in: .tables) { $0.range },
    // A day's share of the battery replaces mean power, since both do not fit a terminal; neither fits
    // beside the unsent count.
    Column(
      "average_mw", .milliwatts, "average power", lines: ("mean", "power"),
      in: [.text, .pages, .documents], about: "energy_j over trace.judged_s."
    ) { $0.averagePower }.orUnknown().yielding(),
    Column(
      "battery_percent", .percent, "battery", in: [.tables, .documents],
      about: "Of a full battery, for the judged time."
    ) {
      $0.batteryPercent
    }.orUnknown().namingTime(),
    Column(
      "battery_percent_per_day", .percent, "battery per day", lines: ("", "a day"),
      in: [.textOfDays, .htmlOfDays, .documents], about: "Null where less than 20 h were judged."
    ) { $0.batteryPercentPerDay }.orUnknown().yielding(),
  ]

  private static let life: [Column<ModeFigures>] = [
    Column(
      "battery_life_h", .hours, in: .documents,
      about:
        "Of a full battery at the mean power of this mode and the baseline alone; whole devices draw more, and last "
        + "shorter."
    ) { $0.batteryLife }.orUnknown(),
    Column("judged_s", .seconds, in: .summary) { $0.judged },
    Column(
      "gnss_on_s", .seconds, "receiver on", lines: ("recei-", "ver on"),
      in: [.tables, .documents, .summary, .compared],
      about: "Seconds that the receiver searched or tracked."
    ) { $0.row.receiverOn },
    Column(
      counting: "fixes_seen", "fixes seen", in: [.pages, .documents, .summary],
      about: "Positions that the system was given, of receiver and network."
    ) {
      $0.row.counters.fixesSeen
    },
    Column(
      counting: "deliveries", "deliveries", lines: ("deliv-", "eries"),
      in: [.tables, .documents, .summary, .changes]
    ) { $0.row.counters.deliveries },
    Column(
      counting: "crossings_missed", "missed", lines: ("", "missed"), in: .tables,
      words: { $0.row.score.missedOfCrossings }
    ) { $0.row.score.missed },
    Column(
      counting: "wakes", "wakes", lines: ("", "wakes"),
      in: [.tables, .documents, .summary, .changes], about: "The system made the suspended app run."
    ) { $0.row.counters.wakes },
    Column(
      counting: "launches", "launches", lines: ("laun-", "ches"),
      in: [.tables, .documents, .summary, .changes], about: "The system started the app."
    ) { $0.row.counters.launches },
    Column(counting: "uploads", "uploads", in: [.documents, .summary, .compared]) {
      $0.row.counters.uploads
    },
    Column(
      counting: "unsent", "unsent", lines: ("", "unsent"),
      in: [.text, .textOfDays, .documents, .summary],
      about: "Deliveries that were not sent when the trace ended; their cost is not in energy_j."
    ) { $0.row.counters.unsent }.hidingZero(),
    Column(
      "unsent_oldest_s", .seconds, in: [.documents, .summary],
      about: "How long the first of them had waited; 0 without any."
    ) { $0.row.counters.oldestUnsent },
    Column(
      counting: "sessions", "sessions", in: .json, about: "Times that the receiver was switched on."
    ) { $0.row.counters.sessions },
    Column(counting: "events_moving", in: .json) { $0.row.counters.movingDeliveries },
    Column(
      "sessions_per_event", .ratio, in: .json,
      about: "Of these while the device truly moved, per delivery while it did; null without one."
    ) { $0.row.sessionsPerEvent }.orUnknown(),
    Column("receiver_on_share", .share, in: .json, about: "Of the judged time.") {
      $0.receiverShare
    }.orUnknown(),
    Column(
      "blind_s", .seconds, "blind for", lines: ("blind", "for"),
      in: [.tables, .documents, .summary, .changes],
      about:
        "Seconds with the true position at least the blind distance from the last delivered one."
    ) { $0.row.blindSeconds },
    Column(
      "blind_m", .metres, "blind over", lines: ("blind", "over"),
      in: [.tables, .documents, .summary, .compared], about: "Metres travelled in them."
    ) { $0.row.blindMetres },
    Column(counting: "crossings", in: .csv) { $0.row.score.crossings },
    Column(counting: "crossings_missed", in: .csv) { $0.row.score.missed },
  ]
}
