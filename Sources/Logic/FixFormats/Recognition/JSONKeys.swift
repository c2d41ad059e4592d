// SPDX-License-Identifier: Apache-2.0

/// The kind of a JSON text, by the keys of its first object; the object need not be complete.
enum JSONKeys {
  /// The kind shown by the keys.
  enum Kind: Sendable {
    /// A report of gpsd, or another object that names its class.
    case classed
    case geometry
    /// An object with a position, or a gap between positions.
    case position
  }

  /// The kind, or `nil` if no key is known. Keys in nested objects count too, so that a position in
  /// `location` is found.
  static func kind(_ bytes: [UInt8]) -> Kind? {
    var index = 0
    var hasGap = false
    // Looked for once, however many keys need it.
    var isGeometry: Bool?
    while let key = nextKey(bytes, &index) {
      switch key {
      case "class": return .classed
      case "type", "features", "geometry", "coordinates", "crs", "bbox":
        let isOne = isGeometry ?? isGeoJSON(bytes)
        isGeometry = isOne
        if isOne { return .geometry }
      case "gap": hasGap = true
      default:
        if let known = FixColumn.named(key)?.column, known == .latitude || known == .longitude {
          return .position
        }
      }
    }
    return hasGap ? .position : nil
  }

  private static let geometries = [
    "\"FeatureCollection\"", "\"Feature\"", "\"LineString\"", "\"MultiLineString\"", "\"Point\"",
    "\"MultiPoint\"", "\"GeometryCollection\"",
  ].map { Array($0.utf8) }

  private static func isGeoJSON(_ bytes: [UInt8]) -> Bool {
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\"") {
      if geometries.contains(where: { bytes[index...].starts(with: $0) }) { return true }
    }
    return false
  }

  /// The next string followed by a colon.
  private static func nextKey(_ bytes: [UInt8], _ index: inout Int) -> String? {
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\"") else {
        index += 1
        continue
      }
      let start = index + 1
      index = start
      while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
      }
      let end = min(index, bytes.count)
      index = end + 1
      var next = index
      while next < bytes.count, bytes[next] <= 0x20 { next += 1 }
      if next < bytes.count, bytes[next] == UInt8(ascii: ":") {
        return String(decoding: bytes[start..<end], as: UTF8.self)
      }
    }
    return nil
  }
}
