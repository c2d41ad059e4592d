// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import RadioPower
package import Replay
import Wording

// Theory
// ======
//
// One file that needs nothing else: no script, no font, no picture from elsewhere, and a policy in its head
// that forbids them. It reads from the top like a newspaper: the finding, the proof in pictures, the
// figures, then what all of it rests on. Of several traces the first part is their total.

/// A comparison as one self-contained HTML document.
package enum HTMLReport {
  /// `total` is given for several traces.
  package static func document(
    _ traces: [ReportedTrace], total: ComparedTrace?, options: ReplayOptions
  ) -> [UInt8] {
    let lead = total ?? traces.first?.figures
    return HTMLPage.document(title(traces, total)) { html in
      guard let lead else { return html.element("p", "No trace was compared.") }
      html.element("main") { body(traces, lead, total, options, into: &$0) }
    }
  }

  private static func title(_ traces: [ReportedTrace], _ total: ComparedTrace?) -> String {
    total == nil
      ? "Milepost: \(traces.first?.figures.name ?? "no trace")"
      : "Milepost: \(Figures.count(traces.count, "trace", "traces"))"
  }

  private static func body(
    _ traces: [ReportedTrace], _ lead: ComparedTrace, _ total: ComparedTrace?,
    _ options: ReplayOptions, into html: inout HTMLWriter
  ) {
    html.element("header") { html in
      html.element("p", ["class": "kicker"], "Milepost · what background location costs")
      html.element("h1", Prose.glued(Headline.sentence(for: lead)))
      html.element(
        "p", ["class": "standfirst"],
        Prose.glued(Advice.sentence(for: lead, options: options)))
      dateline(lead, traces, options, into: &html)
    }
    html.newline()
    oddities(lead, into: &html)
    let ids = traces.map { _ in html.newID() }
    costs(lead, into: &html)
    if total == nil, let trace = traces.first {
      places(trace, options, level: "h2", into: &html)
      shares(lead, into: &html)
      times(trace, options, level: "h2", into: &html)
      battery(lead, options, into: &html)
    } else {
      html.section("Trace by trace") { TraceList.write(traces, ids, into: &$0) }
      days(traces, lead, into: &html)
      shares(lead, into: &html)
      battery(lead, options, into: &html)
      for (trace, id) in zip(traces, ids) { part(trace, id, options, into: &html) }
    }
    figures(traces, lead, options, into: &html)
  }

  private static func dateline(
    _ lead: ComparedTrace, _ traces: [ReportedTrace], _ options: ReplayOptions,
    into html: inout HTMLWriter
  ) {
    html.element("p", ["class": "dateline"]) { html in
      if traces.count == 1 {
        html.element("bdi", lead.name)
        if let format = lead.format { html.text(" (\(format.name))") }
        html.text(", \(Figures.count(lead.fixes, "fix", "fixes"))")
      } else {
        html.text(Figures.count(traces.count, "trace", "traces"))
      }
      if let start = lead.start, let end = lead.end { html.text(". " + DateText.span(start, end)) }
      html.text(
        ". Known: \(Figures.span(lead.judged))"
          + (lead.distance > 0 ? " and \(Figures.distance(lead.distance)) of the way" : ""))
      if lead.gaps > 0 {
        html.text(
          "; left out: \(Figures.count(lead.gaps, "gap", "gaps")) of \(Figures.span(lead.gapSeconds))"
        )
      }
      let network = options.network.map { " on \($0.name)" } ?? ""
      html.text(
        ". Modelled, not measured, for \(options.device.name)\(network); "
          + "\(options.uploadWords(lead.rows)).")
    }
  }

  /// One trace of several.
  private static func part(
    _ trace: ReportedTrace, _ id: String, _ options: ReplayOptions, into html: inout HTMLWriter
  ) {
    html.element("section", ["class": "trace", "id": id]) { html in
      html.element("h2") { $0.element("bdi", trace.figures.name) }
      dateline(trace.figures, [trace], options, into: &html)
      html.element(
        "p", ["class": "standfirst"], Prose.glued(Headline.sentence(for: trace.figures)))
      oddities(trace.figures, into: &html)
      places(trace, options, level: "h3", into: &html)
      times(trace, options, level: "h3", into: &html)
    }
    html.newline()
  }

  /// What the decoder found odd, and what it skipped: a reader must know before believing a figure.
  private static func oddities(_ trace: ComparedTrace, into html: inout HTMLWriter) {
    var words = trace.oddities.map(\.words)
    if trace.jumpsRemoved > 0 {
      words.append(
        "\(Figures.count(trace.jumpsRemoved, "point", "points")) left out, of jumps that nothing confirmed "
          + "or that were undone")
    }
    guard !words.isEmpty else { return }
    html.element("p", ["class": "note"]) { html in
      html.element("b", "Odd in the trace: ")
      html.text(words.joined(separator: "; ") + ".")
    }
  }

  private static func costs(_ lead: ComparedTrace, into html: inout HTMLWriter) {
    html.section("What it costs") { html in
      html.note(
        "Energy of radios and processor above the baseline, over \(Figures.span(lead.judged)). The "
          + "thin line below a bar is its range: the middle 90 % of 1,000 draws of the profile's numbers."
          + (lead.sureness.map { " " + $0 } ?? ""))
      Bars.energy(lead).write(into: &html)
    }
  }

  private static func battery(
    _ lead: ComparedTrace, _ options: ReplayOptions, into html: inout HTMLWriter
  ) {
    html.section("What the battery makes of it") { html in
      html.note(
        "How long a full battery would last if every hour were like these, with nothing else going on "
          + "but the baseline (suspended device, idle paging). The display is not counted. The range "
          + "takes the battery's and the baseline's too.")
      Bars.batteryLife(lead, options.device.battery).write(into: &html)
    }
  }

  private static func shares(_ lead: ComparedTrace, into html: inout HTMLWriter) {
    html.section("What the energy went to") { html in
      html.note(
        "Each bar is the whole of one mode's energy, however much that is; the figure beside it says "
          + "how much.")
      ComponentSection.write(lead, into: &html)
    }
  }

  private static func places(
    _ trace: ReportedTrace, _ options: ReplayOptions, level: StaticString,
    into html: inout HTMLWriter
  ) {
    guard !trace.curves.isEmpty else { return }
    let limit = Figures.plain(options.blindDistance)
    html.section("Where it knew the way", level) { html in
      html.note(
        "The same track in each mode. Blind: \(limit) m or more from the last delivered position.")
      MapSection.write(trace.lives, judged: trace.figures.judged, into: &html)
    }
    html.section("How far off it was", level) { html in
      html.note(
        "Distance from the last delivered position to the true one, each rule a power of ten. Above "
          + "the dashed line, at \(limit) m, the app is blind. Grey is a gap of the trace.")
      DistanceStrips.write(trace, limit: options.blindDistance, into: &html)
      DelaySection.write(trace.lives, limit: options.blindDistance, into: &html)
    }
  }

  private static func times(
    _ trace: ReportedTrace, _ options: ReplayOptions, level: StaticString,
    into html: inout HTMLWriter
  ) {
    guard !trace.curves.isEmpty else { return }
    html.section("When it was spent", level) { html in
      html.note(
        "Energy so far. Each rule is ten times the one below, so equal heights are equal ratios: a step "
          + "is a wake, a slope a receiver at work, a level line sleep.")
      EnergyOverTime.write(trace, into: &html)
    }
    html.section("What woke it", level) { html in
      WakesSection.write(trace.lives, most: 25, into: &html)
    }
  }

  private static func days(
    _ traces: [ReportedTrace], _ lead: ComparedTrace, into html: inout HTMLWriter
  ) {
    let days = DayTotals(traces)
    guard days.days.count > 1 else { return }
    html.section("Day by day") { days.write(lead.rows, into: &$0) }
  }

  private static func figures(
    _ traces: [ReportedTrace], _ lead: ComparedTrace, _ options: ReplayOptions,
    into html: inout HTMLWriter
  ) {
    if traces.count == 1 { days(traces, lead, into: &html) }
    html.section("All figures") { html in
      CompareSection.write(lead, options, into: &html)
      if traces.count > 1 {
        for trace in traces {
          html.element("h3") { $0.element("bdi", trace.figures.name) }
          CompareSection.write(trace.figures, options, into: &html)
        }
      }
    }
    html.section("What it rests on") { html in
      html.element("div", ["class": "columns"]) {
        SourceSection.assumptions(traces.map(\.figures), options, into: &$0)
      }
      SourceSection.numbers(options, into: &html)
    }
  }
}
