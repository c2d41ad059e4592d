// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import Replay
import ServiceContract

// Theory
// ======
//
// One file without dependencies: no script, no font, no picture from elsewhere, and a policy in its head that forbids
// them. The first screen is the answer: one sentence, a map, two bars. Below, each part folds under its heading with
// its result beside it, and on paper all of them are open. With several traces the first part is their total.

/// A comparison as one self-contained HTML document.
package enum HTMLReport {
  /// `total` is given for several traces.
  package static func document(
    _ traces: [ReportedTrace], total: ComparedTrace?, options: ReplayOptions
  ) -> [UInt8] {
    guard let lead = total ?? traces.first?.figures else {
      return HTMLPage(title: "Milepost", headline: "Milepost", description: "").document {
        $0.element("p", "No trace was compared.")
      }
    }
    let answer = PageAnswer(of: lead)
    let name =
      total == nil ? lead.name : Figures.count(traces.count, "trace", "traces")
    let page = HTMLPage(
      title: "\(name): what background location costs · Milepost", headline: answer.sentence,
      description: answer.rest)
    return page.document { html in
      html.element("main") { html in
        let single = total == nil ? traces.first : nil
        FirstScreen.writeFirstScreen(answer, lead, single, options, into: &html) {
          dateline(lead, traces, options, into: &$0)
        }
        html.writeReport(oddities(lead))
        html.writeReport(body(traces, lead, isSingle: single != nil, options))
      }
    }
  }

  /// A trace, or several with their total, which leads.
  @ReportBuilder
  private static func body(
    _ traces: [ReportedTrace], _ lead: ComparedTrace, isSingle: Bool, _ options: ReplayOptions
  ) -> [Node] {
    let ids = traces.indices.map { "trace\($0 + 1)" }
    costs(lead, options)
    if !lead.answers.isEmpty {
      Node.fold("What to call", "for each purpose") {
        Node.picture { CallSection.writeCalls(lead, options.device, into: &$0) }
      }
    }
    if isSingle {
      places(traces[0], options)
      shares(lead)
      times(traces[0])
      days(traces, lead)
    } else {
      Node.fold("Trace by trace", isOpen: true) { Node.table(TraceList.table(traces, ids)) }
      days(traces, lead)
      shares(lead)
      for (trace, id) in zip(traces, ids) { part(trace, id, options) }
    }
    Node.fold("All figures", "as compare --json gives them") {
      Node.table(CompareText.figures(lead, options, onPage: true))
      if traces.count > 1 {
        for trace in traces {
          Node.part(trace.figures.name) {
            Node.table(CompareText.figures(trace.figures, options, onPage: true))
          }
        }
      }
    }
    Node.fold("What it rests on", "assumptions, and each number with its source") {
      SourceSection.nodes(traces.map(\.figures), options)
    }
  }

  private static func dateline(
    _ lead: ComparedTrace, _ traces: [ReportedTrace], _ options: ReplayOptions,
    into html: inout HTMLWriter
  ) {
    html.element("p", ["class": "dateline"]) { html in
      if traces.count == 1 {
        html.element("bdi", lead.name)
        if let format = lead.format { html.writeText(" (\(format.name))") }
        html.writeText(", \(Figures.count(lead.fixes, "fix", "fixes"))")
      } else {
        html.writeText(Figures.count(traces.count, "trace", "traces"))
      }
      if let start = lead.start, let end = lead.end {
        let clock = ReportedTrace.clock(of: traces)
        html.writeText(". \(DateText.span(start, end, by: clock)), \(clock.remark)")
      }
      html.writeText(
        ". Known: \(Figures.span(lead.judged))"
          + (lead.distance > 0 ? " and \(Figures.distance(lead.distance)) of the way" : ""))
      if lead.gaps > 0 {
        html.writeText(
          "; left out: \(Figures.count(lead.gaps, "gap", "gaps")) of \(Figures.span(lead.gapSeconds))"
        )
      }
      let network = options.network.map { " on \($0.name)" } ?? ""
      html.writeText(
        ". Modelled, not measured, for \(options.device.name)\(network); "
          + "\(options.uploadWords(lead.rows)). "
          + "Of the location part only.")
    }
  }

  /// One trace of several.
  private static func part(_ trace: ReportedTrace, _ id: String, _ options: ReplayOptions) -> Node {
    .fold(trace.figures.name, gist(of: trace.figures), id: id) {
      Node.picture { html in
        dateline(trace.figures, [trace], options, into: &html)
        html.element(
          "p", ["class": "standfirst"], Prose.glued(PageAnswer(of: trace.figures).sentence))
      }
      oddities(trace.figures)
      places(trace, options)
      times(trace)
    }
  }

  /// The decoder's findings, and what it skipped: a reader must know before believing a figure.
  @ReportBuilder private static func oddities(_ trace: ComparedTrace) -> [Node] {
    let points = Figures.count(trace.leftOut, "point", "points")
    let words =
      trace.oddities.map(\.words)
      + (trace.leftOut > 0
        ? [
          "\(points) left out, of jumps that nothing confirmed or that were undone, or off by more than 100 m"
        ] : [])
    if !words.isEmpty {
      Node.fact("Odd in the trace", words.joined(separator: "; ") + ".", column: 0)
    }
  }

  // MARK: What the parts come to, in a few words

  /// `12 J to 16 kJ`.
  private static func gist(of trace: ComparedTrace) -> String {
    let joules = trace.rows.map(\.joules)
    guard let least = joules.min(), let most = joules.max() else { return "" }
    return least == most
      ? Figures.energy(least) : "\(Figures.energy(least)) to \(Figures.energy(most))"
  }

  /// `blind for 0.4 % to 73 % of the time`.
  private static func blindness(_ trace: ComparedTrace) -> String {
    let seconds = trace.rows.map(\.blindSeconds)
    guard trace.judged > 0, let least = seconds.min(), let most = seconds.max(), most > 0 else {
      return "never blind"
    }
    let (low, high) = (
      Figures.percent(least / trace.judged * 100), Figures.percent(most / trace.judged * 100)
    )
    return "blind for " + (low == high ? low : "\(low) to \(high)") + " of the time"
  }

  // MARK: The parts

  private static func costs(_ lead: ComparedTrace, _ options: ReplayOptions) -> Node {
    .fold("What each mode costs, and what one gets", gist(of: lead), isOpen: true) {
      Node.sentence(
        "Energy of radios and processor above the baseline, over \(Figures.span(lead.judged)), and the "
          + "share of a full battery that it takes in an hour. The thin lines below bars are their ranges: "
          + "the middle 90 % of 1,000 draws of a world and of the profile's numbers."
          + MeasuredDevices.widening(of: options.device.platform)
          + (lead.worldCount > 1
            ? " Figures and pictures of a mode are those of the world, of \(lead.worldCount), in which its "
              + "energy is the median." : ""))
      Node.table(TradeTable(lead, options, most: lead.rows.count).page)
      Node.bars(
        Bars.energy(lead.rows, judged: lead.judged, battery: options.device.battery.nominal))
    }
  }

  private static func shares(_ lead: ComparedTrace) -> Node {
    .fold("What the energy went to", "by component and state") {
      Node.sentence(
        "Each bar is the whole of one mode's energy, however much that is; the figure beside it says "
          + "how much.")
      ComponentSection.nodes(lead)
    }
  }

  @ReportBuilder
  private static func places(_ trace: ReportedTrace, _ options: ReplayOptions) -> [Node] {
    let limit = Figures.plain(options.blindDistance)
    let furthest = trace.curves.flatMap { $0.distance.values.compactMap(\.self) }.max() ?? 0
    if let first = trace.curves.first {
      Node.fold("Where it knew the way", blindness(trace.figures)) {
        Node.sentence(
          "The same track in each mode. Blind: \(limit) m or more from the last delivered position."
        )
        Node.picture { MapSection.writeMaps(of: trace, into: &$0) }
      }
      Node.fold("How far off it was", "up to \(Figures.distance(furthest))") {
        Node.sentence(
          "Distance from the last delivered position to the true one, each rule a power of ten. Above "
            + "the dashed line, at \(limit) m, the app is blind."
            + (first.gaps.isEmpty
              ? ""
              : " Grey is a gap of the trace; between two slanted strokes it is drawn shorter than it was.")
        )
        Node.picture { DistanceStrips.writeStrips(trace, limit: options.blindDistance, into: &$0) }
        DelaySection.nodes(trace.lives, limit: options.blindDistance)
      }
    }
  }

  @ReportBuilder private static func times(_ trace: ReportedTrace) -> [Node] {
    let rousing = trace.curves.reduce(0) { $0 + $1.wakeupCount }
    if !trace.curves.isEmpty {
      Node.fold("When it was spent", "a step is a wake, a slope a receiver at work") {
        Node.sentence("Energy so far: a level line is sleep.")
        Node.picture { EnergyOverTime.drawEnergy(trace, into: &$0) }
      }
      Node.fold("What woke it", Figures.count(rousing, "wake", "wakes") + " in all") {
        WakesSection.nodes(trace, most: 25)
      }
    }
  }

  @ReportBuilder
  private static func days(_ traces: [ReportedTrace], _ lead: ComparedTrace) -> [Node] {
    let days = DayTotals(traces)
    if days.days.count > 1 {
      Node.fold("Day by day", "\(days.days.count) days") { Node.table(days.table(lead.rows)) }
    }
  }
}
