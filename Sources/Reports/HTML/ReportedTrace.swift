// SPDX-License-Identifier: Apache-2.0

package import Ground
import LocationModel
import RadioPower
package import Replay

/// One trace of a report: its figures, and what its pictures are drawn from.
package struct ReportedTrace: Sendable {
  package let figures: ComparedTrace
  /// One per row of the figures; empty where none were recorded.
  package let curves: [CurveRecord]
  /// What lies under the track, for all maps of it; `nil` draws nothing there.
  package var ground: GroundSheet?

  package init(_ figures: ComparedTrace, curves: [CurveRecord]) {
    self.figures = figures
    self.curves = curves.count == figures.rows.count ? curves : []
  }

  /// By which its times are told: what it states, else that of the place, else UTC.
  var clock: LocalClock { figures.statedClock ?? curves.first?.clock ?? .utc }

  /// The clock that all of several traces have; UTC where they have different ones.
  static func clock(of traces: [ReportedTrace]) -> LocalClock {
    let first = traces.first?.clock ?? .utc
    return traces.allSatisfy { $0.clock == first } ? first : .utc
  }

  /// What of the earth any of its maps shows, as finely as the finest of them; `nil` where none is drawn.
  package var extent: GroundExtent? {
    let tracks = curves.map(\.track)
    let frames = [MapProjection.Frame.large, .small] + ShareCard.mapFrames
    let places = MapDrawing.places(lives)
    let extents = frames.flatMap { frame in
      [places, []].compactMap { MapProjection(tracks, places: $0, in: frame)?.extent }
    }
    return extents.dropFirst().reduce(extents.first) { $0?.union($1) }
  }

  /// Rows with their curves.
  var lives: [(row: ModeRow, curves: CurveRecord)] { Array(zip(figures.rows, curves)) }
}

extension ModeRow {
  /// The class of its lines and labels: colour by service, dashes for the second life of one.
  var styleClass: String {
    let isSecond =
      plan.pausesAutomatically || (plan.service == .standard && plan.scenario == .foreground)
    return plan.service.rawValue + (isSecond ? " second" : "")
  }

  /// `Continuous, pausing`: its name as a heading.
  var heading: String { name.prefix(1).uppercased() + name.dropFirst() }
}
