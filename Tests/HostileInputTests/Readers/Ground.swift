// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import JSONText

extension HostileReader {
  static let ground: [HostileReader] = [groundGeoJSON, groundMarble]

  /// The ground under a track, as GeoJSON. Promised: pieces change nothing; the kept features lie within the extent and
  /// within the limits, and a smaller map of it keeps no more.
  private static let groundGeoJSON = HostileReader("ground-geojson", of: ["Ground", "FixFormats"]) {
    bytes in
    let extents = groundExtents(chosenBy: bytes.count)
    let whole = groundSheets([bytes[...]], extents)
    let parts = groundSheets(bytes.pieces, extents)
    try promise(whole == parts, "in one piece \(whole), in pieces \(parts)")
    if case .success(let sheets) = whole { try judge(sheets) }
  }

  /// Marble's polygons and towns; the number of bytes selects the part. Promised as above.
  private static let groundMarble = HostileReader("ground-marble", of: ["Ground"]) { bytes in
    var reader = MarbleGround(groundExtents(chosenBy: bytes.count))
    let part = MarbleGround.parts[bytes.count % MarbleGround.parts.count]
    do throws(InputError) {
      try reader.takeBytes(bytes, of: part)
    } catch {
      return try promise(!error.message.isEmpty, "it fails without a word")
    }
    try judge(reader.finishSheets())
  }

  private static func groundExtents(chosenBy count: Int) -> [GroundExtent] {
    [
      GroundExtent(
        middle: Coordinate(clampingLatitude: 48, wrappingLongitude: 11), east: 0.5, north: 0.3,
        scale: [2, 30, 200][count % 3]),
      GroundExtent(
        middle: Coordinate(clampingLatitude: -17, wrappingLongitude: 179.9), east: 6, north: 4,
        scale: 1_000),
      .earth(scale: 10_000),
    ]
  }

  private static func groundSheets(
    _ pieces: [ArraySlice<UInt8>], _ extents: [GroundExtent]
  ) -> Result<[GroundSheet], InputError> {
    var reader = GeoJSONGround(extents)
    do throws(InputError) {
      for piece in pieces { try reader.decode(Array(piece).span) }
      return .success(try reader.finishSheets())
    } catch {
      return .failure(error)
    }
  }

  private static func judge(_ sheets: [GroundSheet]) throws {
    for sheet in sheets {
      let extent = sheet.extent
      var count = 0
      for feature in sheet.features {
        for point in feature.parts.joined() {
          count += 1
          // The last bit of a cut may lie beyond.
          try promise(
            point.longitude >= extent.longitudes.lowerBound - 1e-9
              && point.longitude <= extent.longitudes.upperBound + 1e-9
              && point.latitude >= extent.latitudes.lowerBound - 1e-9
              && point.latitude <= extent.latitudes.upperBound + 1e-9,
            "\(point) lies beyond \(extent)")
        }
        try promise(
          feature.kind.form != .place || feature.tags.name?.isEmpty == false, "a place has no name")
      }
      try promise(count <= GroundSheet.pointLimit, "\(count) points are kept")
      let half = GroundExtent(
        middle: Coordinate(
          clampingLatitude: extent.middle.latitude, wrappingLongitude: extent.middle.longitude),
        east: (extent.longitudes.upperBound - extent.longitudes.lowerBound) / 4, north: 0.1,
        scale: extent.scale)
      try promise(
        sheet.cut(to: half).features.count <= sheet.features.count, "half a map has more than all")
    }
  }
}
