// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Ground
import Reports
import TraceFiles

/// The ground that is drawn under the track of a page and a card.
struct GroundOptions: ParsableArguments {
  @Option(
    file: """
      Water, roads and towns under the track of --html and --card: GeoJSON of OpenStreetMap or Natural Earth, or \
      Marble's data directory (default: Debian's marble-qt-data, where it is installed).
      """)
  var map: String?

  @Flag(help: "Nothing under the track of --html and --card.")
  var noMap = false

  func check(hasPictures: Bool) throws {
    if let map, noMap {
      throw ValidationError("--no-map leaves out what --map \(map) would draw; choose one")
    }
    if map != nil || noMap, !hasPictures {
      throw ValidationError(
        "\(noMap ? "--no-map" : "--map") is for the track of a page or a card; add --html FILE or --card FILE"
      )
    }
  }

  /// The file, opened and examined; `nil` if no ground is drawn.
  func open() throws -> GroundFile? {
    if noMap { return nil }
    return try (map ?? GroundFile.installed).map { try GroundFile($0) }
  }

  /// Reports why there is no ground under the track, and how to get one.
  private func remark(_ reason: String, on traces: inout [ReportedTrace]) {
    for index in traces.indices where !noMap {
      traces[index].groundRemark =
        "\(reason): --map FILE draws streets, for example of download.geofabrik.de."
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
    if map != nil, !drawn.isEmpty, sheets.allSatisfy(\.features.isEmpty) {
      Console.remark(
        "\(file.name): nothing of it is drawn: it has no water, road or town where the trace is that a map of that "
          + "scale shows")
    }
  }
}
