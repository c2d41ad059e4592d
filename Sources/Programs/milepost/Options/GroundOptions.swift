// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import Reports
import TraceFiles

/// The ground that is drawn under the track of a page and a card.
struct GroundOptions: ParsableArguments {
  @Option(
    file: """
      The ground under the track of a page or card: water, roads and towns of GeoJSON (OpenStreetMap, Natural Earth) or \
      of Marble's data directory, or none (default: Debian's marble-qt-data, where it is installed).
      """)
  var map: String?

  private var isNone: Bool { map == "none" }

  func check(hasPictures: Bool) throws {
    if map != nil, !hasPictures {
      throw ValidationError(
        "--map is for the track of a page or a card; add --html FILE or --card FILE")
    }
  }

  /// The file, opened and examined; `nil` if no ground is drawn.
  func openFile() throws -> GroundFile? {
    if isNone { return nil }
    return try (map ?? GroundFile.installed).map { try GroundFile($0) }
  }

  /// States why there is no ground under the track.
  private func remark(_ reason: String, on traces: inout [ReportedTrace]) {
    for index in traces.indices where !isNone {
      traces[index].groundRemark =
        "\(reason)."
    }
  }

  /// Adds the ground to the traces.
  func place(_ file: GroundFile?, under traces: inout [ReportedTrace]) throws {
    guard let file else {
      return remark("No map data is installed", on: &traces)
    }
    let drawn = traces.indices.filter { traces[$0].extent != nil }
    let sheets = try file.read(for: drawn.compactMap { traces[$0].extent })
    for (index, sheet) in zip(drawn, sheets) { traces[index].ground = sheet }
    remark("The map data here have no street and no coast for a map of this scale", on: &traces)
    // Marble's coverage is known to be limited; a user who names a file expects to see it.
    if map != nil, !isNone, !drawn.isEmpty, sheets.allSatisfy(\.features.isEmpty) {
      Console.remark(
        "\(file.name): nothing of it is drawn: it has no water, road or town where the trace is that a map of that "
          + "scale shows")
    }
  }
}
