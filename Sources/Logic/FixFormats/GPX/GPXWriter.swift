// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel

/// Trace events as GPX 1.1: one track, a new `trkseg` after each end of a segment.
///
/// Values with a GPX element use it, in the order of its schema; speed and course are Garmin's
/// TrackPointExtension v2; only the accuracies and the ellipsoidal height (GPX has only the geoid's)
/// are in Milepost's namespace, with names that other readers know (`hacc`, `vacc`).
package struct GPXWriter: TraceEncoder {
  package static let loses: [String] = []
  private var isInSegment = false
  package private(set) var dropped: [String: Int] = [:]

  package init() {}

  package mutating func begin(into bytes: inout [UInt8]) {
    bytes.append(
      constant: """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="milepost" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
        xmlns:milepost="urn:milepost:gpx:1">
        <trk>

        """)
  }

  package mutating func encode(_ event: TraceEvent, into bytes: inout [UInt8]) {
    switch event {
    case .noFix: dropped["epochs without a position", default: 0] += 1
    case .segmentEnd:
      if isInSegment { bytes.append(constant: "</trkseg>\n") }
      isInSegment = false
    case .fix(let fix, _):
      if !isInSegment { bytes.append(constant: "<trkseg>\n") }
      isInSegment = true
      write(fix: fix, to: &bytes)
    }
  }

  package mutating func finish(into bytes: inout [UInt8]) {
    bytes.append(constant: isInSegment ? "</trkseg>\n</trk>\n</gpx>\n" : "</trk>\n</gpx>\n")
    isInSegment = false
  }

  private func write(fix: Fix, to bytes: inout [UInt8]) {
    bytes.append(constant: "<trkpt lat=\"")
    NumberText.appendText(of: fix.coordinate.latitude, to: &bytes)
    bytes.append(constant: "\" lon=\"")
    NumberText.appendText(of: fix.coordinate.longitude, to: &bytes)
    bytes.append(constant: "\">")
    element("<ele>", fix.altitude, "</ele>", to: &bytes)
    if let time = fix.time {
      bytes.append(constant: "<time>")
      time.appendFullText(to: &bytes)
      bytes.append(constant: "</time>")
    }
    if let height = fix.ellipsoidalHeight, let altitude = fix.altitude {
      // For other readers, to the millimetre; the exact height is in the extension.
      let undulation = ((height - altitude) * 1_000).rounded() / 1_000
      element("<geoidheight>", undulation, "</geoidheight>", to: &bytes)
    }
    if fix.source == .network { bytes.append(constant: "<src>network</src>") }
    element("<sat>", fix.satellites.map(Double.init), "</sat>", to: &bytes)
    element("<hdop>", fix.hdop, "</hdop>", to: &bytes)
    extensions(fix, to: &bytes)
    bytes.append(constant: "</trkpt>\n")
  }

  private func extensions(_ fix: Fix, to bytes: inout [UInt8]) {
    let isMoving = fix.speed != nil || fix.course != nil
    let hasOwn =
      fix.horizontalAccuracy != nil || fix.verticalAccuracy != nil || fix.ellipsoidalHeight != nil
      || fix.speedAccuracy != nil || fix.courseAccuracy != nil
    guard isMoving || hasOwn else { return }
    bytes.append(constant: "<extensions>")
    element("<milepost:hacc>", fix.horizontalAccuracy, "</milepost:hacc>", to: &bytes)
    element("<milepost:vacc>", fix.verticalAccuracy, "</milepost:vacc>", to: &bytes)
    element(
      "<milepost:ellipsoidal_height>", fix.ellipsoidalHeight, "</milepost:ellipsoidal_height>",
      to: &bytes)
    element(
      "<milepost:speed_accuracy>", fix.speedAccuracy, "</milepost:speed_accuracy>", to: &bytes)
    element(
      "<milepost:course_accuracy>", fix.courseAccuracy, "</milepost:course_accuracy>", to: &bytes)
    if isMoving {
      bytes.append(constant: "<gpxtpx:TrackPointExtension>")
      element("<gpxtpx:speed>", fix.speed, "</gpxtpx:speed>", to: &bytes)
      element("<gpxtpx:course>", fix.course, "</gpxtpx:course>", to: &bytes)
      bytes.append(constant: "</gpxtpx:TrackPointExtension>")
    }
    bytes.append(constant: "</extensions>")
  }

  /// Tags come whole, as constants: assembling them would cost more than the number between them.
  private func element(
    _ opening: StaticString, _ value: Double?, _ closing: StaticString, to bytes: inout [UInt8]
  ) {
    guard let value else { return }
    bytes.append(constant: opening)
    NumberText.appendText(of: value, to: &bytes)
    bytes.append(constant: closing)
  }
}
