// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Geodesy
import LocationModel

/// Trace events as GPX 1.1: one track, a new `trkseg` after each end of a segment.
///
/// What GPX has an element for is in it, in the order of its schema; speed and course are Garmin's
/// TrackPointExtension v2, accuracies, the ellipsoidal height (GPX has only the geoid's) and nothing
/// else are in Milepost's own namespace, with names that other readers know (`hacc`, `vacc`).
package struct GPXWriter: TraceEncoder {
  package static let loses: [String] = []
  private var isInSegment = false
  package private(set) var dropped: [String: Int] = [:]

  package init() {}

  package mutating func begin(into bytes: inout [UInt8]) {
    append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="milepost" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
      xmlns:milepost="urn:milepost:gpx:1">
      <trk>

      """, to: &bytes)
  }

  package mutating func write(_ event: TraceEvent, into bytes: inout [UInt8]) {
    switch event {
    case .noFix: dropped["epochs without a position", default: 0] += 1
    case .segmentEnd:
      if isInSegment { append("</trkseg>\n", to: &bytes) }
      isInSegment = false
    case .fix(let fix, _):
      if !isInSegment { append("<trkseg>\n", to: &bytes) }
      isInSegment = true
      write(fix, to: &bytes)
    }
  }

  package mutating func finish(into bytes: inout [UInt8]) {
    append(isInSegment ? "</trkseg>\n</trk>\n</gpx>\n" : "</trk>\n</gpx>\n", to: &bytes)
    isInSegment = false
  }

  private func write(_ fix: Fix, to bytes: inout [UInt8]) {
    append("<trkpt lat=\"", to: &bytes)
    NumberText.append(fix.coordinate.latitude, to: &bytes)
    append("\" lon=\"", to: &bytes)
    NumberText.append(fix.coordinate.longitude, to: &bytes)
    append("\">", to: &bytes)
    element("ele", fix.altitude, to: &bytes)
    if let time = fix.time {
      append("<time>", to: &bytes)
      time.appendFullText(to: &bytes)
      append("</time>", to: &bytes)
    }
    if let height = fix.ellipsoidalHeight, let altitude = fix.altitude {
      // For other readers, to the millimetre; the exact height is in the extension.
      let undulation = ((height - altitude) * 1_000).rounded() / 1_000
      element("geoidheight", undulation, to: &bytes)
    }
    if fix.source == .network { append("<src>network</src>", to: &bytes) }
    element("sat", fix.satellites.map(Double.init), to: &bytes)
    element("hdop", fix.hdop, to: &bytes)
    extensions(fix, to: &bytes)
    append("</trkpt>\n", to: &bytes)
  }

  private func extensions(_ fix: Fix, to bytes: inout [UInt8]) {
    let isMoving = fix.speed != nil || fix.course != nil
    let hasOwn =
      fix.horizontalAccuracy != nil || fix.verticalAccuracy != nil || fix.ellipsoidalHeight != nil
      || fix.speedAccuracy != nil || fix.courseAccuracy != nil
    guard isMoving || hasOwn else { return }
    append("<extensions>", to: &bytes)
    element("milepost:hacc", fix.horizontalAccuracy, to: &bytes)
    element("milepost:vacc", fix.verticalAccuracy, to: &bytes)
    element("milepost:ellipsoidal_height", fix.ellipsoidalHeight, to: &bytes)
    element("milepost:speed_accuracy", fix.speedAccuracy, to: &bytes)
    element("milepost:course_accuracy", fix.courseAccuracy, to: &bytes)
    if isMoving {
      append("<gpxtpx:TrackPointExtension>", to: &bytes)
      element("gpxtpx:speed", fix.speed, to: &bytes)
      element("gpxtpx:course", fix.course, to: &bytes)
      append("</gpxtpx:TrackPointExtension>", to: &bytes)
    }
    append("</extensions>", to: &bytes)
  }

  private func element(_ name: String, _ value: Double?, to bytes: inout [UInt8]) {
    guard let value else { return }
    append("<", to: &bytes)
    append(name, to: &bytes)
    append(">", to: &bytes)
    NumberText.append(value, to: &bytes)
    append("</", to: &bytes)
    append(name, to: &bytes)
    append(">", to: &bytes)
  }

  private func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: text.utf8)
  }
}
