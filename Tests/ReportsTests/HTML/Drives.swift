// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import Replay
import Testing

@testable import Reports

/// Invented drives, replayed for real.
enum Drives {
  static func options() throws -> ReplayOptions {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    return ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
  }

  /// Half an hour at 20 m/s to the east from a place, an hour's halt, half an hour on; one fix a second.
  static func events(
    from place: Coordinate, at start: UTCInstant, gap: Double = 0
  ) -> [TraceEvent] {
    var events: [TraceEvent] = []
    var here = LocalFrame(origin: place)
    for second in 0...7_200 {
      let moves = second <= 1_800 || second > 5_400
      // Behind a gap it is elsewhere: a hole that leads back would be a stay.
      if gap > 0, second == 3_601 { here = LocalFrame(origin: here.point(east: 5_000, north: 0)) }
      if moves, second > 0 { here = LocalFrame(origin: here.point(east: 20, north: 3)) }
      let time = start.advanced(bySeconds: Double(second) + (second > 3_600 ? gap : 0))
      events.append(.fix(Fix(time: time, coordinate: here.origin), line: second + 1))
    }
    return events
  }

  /// The usual drive, replayed once for all tests; only its name differs.
  static func reported(_ name: String) throws -> ReportedTrace {
    var figures = try usual.get().figures
    figures.name = name
    return ReportedTrace(figures, curves: try usual.get().curves)
  }

  private static let usual = Result {
    try reported("drive.gpx", from: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))
  }

  static func reported(
    _ name: String, from place: Coordinate,
    at start: UTCInstant = UTCInstant(microseconds: 1_773_729_070_000_000), gap: Double = 0
  ) throws -> ReportedTrace {
    let options = try options()
    let events = events(from: place, at: start, gap: gap)
    var survey = TraceSurvey()
    survey.include(events: events)
    let summary = survey.finished()
    var comparison = Comparison(
      RunPlan.standardRows(for: options.device), options: options, summary: summary,
      records: .curves)
    comparison.feed(events)
    let result = comparison.finishTrace()
    var figures = ComparedTrace(
      name: name, format: .init(identifier: "gpx", name: "GPX"), truth: nil, summary: summary,
      ledger: TraceLedger(unit: .lines), result: result)
    figures.assess(options)
    return ReportedTrace(figures, curves: figures.rows.compactMap { $0.curves })
  }

  static func page(_ traces: [ReportedTrace]) throws -> String {
    var total = traces.count > 1 ? ComparedTrace(totalOf: traces.map(\.figures)) : nil
    total?.assess(try options())
    return String(
      decoding: HTMLReport.document(traces, total: total, options: try options()), as: UTF8.self)
  }
}
