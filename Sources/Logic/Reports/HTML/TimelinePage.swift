// SPDX-License-Identifier: Apache-2.0

import LocationModel
package import Replay
import ServiceContract

/// `milepost replay --scenario FILE --html`: every app's life as one self-contained document.
package enum TimelinePage {
  package static func document(
    _ timeline: Timeline, _ setting: TimelineSetting, curves: CurveRecord
  ) -> [UInt8] {
    let title = TimelineText.title(timeline)
    return HTMLPage(
      title: "\(title) · Milepost", headline: title,
      description: TimelineText.subject(timeline, setting)
    )
    .document(
      kicker: "a scenario", standfirst: TimelineText.device(setting),
      dateline: { $0.element("bdi", Prose.glued(TimelineText.subject(timeline, setting))) }
    ) {
      Node.part("Lives") {
        Node.sentence(
          "Full height: in front; half: in the background; a strip: suspended; nothing: not running. "
            + "Strokes above are deliveries, triangles wakes, crosses ends of the process.")
        Node.picture(lanes(timeline, curves).writeLanes)
      }
      Node.part("What each app came to") { timeline.lives.map(TimelineText.sums) }
      Node.part("What happened") { Node.table(TimelineText.moments(timeline, onPage: true)) }
    }
  }
  private static func lanes(_ timeline: Timeline, _ curves: CurveRecord) -> SwimLanes {
    SwimLanes(
      acts: timeline.acts.map { act in
        .init(
          at: act.at,
          words: "\(TimelineText.clock(act.time, withDay: timeline.hasDays)) \(act.words)")
      },
      lanes: timeline.lives.map { life in
        .init(
          name: life.name, gist: gist(life),
          description: TimelineText.sentences(life).joined(separator: "; "),
          bands: life.bands.compactMap(band), marks: life.marks)
      },
      energy: .init(curve: curves.energy, end: curves.end),
      axis: TimeAxis(CurvesTime(curves, by: .utc)))
  }

  private static func gist(_ life: AppLife) -> String {
    let wakes = life.wakes.values.reduce(0, +)
    let launches = life.launches.values.reduce(0, +)
    let deliveries = life.deliveries.values.reduce(life.placeEvents, +)
    return Figures.life(deliveries: deliveries, wakes, launches)
  }

  private static func band(_ band: AppLife.Band) -> SwimLanes.Band? {
    let look: (height: Double, styleClass: String)? =
      switch band.state {
      case .active: (1, "active")
      case .inactive: (0.8, "inactive")
      case .background: (0.55, "background")
      case .suspended: (0.2, "suspended")
      case .notRunning: nil
      }
    return SwimLanes.Band(from: band.from, to: band.to, look)
  }
}
