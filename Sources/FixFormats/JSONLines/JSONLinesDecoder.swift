// SPDX-License-Identifier: Apache-2.0

import JSONText

/// JSON lines to trace events: what `JSONLinesWriter` writes, and other programs' objects with the
/// usual names (`lat`, `lng`, `timestamp`, `acc`...; see `FixColumn.named`), one per line.
///
/// An object may hold its position in a member `location`, `coords` or `position`, as trackers'
/// exports do; what it says itself counts for the rest. An object without any coordinate is a "no
/// fix" epoch where it has a time and says `latitude` null, else it is skipped as `no position`.
package struct JSONLinesDecoder: LineDecoder {
  package var lines = LineSplitter(limit: Self.lineLimit)
  package var intake: PointIntake
  private var segments = SegmentNumber()

  package static let lineLimit = 262_144

  package init(options: DecodingOptions) {
    intake = PointIntake(unit: .lines, options: options)
  }

  package mutating func takeLine(into events: inout [TraceEvent]) throws(TraceError) {
    let line = lines.line
    let object: JSONValue
    do throws(JSONError) {
      object = try JSONValue.parse(line.span)
    } catch {
      return try intake.refuse(
        "malformed JSON", line: lines.number, "\(error.message) at byte \(error.offset + 1)")
    }
    try take(object, into: &events)
  }

  private mutating func take(
    _ object: JSONValue, into events: inout [TraceEvent]
  ) throws(TraceError) {
    if object["gap"]?.bool == true {
      intake.countUsed()
      return intake.endSegment(line: lines.number, into: &events)
    }
    var row = FixRow()
    for name in ["location", "coords", "position"] {
      if let inner = object[name], inner.members != nil { FixMembers.read(inner, into: &row) }
    }
    FixMembers.read(object, into: &row)
    if row.isWithoutPosition, object["latitude"] != .null {
      return intake.skip("no position")
    }
    if segments.didEnd(before: row.segment) {
      intake.endSegment(line: lines.number, into: &events)
    }
    try row.take(line: lines.number, intake: &intake, into: &events)
  }
}
