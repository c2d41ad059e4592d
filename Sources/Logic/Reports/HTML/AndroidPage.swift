// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
package import Replay
import ServiceContract

/// `milepost replay --scenario FILE --html` of Android apps: every app's life as one self-contained document.
package enum AndroidPage {
  package static func document(
    _ timeline: AndroidTimeline, _ script: AndroidScript, title: String, trace: String,
    _ result: AndroidResult, _ device: DeviceProfile
  ) -> [UInt8] {
    let headline = AndroidText.title(title)
    let subject = "By \(AndroidText.subject(script, trace: trace, device: device))"
    return HTMLPage(title: "\(headline) · Milepost", headline: headline, description: subject)
      .document(
        kicker: "a scenario of Android", standfirst: AndroidText.device(result, device),
        dateline: { $0.element("bdi", Prose.glued(subject)) }
      ) {
        Node.part("Lives") {
          Node.sentence(
            "Full height: in front; lower: visible, with a foreground service, in the background; a strip: cached; a "
              + "thin one: frozen; nothing: no process. Strokes above are locations and what else it is told, triangles "
              + "what it is run for, crosses ends of the process.")
          Node.picture(lanes(timeline, result).writeLanes)
        }
        Node.part("What each app came to") {
          result.apps.map { Node.list([AndroidText.sums($0)], under: $0.app) }
        }
        Node.part("What happened") { Node.table(moments(timeline)) }
      }
  }

  private static func lanes(_ timeline: AndroidTimeline, _ result: AndroidResult) -> SwimLanes {
    SwimLanes(
      acts: timeline.acts.map { act in
        .init(
          at: act.at,
          words: "\(TimelineText.clock(act.time, withDay: timeline.hasDays)) \(act.words)")
      },
      lanes: result.apps.map { app in
        let life = timeline.lives[app.app] ?? .init()
        return .init(
          name: app.app, gist: AndroidText.told(app),
          description: AndroidText.sums(app), bands: life.bands.compactMap(band),
          marks: life.marks)
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
    return look.map {
      SwimLanes.Band(from: band.from, to: band.to, height: $0.height, styleClass: $0.styleClass)
    }
  }

  private static func moments(_ timeline: AndroidTimeline) -> Table {
    var table = Table(
      "One line per moment of an app; times in UTC", alignment: .sentences, words: [1, 2],
      least: [8, timeline.names.map(\.count).max() ?? 0], head: ["time", "app", "what"])
    for line in timeline.lines {
      table.row([
        .init(TimelineText.clock(line.time, withDay: timeline.hasDays), .time(line.time)),
        .init(line.app ?? "the phone"), .init(line.what.words),
      ])
    }
    return table
  }
}
