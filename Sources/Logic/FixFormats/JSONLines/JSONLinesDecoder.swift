// SPDX-License-Identifier: Apache-2.0

import JSONText

/// Decodes JSON lines to trace events: the output of `JSONLinesWriter`, and other programs' objects
/// with the usual names (`lat`, `lng`, `timestamp`, `acc`...; see `FixColumn.named`), one per line.
///
/// An object may hold its position in a member `location`, `coords` or `position`, as trackers'
/// exports do; its own members count for the rest. An object without any coordinate is a "no fix"
/// epoch if its `latitude` is null, else it is skipped as `no position`.
///
/// The lines of a `.rec` file of OwnTracks' Recorder are such objects behind a time and a kind (`RecorderLine`). Of
/// OwnTracks' messages only those of the type `location` are fixes: others say where something else is.
package struct JSONLinesDecoder: PointLineDecoder {
  package var lines = LineSplitter(limit: Self.lineLimit)
  package var intake: PointIntake
  private var segments = SegmentNumber()

  package static let lineLimit = 262_144

  package init(options: DecodingOptions) {
    intake = PointIntake(unit: .lines, options: options)
  }

  package mutating func takeLine(
    _ line: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    let start = RecorderLine.start(of: line) ?? 0
    guard let object = try json(line.extracting(start..<line.count)) else { return }
    if let type = object["_type"]?.string, type != "location" {
      return intake.skip("not a location")
    }
    if object["gap"]?.bool == true {
      intake.countUsed()
      return intake.endSegment(line: lines.number, into: &events)
    }
    var row = FixRow()
    for name in FixMembers.wrappers {
      if let inner = object[name], inner.members != nil {
        FixMembers.readMembers(of: inner, into: &row)
      }
    }
    FixMembers.readMembers(of: object, into: &row)
    row.isNull = object["latitude"] == .null
    if row.isWithoutPosition, !row.isNull {
      return intake.skip("no position")
    }
    if segments.didEnd(before: row.segment) {
      intake.endSegment(line: lines.number, into: &events)
    }
    try row.emit(line: lines.number, intake: &intake, into: &events)
  }
}

extension TraceFormat {
  package static let jsonl = TraceFormat(
    "jsonl", name: "JSON lines", encoder: JSONLinesWriter.self,
    decoder: JSONLinesDecoder.init(options:)
  ) { $0.json == .position ? .head : .none }
}
