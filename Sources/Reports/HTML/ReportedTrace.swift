// SPDX-License-Identifier: Apache-2.0

package import Ground
import LocationEngine
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
  /// Why nothing lies there, and what to do; `nil` where something does, or nothing is wished for.
  package var groundRemark: String?

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
  /// The class of its lines and labels: colour by what keeps it going, dashes for the second life of one.
  var styleClass: String {
    switch plan.mode {
    case .standard: plan.scenario == .foreground ? "standard second" : "standard"
    case .continuous: plan.pausesAutomatically ? "continuous second" : "continuous"
    case .significant: "significant"
    case .visits: "significant second"
    case .regions: "significant third"
    }
  }

  /// `Continuous, pausing`, `Policy milepost`: its name as a heading. What phones give is no policy to their users.
  var heading: String {
    switch plan.mode {
    case .significant where plan.policy?.kind.isPhones != false: "Significant change"
    case .visits: "Visits"
    case .regions: "Region monitoring"
    case .standard, .significant, .continuous: name.prefix(1).uppercased() + name.dropFirst()
    }
  }
}
