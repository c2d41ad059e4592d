// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Decodes GeoJSON (RFC 7946) to the ground of maps, feature by feature: the memory is that of a file's longest feature
/// and of the drawn part, whatever its length.
package struct GeoJSONGround: Sendable {
  private var features = FeatureSplitter(limit: Self.featureLimit)
  /// One for each extent.
  private var sheets: [GroundSheet]
  /// The number of features and bare geometries read.
  package private(set) var read = 0

  /// The greatest size of a feature, bytes; the coastline of Norway takes some 10 MB.
  package static let featureLimit = 32 << 20

  package init(_ extents: [GroundExtent]) { sheets = extents.map(GroundSheet.init) }

  package mutating func decode(_ bytes: borrowing Span<UInt8>) throws(InputError) {
    var position = 0
    while features.next(bytes, from: &position) { try takeFeature() }
    if features.isTooLong {
      throw InputError(
        line: features.line,
        "a feature is longer than \(Self.featureLimit >> 20) MB; cut the file to the place first "
          + "(osmium extract, ogr2ogr -clipsrc)")
    }
  }

  /// The sheets in the order of the extents.
  package mutating func finishSheets() throws(InputError) -> [GroundSheet] {
    if features.isOpen {
      throw InputError(
        line: features.line, "the document ends early; it was cut off: export it again")
    }
    guard read > 0 else {
      throw InputError(
        "no GeoJSON feature in it; osmium export -f geojson makes such a file of OpenStreetMap's data"
      )
    }
    for index in sheets.indices { sheets[index].bound() }
    return sheets
  }

  private mutating func takeFeature() throws(InputError) {
    let object: JSONValue
    let text = features.object
    do throws(SyntaxError) {
      object = try JSONValue.parse(text.span)
    } catch {
      throw InputError(line: features.line, "malformed JSON in this feature: \(error.message)")
    }
    switch object["type"]?.string {
    case "Feature":
      read += 1
      guard let geometry = object["geometry"], let properties = object["properties"] else { return }
      try takeGeometry(geometry, properties)
    case "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
      "GeometryCollection":
      // A bare geometry has no kind.
      read += 1
    default: return
    }
  }

  private mutating func takeGeometry(
    _ geometry: JSONValue, _ properties: JSONValue
  ) throws(InputError) {
    let type = geometry["type"]?.string
    if type == "GeometryCollection" {
      for part in geometry["geometries"]?.array ?? [] { try takeGeometry(part, properties) }
      return
    }
    let isArea = type == "Polygon" || type == "MultiPolygon"
    guard let coordinates = geometry["coordinates"]?.array,
      let tags = GroundTags(properties, isArea: isArea)
    else { return }
    var parts: [[GroundPoint]] = []
    switch (type, tags.kind.form) {
    case ("Point", .place): parts = [[try point(.array(coordinates))]]
    case ("LineString", .line): parts = [try line(coordinates)]
    case ("MultiLineString", .line), ("Polygon", .area):
      for part in coordinates { parts.append(try line(part.array ?? [])) }
    case ("MultiPolygon", .area):
      for polygon in coordinates {
        for ring in polygon.array ?? [] { parts.append(try line(ring.array ?? [])) }
      }
    case ("Polygon", .line), ("MultiPolygon", .line), ("Polygon", .place), ("MultiPolygon", .place),
      ("LineString", .area), ("MultiLineString", .area):
      // A square, a town's border, an open line of a lake: not shown on a map of a track.
      return
    default: return
    }
    let feature = GroundFeature(tags, parts.filter { !$0.isEmpty })
    for index in sheets.indices { sheets[index].addFeature(feature) }
  }

  private func line(_ coordinates: [JSONValue]) throws(InputError) -> [GroundPoint] {
    var points: [GroundPoint] = []
    points.reserveCapacity(coordinates.count)
    for place in coordinates { points.append(try point(place)) }
    return points
  }

  private func point(_ place: JSONValue) throws(InputError) -> GroundPoint {
    guard let numbers = place.array, numbers.count > 1, let longitude = numbers[0].number,
      let latitude = numbers[1].number
    else {
      throw InputError(line: features.line, "a position of this feature is no pair of numbers")
    }
    guard longitude.magnitude <= 360, latitude.magnitude <= 90 else {
      throw InputError(
        line: features.line,
        "\(Decimal.text(longitude, decimals: 3, trimmed: true)), "
          + "\(Decimal.text(latitude, decimals: 3, trimmed: true)) is no longitude and latitude in degrees; "
          + "export the file in WGS 84 (EPSG:4326)")
    }
    return GroundPoint(longitude: longitude, latitude: latitude)
  }
}
