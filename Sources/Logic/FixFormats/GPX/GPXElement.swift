// SPDX-License-Identifier: Apache-2.0

/// The elements with data for a trace; everything else is `other` and is skipped.
///
/// Names are compared without their namespace prefix, without case, `_` and `-`: an undeclared prefix
/// is no reason to refuse a file, and `hAcc`, `hacc` and `h_acc` mean the same. The sources of the
/// accuracies' names: `hacc`, `vacc` Trails and TrackPointExtras, `hAcc`, `vAcc` Apple Health,
/// `accuracy` Android loggers, `accuracy_horizontal` OpenTracks, `cog` COROS watches, `bearing` OsmAnd.
enum GPXElement: UInt8 {
  case other
  case gpx, track, route, segment, trackPoint, routePoint, waypoint, extensions
  case elevation, time, speed, course, hdop, vdop, satellites, geoidHeight, fixKind, comment, source
  case accuracy, verticalAccuracy, ellipsoidalHeight, speedAccuracy, courseAccuracy

  /// Whether the element is one position.
  var isPoint: Bool {
    switch self {
    case .trackPoint, .routePoint, .waypoint: true
    default: false
    }
  }

  /// Whether the element's text is a field of a point.
  var isField: Bool { rawValue >= Self.elevation.rawValue }

  /// Whether the field counts only as a direct child of its point: other dialects use these names for
  /// other things (a `time` of a lap, the `source` of a photo).
  var isDirectOnly: Bool {
    switch self {
    case .time, .elevation, .fixKind, .comment, .source: true
    default: false
    }
  }

  /// The name of a field in messages.
  var fieldName: String {
    switch self {
    case .elevation: "ele"
    case .satellites: "sat"
    case .geoidHeight: "geoidheight"
    case .fixKind: "fix"
    case .comment: "cmt"
    case .source: "src"
    case .verticalAccuracy: "vertical accuracy"
    case .ellipsoidalHeight: "ellipsoidal height"
    case .speedAccuracy: "speed accuracy"
    case .courseAccuracy: "course accuracy"
    case .time, .speed, .course, .hdop, .vdop, .accuracy, .other, .gpx, .track, .route, .segment,
      .trackPoint, .routePoint, .waypoint, .extensions:
      "\(self)"
    }
  }

  /// The element of this name.
  static func named(_ name: ElementName) -> Self {
    for entry in names where entry.name == name { return entry.element }
    return .other
  }

  private static let names: [(name: ElementName, element: GPXElement)] = [
    ("trkpt", trackPoint), ("time", time), ("ele", elevation), ("extensions", extensions),
    ("speed", speed), ("course", course), ("hdop", hdop), ("vdop", vdop), ("sat", satellites),
    ("fix", fixKind), ("cmt", comment), ("src", source), ("wpt", waypoint), ("rtept", routePoint),
    ("trkseg", segment), ("trk", track), ("rte", route), ("gpx", gpx), ("cog", course),
    ("bearing", course), ("geoidheight", geoidHeight), ("accuracy", accuracy), ("acc", accuracy),
    ("hacc", accuracy), ("horizontalaccuracy", accuracy), ("accuracyhorizontal", accuracy),
    ("vacc", verticalAccuracy), ("verticalaccuracy", verticalAccuracy),
    ("accuracyvertical", verticalAccuracy), ("ellipsoidalheight", ellipsoidalHeight),
    ("speedaccuracy", speedAccuracy), ("courseaccuracy", courseAccuracy),
  ].map { (ElementName($0.0), $0.1) }
}

/// A local name of at most 24 bytes, as three words: equal words are equal names.
struct ElementName: Equatable {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0

  /// Stands for all names longer than any known one.
  static let tooLong = ElementName("other")

  /// The name, in lower case.
  var text: String {
    let words = [first, second, third]
    let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  init(_ name: String) {
    for (place, byte) in name.utf8.enumerated() { put(byte, at: place) }
  }

  /// The local name of an element's name, or `nil` if it is longer than any known one.
  init?(_ name: some Sequence<UInt8>) {
    var place = 0
    for byte in name {
      switch byte {
      case UInt8(ascii: ":"):
        (first, second, third, place) = (0, 0, 0, 0)
      case UInt8(ascii: "_"), UInt8(ascii: "-"): break
      default:
        let isCapital = byte &- UInt8(ascii: "A") < 26
        // A long prefix may precede a known name, so places past the end only count.
        put(isCapital ? byte | 0x20 : byte, at: place)
        place += 1
      }
    }
    if place > 24 { return nil }
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8, at place: Int) {
    let shifted = UInt64(byte) << UInt64((place & 7) * 8)
    switch place >> 3 {
    case 0: first |= shifted
    case 1: second |= shifted
    case 2: third |= shifted
    default: break
    }
  }
}
