// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import LocationEngine
package import Replay

/// One trace of a report: its figures, and the data for its pictures.
package struct ReportedTrace: Sendable {
  package let figures: ComparedTrace
  /// One per row of the figures; empty if none were recorded.
  package let curves: [CurveRecord]
  /// The ground under the track, for all maps of it; `nil` draws none.
  package var ground: GroundSheet?
  /// The reason why there is no ground, and a remedy; `nil` if there is, or none is wanted.
  package var groundRemark: String?

  package init(_ figures: ComparedTrace, curves: [CurveRecord]) {
    self.figures = figures
    self.curves = curves.count == figures.rows.count ? curves : []
  }

  /// The clock of its times: the trace's, else that of the place, else UTC.
  var clock: LocalClock { figures.statedClock ?? curves.first?.clock ?? .utc }

  /// The common clock of several traces; UTC if they have different ones.
  static func clock(of traces: [ReportedTrace]) -> LocalClock {
    let first = traces.first?.clock ?? .utc
    return traces.allSatisfy { $0.clock == first } ? first : .utc
  }

  /// The part of the earth that any of its maps shows, as finely as the finest of them; `nil` if none is drawn.
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
    case .continuous where plan.distanceFilter != nil: "continuous fourth"
    case .continuous:
      plan.pausesAutomatically || plan.interval != nil ? "continuous second" : "continuous"
    case .significant: plan.isOfWork ? "significant second" : "significant"
    case .cycled: plan.armedBy == .motion ? "continuous fifth" : "continuous third"
    case .visits: "significant second"
    case .regions: "significant third"
    }
  }
}
