// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import JSONText

// Theory
// ======
//
// Marble (KDE's globe; Debian: marble-qt-data) has the earth in two custom formats, both big-endian. Its polygons
// (`.pn2`, described in its src/plugins/runner/pn2/Pn2Runner.cpp):
//
//   file     version 2 (8 bits) · lines (32) · whether they have colours (8)
//   shape    kind (8) · number (32) · colour (8, if there are any, before the first of a number) · then
//            kind 4: how many (8), each kind (8) · number (32) · a line; else: a line
//   line     nodes (32), each latitude (16) · longitude (16), in 1/120 degree · followers (16), each as offset from
//            the node: latitude (8) · longitude (8)
//   kinds    0 line, 1 ring, 2 outer border, 3 inner border, 4 several
//
// Its towns (`.cache`, a Qt data stream) are GeoNames' of 1,000 inhabitants and more if they are seats of
// something, else of 15,000:
//
//   file     0x31415926 · version (32)
//   town     name · longitude, latitude (64 each, radians) · height (64) · role · description · country · state ·
//            area (64) · inhabitants (64, signed) · time zone (16) · summer time (8)
//   text     length in bytes (32; 2³²−1: none) · UTF-16
//
// Both were checked against the files of marble-qt-data 22.12.3: every byte is accounted for.

/// The files of Marble's data directory that are the ground of a map.
package struct MarbleGround: Sendable {
  /// One file of the directory.
  package struct Part: Sendable {
    package let path: String
    let kind: GroundKind?
  }

  /// In the order in which they are read.
  package static let parts = [
    Part(path: "naturalearth/ne_50m_land.pn2", kind: .land),
    Part(path: "naturalearth/ne_50m_lakes.pn2", kind: .lake),
    Part(path: "naturalearth/ne_50m_coastline.pn2", kind: .coast),
    Part(path: "naturalearth/ne_50m_rivers_lake_centerlines.pn2", kind: .river),
    Part(path: "placemarks/cityplacemarks.cache", kind: nil),
  ]

  /// The greatest size of a file, bytes; the largest of 22.12.3 has 2.1 MB.
  package static let sizeLimit = 16 << 20

  /// Points lie on a grid of 0.93 km, in lines that were drawn for 1 to 50 million: an accuracy of 0.2 mm there, which
  /// is 10 km, is at most 20 units off on such a map.
  static let finestLine = 500.0
  /// Places are accurate to about a kilometre.
  static let finestPlace = 20.0

  private var sheets: [GroundSheet]

  package init(_ extents: [GroundExtent]) { sheets = extents.map(GroundSheet.init) }

  package mutating func takeBytes(_ bytes: [UInt8], of part: Part) throws(InputError) {
    var bytes = BigEndianBytes(bytes)
    do throws(BigEndianBytes.Ended) {
      if let kind = part.kind {
        try polygons(&bytes, kind)
      } else {
        try towns(&bytes)
      }
    } catch {
      throw InputError(
        error.wants.map { "at byte \(error.offset): \($0)" }
          ?? "it ends early, at byte \(error.offset); install marble-qt-data again")
    }
  }

  package mutating func finishSheets() -> [GroundSheet] {
    for index in sheets.indices { sheets[index].bound() }
    return sheets
  }

  private mutating func addFeature(_ tags: GroundTags, _ parts: [[GroundPoint]]) {
    let feature = GroundFeature(tags, parts)
    for index in sheets.indices { sheets[index].addFeature(feature) }
  }

  // MARK: Polygons

  private mutating func polygons(
    _ bytes: inout BigEndianBytes, _ kind: GroundKind
  ) throws(BigEndianBytes.Ended) {
    guard try bytes.unsigned(8) == 2 else { throw bytes.wrong("no polygons of Marble, version 2") }
    var left = try bytes.unsigned(32)
    let hasColours = try bytes.unsigned(8) != 0
    let tags = GroundTags(kind: kind, source: .naturalEarth, finest: Self.finestLine)
    var number: UInt64 = 0
    var rings: [[GroundPoint]] = []
    func isInner(_ word: UInt64) -> Bool { word == 3 }
    while left > 0 {
      let word = try bytes.unsigned(8)
      let next = try bytes.unsigned(32)
      if hasColours, next != number { _ = try bytes.unsigned(8) }
      number = next
      if word == 4 {
        addFeature(tags, rings)
        rings = []
        for _ in 0..<(try bytes.unsigned(8)) {
          left = left > 0 ? left - 1 : 0
          let word = try bytes.unsigned(8)
          _ = try bytes.unsigned(32)
          if !isInner(word) { addFeature(tags, rings) }
          rings = (isInner(word) ? rings : []) + [try readPolyline(&bytes, word)]
        }
      } else {
        if !isInner(word) { addFeature(tags, rings) }
        rings = (isInner(word) ? rings : []) + [try readPolyline(&bytes, word)]
        left -= 1
      }
    }
    addFeature(tags, rings)
    guard bytes.isAtEnd else { throw bytes.wrong("there is more than it says it has") }
  }

  private func readPolyline(
    _ bytes: inout BigEndianBytes, _ word: UInt64
  ) throws(BigEndianBytes.Ended) -> [GroundPoint] {
    guard word < 4 else { throw bytes.wrong("\(word) is no kind of a shape") }
    var points: [GroundPoint] = []
    for _ in 0..<(try bytes.unsigned(32)) {
      let (latitude, longitude) = (try bytes.signed(16), try bytes.signed(16))
      points.append(try point(latitude, longitude, bytes))
      for _ in 0..<max(0, try bytes.signed(16)) {
        let (north, east) = (try bytes.signed(8), try bytes.signed(8))
        points.append(try point(latitude + north, longitude + east, bytes))
      }
    }
    return points
  }

  private func point(
    _ latitude: Int64, _ longitude: Int64, _ bytes: BigEndianBytes
  ) throws(BigEndianBytes.Ended) -> GroundPoint {
    guard latitude.magnitude <= 90 * 120, longitude.magnitude <= 180 * 120 else {
      throw bytes.wrong("a point lies beyond the earth's edges")
    }
    return GroundPoint(longitude: Double(longitude) / 120, latitude: Double(latitude) / 120)
  }

  // MARK: Towns

  private mutating func towns(_ bytes: inout BigEndianBytes) throws(BigEndianBytes.Ended) {
    guard try bytes.unsigned(32) == 0x3141_5926 else { throw bytes.wrong("no places of Marble") }
    _ = try bytes.unsigned(32)
    while !bytes.isAtEnd {
      let name = try bytes.text()
      let (longitude, latitude) = (try bytes.double().degrees, try bytes.double().degrees)
      _ = try bytes.double()
      for _ in 0..<4 { _ = try bytes.text() }
      _ = try bytes.double()
      let people = Double(try bytes.signed(64))
      _ = try bytes.unsigned(24)
      guard longitude.magnitude <= 180.001, latitude.magnitude <= 90.001 else {
        throw bytes.wrong("a place lies beyond the earth's edges")
      }
      guard !name.isEmpty else { continue }
      let kind: GroundKind =
        people >= GroundTags.leastCity ? .city : people >= 5_000 ? .town : .village
      addFeature(
        GroundTags(
          kind: kind, source: .geoNames, name: name, population: max(0, people),
          finest: Self.finestPlace),
        [[GroundPoint(longitude: longitude, latitude: min(90, max(-90, latitude)))]])
    }
  }
}

/// Bytes read from the front, the most significant of a number first.
struct BigEndianBytes {
  struct Ended: Error {
    let offset: Int
    /// The fault there; `nil` if there is no more.
    var wants: String?
  }

  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  func wrong(_ words: String) -> Ended { Ended(offset: offset, wants: words) }

  mutating func unsigned(_ bits: Int) throws(Ended) -> UInt64 {
    guard offset + bits / 8 <= bytes.count else { throw Ended(offset: offset) }
    var value: UInt64 = 0
    for _ in 0..<bits / 8 {
      value = value << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return value
  }

  mutating func signed(_ bits: Int) throws(Ended) -> Int64 {
    let value = Int64(bitPattern: try unsigned(bits) << UInt64(64 - bits))
    return value >> Int64(64 - bits)
  }

  /// Not finite is 0.
  mutating func double() throws(Ended) -> Double {
    let value = Double(bitPattern: try unsigned(64))
    return value.isFinite ? value : 0
  }

  mutating func text() throws(Ended) -> String {
    let length = try unsigned(32)
    guard length != UInt64(UInt32.max) else { return "" }
    guard length <= UInt64(bytes.count - offset) else { throw Ended(offset: offset) }
    var units: [UInt16] = []
    for _ in 0..<length / 2 { units.append(UInt16(truncatingIfNeeded: try unsigned(16))) }
    if length % 2 == 1 { _ = try unsigned(8) }
    return String(decoding: units, as: UTF16.self)
  }
}
