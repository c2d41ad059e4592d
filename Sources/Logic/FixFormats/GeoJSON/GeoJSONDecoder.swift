// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// Decodes GeoJSON (RFC 7946) to trace events, feature by feature.
///
/// - A `Point` feature is one fix: its properties have the usual names (`FixColumn.named`), a third
///   coordinate is the height above the ellipsoid, as the RFC says. A change of `segment` ends a
///   segment. A feature without geometry that has a time is a "no fix" epoch.
/// - A `LineString` or `MultiLineString` is a segment, or several; the times of its points are in the
///   property `coordTimes` (or `times`, or `coordinateProperties.times`), one per point.
/// - Other geometries are skipped as `not a track`.
///
/// The account counts points.
package struct GeoJSONDecoder: ObjectListDecoder {
  package var objects = FeatureSplitter(limit: Self.featureLimit)
  package var intake: PointIntake
  package let isStrict: Bool
  package static let objectName = "feature"
  private var segments = SegmentNumber()

  /// The greatest size of a feature; a line of 100,000 points with times takes some 6 MB.
  package static let featureLimit = 32 << 20

  package init(options: DecodingOptions) {
    intake = PointIntake(unit: .points, options: options)
    isStrict = options.strict
  }

  package mutating func takeObject(
    _ object: JSONValue, into events: inout [TraceEvent]
  ) throws(TraceError) {
    if object["type"]?.string == "Feature" {
      try read(geometry: object["geometry"], object["properties"], into: &events)
    } else {
      try read(geometry: object, nil, into: &events)
    }
  }

  private mutating func read(
    geometry: JSONValue?, _ properties: JSONValue?, into events: inout [TraceEvent]
  ) throws(TraceError) {
    let coordinates = geometry?["coordinates"]?.array ?? []
    switch geometry?["type"]?.string {
    case "Point": try takePoint(coordinates, properties, into: &events)
    case "LineString": try takeLines([coordinates], properties, into: &events)
    case "MultiLineString":
      try takeLines(coordinates.map { $0.array ?? [] }, properties, into: &events)
    case nil where geometry == nil || geometry == .null:
      try takePoint([], properties, into: &events)
    default: intake.skip("not a track")
    }
  }

  private mutating func takePoint(
    _ coordinates: [JSONValue], _ properties: JSONValue?, into events: inout [TraceEvent]
  ) throws(TraceError) {
    var row = FixRow()
    if let properties { FixMembers.readMembers(of: properties, into: &row) }
    // The geometry is the position, whatever the properties say.
    row.draft.latitude = coordinates.count > 1 ? coordinates[1].number : nil
    row.draft.longitude = coordinates.first?.number
    if row.draft.ellipsoidalHeight == nil { Self.setHeight(coordinates, &row) }
    if coordinates.isEmpty, row.draft.time == nil, row.segment == nil {
      return intake.skip("no position")
    }
    if segments.didEnd(before: row.segment) {
      intake.endSegment(line: objects.line, into: &events)
    }
    try row.emit(line: objects.line, intake: &intake, into: &events)
  }

  /// Takes the lines of a feature. Their times are a list for each line, or one for all points.
  private mutating func takeLines(
    _ lines: [[JSONValue]], _ properties: JSONValue?, into events: inout [TraceEvent]
  ) throws(TraceError) {
    for member in properties?.members ?? [] where !Self.timeKeys.contains(member.key) {
      intake.ledger.count(unused: member.key)
    }
    let times = Self.times(properties)?.array ?? []
    let areNested = times.contains { $0.array != nil }
    let stated = areNested ? times.reduce(0) { $0 + ($1.array?.count ?? 0) } : times.count
    let points = lines.reduce(0) { $0 + $1.count }
    if stated > 0, stated != points {
      intake.ledger.note(
        "times_and_points", "a line has not as many times as points", line: objects.line)
    }
    var begin = 0
    for (index, line) in lines.enumerated() {
      let own =
        areNested
        ? (index < times.count ? times[index].array ?? [] : [])
        : Array(times.dropFirst(begin).prefix(line.count))
      begin += line.count
      try takeLine(line, own, into: &events)
    }
  }

  private mutating func takeLine(
    _ coordinates: [JSONValue], _ times: [JSONValue], into events: inout [TraceEvent]
  ) throws(TraceError) {
    for (index, place) in coordinates.enumerated() {
      var row = FixRow()
      let numbers = place.array ?? []
      row.draft.latitude = numbers.count > 1 ? numbers[1].number : nil
      row.draft.longitude = numbers.first?.number
      Self.setHeight(numbers, &row)
      if index < times.count {
        switch times[index] {
        case .string(let text): row.setTime(Array(text.utf8).span)
        case .number(let seconds): row.setTime(seconds: seconds)
        default: break
        }
      }
      try row.emit(line: objects.line, intake: &intake, into: &events)
    }
    if !coordinates.isEmpty { intake.endSegment(line: objects.line, into: &events) }
  }

  private static func setHeight(_ coordinates: [JSONValue], _ row: inout FixRow) {
    guard coordinates.count > 2, coordinates[2] != .null else { return }
    row.draft.ellipsoidalHeight = coordinates[2].number
    if coordinates[2].number == nil {
      row.leaveOut(.ellipsoidalHeight, coordinates[2].string ?? "an object or a list")
    }
  }

  private static let timeKeys = ["coordTimes", "coordinateProperties", "times"]

  private static func times(_ properties: JSONValue?) -> JSONValue? {
    properties?["coordTimes"] ?? properties?["coordinateProperties"]?["times"]
      ?? properties?["times"]
  }
}

extension TraceFormat {
  package static let geojson = TraceFormat(
    "geojson", name: "GeoJSON", encoder: GeoJSONWriter.self, decoder: GeoJSONDecoder.init(options:)
  ) { $0.json == .geometry ? .head : .none }
}
