// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
package import RadioPower
package import Replay
import ServiceContract

/// The account of an Android scenario for people: one line for each thing that the phone did, and what became of each app.
package struct AndroidReport {
  let title: String
  private let release: AndroidRelease
  private let trace: String
  private let device: DeviceProfile
  private let timeline: AndroidTimeline
  private let result: AndroidResult

  /// `title` is the scenario's, `trace` the name of its trace.
  package init(
    _ timeline: AndroidTimeline, _ result: AndroidResult, of script: AndroidScript, title: String,
    trace: String, device: DeviceProfile
  ) {
    self.title = title.isEmpty ? "A scenario" : Quoted.plain(title)
    (release, self.trace, self.device) = (script.release, trace, device)
    (self.timeline, self.result) = (timeline, result)
  }

  /// On a terminal.
  package var report: Report {
    Report {
      Node.title(title)
      Node.sentence(subject)
      Node.part { moments() }
      for app in result.apps { Node.part { sums(app) } }
      Node.part { Node.sentence(phone) }
    }
  }

  /// As one self-contained document, with a lane for each app.
  package var page: [UInt8] {
    HTMLPage(title: "\(title) · Milepost", headline: title, description: subject).document(
      kicker: "a scenario of Android", standfirst: phone,
      dateline: { $0.element("bdi", Prose.glued(subject)) }
    ) {
      Node.part("Lives") {
        Node.sentence(
          "Full height: in front; lower: visible, with a foreground service, in the background; a strip: cached; a thin "
            + "one: frozen; nothing: no process. Strokes above are locations and what else it is told, triangles what it is "
            + "run for, crosses ends of the process.")
        Node.picture(lanes.writeLanes)
      }
      Node.part("What each app came to") { result.apps.map(sums) }
      Node.part("What happened") { moments(onPage: true) }
    }
  }

  // MARK: Words

  private var subject: String {
    "By the rules of Android \(release.version), over \(trace); \(device.name), in one simulated world."
  }

  private var phone: String {
    let total = result.energy.total
    return
      "\(device.name): \(Figures.energy(total.nominal, from: total.low, to: total.high)), the receiver on for "
      + "\(Figures.span(result.receiverOnSeconds)). Modelled, without the display; Android's own work beside the apps is left out."
  }

  @ReportBuilder private func moments(onPage: Bool = false) -> [Node] {
    Node.table(table(onPage: onPage))
    if timeline.left > 0 {
      Node.sentence("And \(Figures.count(timeline.left)) more; --json tells them all.")
    }
  }

  /// A terminal tells the day where it changes, a page in each row of a trace of several days.
  private func table(onPage: Bool) -> Table {
    var day: CivilDate?
    var table = Table(
      "One line per moment of an app; times in UTC", alignment: .sentences, words: [1, 2],
      least: [8, timeline.names.map(\.count).max() ?? 0], head: ["time", "app", "what"])
    for line in timeline.lines {
      let date = line.time.date
      let time = onPage ? clock(line.time) : DateText.clock(line.time, seconds: true)
      table.row(
        [.init(time, .time(line.time)), .init(line.app ?? "the phone"), .init(line.what.words)],
        day: day.flatMap { $0 == date ? nil : DateText.long(date) })
      day = date
    }
    return table
  }

  private func clock(_ time: UTCInstant) -> String {
    TimelineText.clock(time, withDay: timeline.hasDays)
  }

  private func sums(_ app: AndroidTotals) -> Node {
    var sentences = [told(app)]
    if !app.notWoken.isEmpty {
      let reasons = app.notWoken.map { "\(Figures.count($0.count)) × since \($0.why)" }
      sentences.append("not run " + reasons.joined(separator: "; "))
    }
    if app.refusedStarts > 0 {
      sentences.append(
        "\(Figures.count(app.refusedStarts, "start", "starts")) of a foreground service refused")
    }
    return .list(sentences, under: app.app)
  }

  private func told(_ app: AndroidTotals) -> String {
    "told \(Figures.count(app.told, "location", "locations")), run for an event "
      + Figures.count(app.wakes, "time", "times")
  }

  // MARK: The picture

  private var lanes: SwimLanes {
    SwimLanes(
      acts: timeline.acts.map { .init(at: $0.at, words: "\(clock($0.time)) \($0.words)") },
      lanes: result.apps.map { app in
        let life = timeline.lives[app.app] ?? .init()
        return .init(
          name: app.app, gist: told(app), description: told(app),
          bands: life.bands.compactMap(Self.band), marks: life.marks)
      },
      energy: nil,
      axis: TimeAxis(
        CurvesTime(
          start: timeline.start, end: timeline.end, isClockSteady: true, gaps: timeline.gaps)))
  }

  private static func band(_ band: AndroidTimeline.Band) -> SwimLanes.Band? {
    let look: (height: Double, styleClass: String)? =
      switch band.state {
      case .foreground: (1, "active")
      case .visible: (0.85, "inactive")
      case .foregroundService: (0.7, "background")
      case .background: (0.5, "background")
      case .cached: (0.2, "suspended")
      case .frozen: (0.08, "suspended")
      case .notRunning, .stopped: nil
      }
    return SwimLanes.Band(from: band.from, to: band.to, look)
  }
}
