// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import JSONText
import LocationModel

/// Decodes Google's Timeline as phones export it since 2024, segment by segment.
///
/// - Android writes an object with a list `semanticSegments`, iOS a list of such segments alone.
/// - A segment with a `timelinePath` is a piece of the way: its points have a place (`48.1°, 11.5°` or `geo:48.1,11.5`)
///   and a `time`, or on iOS whole minutes from the segment's `startTime`.
/// - Other segments are counted by their kind and skipped: the places of visits and activities are reckoned, and their
///   times overlap the path's.
///
/// Points state no accuracy. The account counts points, and segments without any.
package struct TimelineDecoder: ObjectListDecoder {
  package var objects = FeatureSplitter(limit: Self.segmentLimit, lists: ["semanticSegments"])
  package var intake: PointIntake
  package let isStrict: Bool
  package static let objectName = "segment"

  /// The greatest size of a segment, two hours of a way; and of what stands before the list, bytes.
  package static let segmentLimit = 8 << 20

  package init(options: DecodingOptions) {
    intake = PointIntake(unit: .points, options: options)
    isStrict = options.strict
  }

  package mutating func takeObject(
    _ segment: JSONValue, into events: inout [TraceEvent]
  ) throws(TraceError) {
    guard let path = segment["timelinePath"]?.array else {
      let kind = ["visit", "activity"].first { segment[$0] != nil }
      return intake.skip(kind ?? "no path")
    }
    for point in path {
      var row = FixRow()
      Self.readPlace(point["point"]?.string ?? "", into: &row)
      if let time = point["time"]?.string {
        row.setTime(Array(time.utf8).span)
      } else if let begin = segment["startTime"]?.string {
        Self.readTime(begin, plus: point["durationMinutesOffsetFromStartTime"], into: &row)
      }
      try row.emit(line: objects.line, intake: &intake, into: &events)
    }
  }

  /// `48.1371°, 11.5754°` or `geo:48.137100,11.575400`.
  private static func readPlace(_ text: String, into row: inout FixRow) {
    let plain = text.hasPrefix("geo:") ? text.dropFirst(4) : text[...]
    let numbers = plain.split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count >= 2 else { return }
    for (column, number) in [(FixColumn.latitude, numbers[0]), (.longitude, numbers[1])] {
      row.set(column, 1, text: Array(number.filter { $0 != "°" }.utf8).span)
    }
  }

  /// A whole number of minutes, which is a text, after the segment's begin.
  private static func readTime(
    _ begin: String, plus offset: JSONValue?, into row: inout FixRow
  ) {
    row.setTime(Array(begin.utf8).span)
    let minutes = offset?.number ?? offset?.string.flatMap { NumberText.value(Array($0.utf8).span) }
    guard let minutes, minutes.magnitude < 1e6 else { return row.draft.time = nil }
    row.draft.time = row.draft.time?.advanced(bySeconds: minutes * 60)
  }
}

extension TraceFormat {
  package static let timeline = TraceFormat(
    "timeline", name: "Google's Timeline", isListed: false,
    decoder: TimelineDecoder.init(options:)
  ) { sample in
    switch sample.text.first {
    case UInt8(ascii: "{"): return sample.contains("\"semanticSegments\"") ? .beginning : .none
    case UInt8(ascii: "["):
      let isSegment =
        sample.contains("\"startTime\"")
        && ["\"timelinePath\"", "\"visit\"", "\"activity\""].contains(where: sample.contains)
      return isSegment ? .beginning : .none
    default: return .none
    }
  }
}
