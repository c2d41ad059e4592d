// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import RadioPower
import Replay
import ServiceContract

/// The results of a scenario on its device, and its trace.
package struct TimelineSetting: Sendable {
  /// The names of the trace, and of the rules.
  package let trace: String
  package let era: String
  package let device: String
  /// The places are those of the first app that monitors any.
  package let totals: ReplayTotals

  package init(trace: String, era: String, device: String, totals: ReplayTotals) {
    self.trace = trace
    self.era = era
    self.device = device
    self.totals = totals
  }
}

/// A scenario's timeline for people: one line per moment of an app, and the totals.
package enum TimelineText {
  package static func report(_ timeline: Timeline, _ setting: TimelineSetting) -> Report {
    let places = RegionWords.nodes(setting.totals)
    return Report {
      Node.title(title(timeline))
      Node.sentence(subject(timeline, setting))
      Node.part {
        Node.table(moments(timeline))
        if timeline.left > 0 {
          Node.sentence("And \(Figures.count(timeline.left)) more; --json tells them all.")
        }
      }
      for life in timeline.lives { Node.part { sums(life) } }
      if !places.isEmpty { Node.part { places } }
      Node.part { Node.sentence(device(setting)) }
    }
  }

  static func title(_ timeline: Timeline) -> String {
    timeline.scenario.title.isEmpty ? "A scenario" : Quoted.plain(timeline.scenario.title)
  }

  /// `By the rules of today, over walk.nmea: Mon 4 May 2026, 07:00 to 07:40 UTC; phone-2021-lte.`
  static func subject(_ timeline: Timeline, _ setting: TimelineSetting) -> String {
    let span = timeline.start.map { DateText.span($0, timeline.end, by: .utc) + " UTC" } ?? ""
    return "By the rules of \(setting.era), over \(setting.trace): \(span); \(setting.device)."
  }

  // MARK: Lines

  /// One row per moment of an app. A terminal tells the day where it changes, a page in each row of a trace of several days.
  static func moments(_ timeline: Timeline, onPage: Bool = false) -> Table {
    let names = timeline.lives.map(\.name)
    let withDay = onPage && timeline.hasDays
    var table = Table(
      "One line per moment of an app; times in UTC", alignment: .sentences, words: [1, 2, 3],
      least: [8, names.map(\.count).max() ?? 0, 11], head: ["time", "app", "state", "what"])
    var day: CivilDate?
    for line in timeline.lines {
      let date = line.time.date
      table.row(
        [
          .init(clock(line.time, withDay: withDay), .time(line.time)),
          .init(line.life.map { names[$0] } ?? (onPage ? Figures.unknown : "-")),
          .init(line.state?.words ?? ""),
          .init(sentence(of: line)),
        ], day: day.flatMap { $0 == date ? nil : DateText.long(date) })
      day = date
    }
    return table
  }

  static func sentence(of line: TimelineLine) -> String {
    guard line.count > 1 else { return line.text }
    let until = clock(line.until, withDay: line.until.date != line.time.date)
    return "\(line.text) (\(Figures.count(line.count)) times until \(until))"
  }

  /// `07:08:09`, or `4 May 07:08:09`.
  static func clock(_ time: UTCInstant, withDay: Bool) -> String {
    let clock = DateText.clock(time, seconds: true)
    return withDay ? "\(DateText.short(time.date)) \(clock)" : clock
  }

  // MARK: Sums

  static func sums(_ life: AppLife) -> Node { .list(sentences(life), under: life.name) }

  /// The totals of an app's life: states, wakes, deliveries, fixes not delivered, ends, energy.
  static func sentences(_ life: AppLife) -> [String] {
    var sentences = [states(life)]
    let woken = reasons(life.wakes).map { ["woken \($0)"] } ?? []
    let launched = reasons(life.launches).map { ["launched in the background \($0)"] } ?? []
    let opened = life.opened > 0 ? ["launched \(times(life.opened)) by its user"] : []
    let starts = opened + launched + woken
    sentences.append(
      starts.isEmpty ? "never launched, never woken" : starts.joined(separator: "; "))
    if let unwoken = reasons(life.unwoken) {
      sentences.append("not woken, though called: \(unwoken)")
    }
    let deliveries = Service.allCases.compactMap { service in
      life.deliveries[service].map { "\(Figures.count($0)) \(noun(service, $0))" }
    }
    let refused = Verdict.Outcome.allCases.compactMap { outcome in
      life.refused[outcome].map { "\(Names.words(outcome.rawValue)) \(Figures.count($0)) ×" }
    }
    let places =
      life.placeEvents > 0
      ? [
        Figures.count(
          life.placeEvents, "event of a region or visit", "events of regions and visits")
      ]
      : []
    let headings = life.headings > 0 ? [Figures.count(life.headings, "heading", "headings")] : []
    let all = deliveries + places + headings
    var heard = all.isEmpty ? "no deliveries" : all.joined(separator: ", ")
    if !refused.isEmpty { heard += "; not delivered: " + refused.joined(separator: ", ") }
    sentences.append(heard)
    if !life.ends.isEmpty {
      let ends = life.ends.sorted { $0.key < $1.key }
      sentences.append(
        "ended: " + ends.map { "\($0.key) \(times($0.value))" }.joined(separator: ", "))
    }
    if let adds = life.adds {
      sentences.append(
        adds < 0
          ? "the device takes \(Figures.energy(-adds)) less with it than without it: what it does "
            + "moves the calls, wakes or fixes of other apps"
          : "adds \(Figures.energy(adds)) to what the device takes without it")
    }
    return sentences
  }

  private static func states(_ life: AppLife) -> String {
    AppState.allCases.reversed().compactMap { state in
      let seconds = life.seconds(in: state)
      return seconds > 0 ? "\(state.words) \(Figures.span(seconds))" : nil
    }
    .joined(separator: ", ")
  }

  private static func reasons(_ counts: [WakeReason: Int]) -> String? {
    let words = WakeReason.allCases.compactMap { reason in
      counts[reason].map { "\(times($0)) (\(reason.words))" }
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private static func times(_ count: Int) -> String {
    count == 1 ? "once" : "\(Figures.count(count)) ×"
  }

  private static func noun(_ service: Service, _ count: Int) -> String {
    switch service {
    case .standard: count == 1 ? "standard update" : "standard updates"
    case .continuous: count == 1 ? "continuous update" : "continuous updates"
    case .significant: count == 1 ? "significant change" : "significant changes"
    }
  }

  /// The savings of shared wakes: each separate call would have needed one.
  private static func sharedWakes(_ count: SharedWakes?) -> String {
    guard let count else { return "" }
    let calls =
      count.calls == 1
      ? "One fetch or keep-alive" : "\(Figures.count(count.calls)) fetches and keep-alives"
    let wakes =
      switch count.wakes {
      case 0: ", while the processor was awake anyway."
      case 1: " in one wake of the processor."
      default: " in \(Figures.count(count.wakes)) wakes of the processor."
      }
    let saved = count.saved
    guard saved.nominal > 0 else { return " " + calls + wakes }
    return " " + calls + wakes + " With a wake for each it would be "
      + Figures.energy(saved.nominal, from: saved.low, to: saved.high) + " more."
  }

  static func device(_ setting: TimelineSetting) -> String {
    let total = setting.totals.row.total
    return
      "The device: \(Figures.energy(total.nominal, from: total.low, to: total.high)) above the "
      + "baseline in \(Figures.span(setting.totals.judged)), modelled; "
      + Figures.receiver(on: setting.totals.row.receiverOn) + "."
      + sharedWakes(setting.totals.sharedWakes)
  }
}
