// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

/// Trace events as a GeoJSON FeatureCollection: one Point feature per fix and line.
///
/// The properties are the columns of `FixColumn`; the position is in the geometry only, with the
/// ellipsoidal height as third coordinate if known. A "no fix" epoch is a feature without geometry.
/// Points of one segment share the property `segment`.
package struct GeoJSONWriter: TraceEncoder {
  /// The values that the format loses.
  package static let loses: [String] = []
  private var segments = SegmentNumber()
  private var hasFeatures = false

  package init() {}

  package mutating func begin(into bytes: inout [UInt8]) {
    bytes.append(contentsOf: "{\"type\":\"FeatureCollection\",\"features\":[".utf8)
  }

  package mutating func encode(_ event: TraceEvent, into bytes: inout [UInt8]) {
    switch event {
    case .segmentEnd: segments.endSegment()
    case .fix, .noFix: encodePoint(event.fix, time: event.time, into: &bytes)
    }
  }

  package mutating func finish(into bytes: inout [UInt8]) {
    bytes.append(contentsOf: (hasFeatures ? "\n]}\n" : "]}\n").utf8)
  }

  private mutating func encodePoint(_ fix: Fix?, time: UTCInstant?, into bytes: inout [UInt8]) {
    let segment = segments.next()
    bytes.append(contentsOf: (hasFeatures ? ",\n" : "\n").utf8)
    hasFeatures = true
    var json = JSONWriter()
    json.object { json in
      json.member("type", "Feature")
      json.key("geometry")
      if let fix { Self.encodeProperties(of: fix, into: &json) } else { json.null() }
      json.key("properties")
      json.object { json in
        if let fix { return FixMembers.writeProperties(fix, segment: segment, into: &json) }
        json.member(FixColumn.time.rawValue, time?.fullText)
        json.member(FixColumn.segment.rawValue, segment)
      }
    }
    bytes.append(contentsOf: json.bytes)
  }

  private static func encodeProperties(of fix: Fix, into json: inout JSONWriter) {
    json.object { json in
      json.member("type", "Point")
      json.key("coordinates")
      json.array { json in
        json.exact(fix.coordinate.longitude)
        json.exact(fix.coordinate.latitude)
        if let height = fix.ellipsoidalHeight { json.exact(height) }
      }
    }
  }
}
