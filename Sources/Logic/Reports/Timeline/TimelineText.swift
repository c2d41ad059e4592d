// SPDX-License-Identifier: Apache-2.0

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
  package static func text(
    _ timeline: Timeline, _ setting: TimelineSetting, style: TextStyle
  ) -> String {
    var text = style.bold(title(timeline)) + "\n"
    text += Paragraph.text(subject(timeline, setting)) + "\n"
    text += table(timeline, style)
    if timeline.left > 0 {
      text += "And \(Figures.count(timeline.left)) more; --json tells them all.\n"
    }
    for life in timeline.lives { text += "\n" + summary(life, style) }
    let places =
      setting.totals.regions.map(RegionWords.line) + [
        setting.totals.visits.map(RegionWords.line) ?? ""
      ]
    if !places.joined().isEmpty { text += "\n" + places.joined() }
    return text + "\n" + Paragraph.text(device(setting))
  }

  static func title(_ timeline: Timeline) -> String {
    timeline.scenario.title.isEmpty ? "A scenario" : timeline.scenario.title
  }

  /// `By the rules of today, over walk.nmea: Mon 4 May 2026, 07:00 to 07:40 UTC; phone-2021-lte.`
  static func subject(_ timeline: Timeline, _ setting: TimelineSetting) -> String {
    let span = timeline.start.map { DateText.span($0, timeline.end, by: .utc) + " UTC" } ?? ""
    return "By the rules of \(setting.era), over \(setting.trace): \(span); \(setting.device)."
  }

  // MARK: Lines

  private static func table(_ timeline: Timeline, _ style: TextStyle) -> String {
    let names = timeline.lives.map(\.name)
    let nameWidth = max(3, names.map(\.count).max() ?? 0)
    let stateWidth = 11
    let indent = 8 + 2 + nameWidth + 2 + stateWidth + 2
    var text =
      style.bold(padded("time", 10) + padded("app", nameWidth + 2) + padded("state", 13) + "what")
      + "\n"
    var day: CivilDate?
    for line in timeline.lines {
      if let day, day != line.time.date { text += "-- \(DateText.long(line.time.date)) --\n" }
      day = line.time.date
      let head =
        padded(DateText.clock(line.time, seconds: true), 10)
        + padded(line.life.map { names[$0] } ?? "-", nameWidth + 2)
        + padded(line.state?.words ?? "", stateWidth + 2)
      text += wrapped(sentence(of: line), behind: head, indent: indent)
    }
    return text
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

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func wrapped(_ words: String, behind head: String, indent: Int) -> String {
    let body = Paragraph.text(words, width: max(40, TextTable.width - indent))
    let lines = body.split(separator: "\n")
    let blanks = String(repeating: " ", count: indent)
    return lines.enumerated().map { ($0 == 0 ? head : blanks) + $1 + "\n" }.joined()
  }

  // MARK: Sums

  private static func summary(_ life: AppLife, _ style: TextStyle) -> String {
    style.bold(life.name) + "\n"
      + sentences(life).map {
        let body = Paragraph.text("  " + $0, indent: 2, width: TextTable.width)
        // Line breaking drops the indentation of the first words.
        return "  " + body
      }
      .joined()
  }

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
