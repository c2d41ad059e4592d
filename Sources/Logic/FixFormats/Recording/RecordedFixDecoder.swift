// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel

/// The fixes that the receiver reported during a recording of `milepostd --record` or `milepost track
/// --record`, as trace events.
///
/// Only the input from gpsd, or from a simulated receiver, in each line's `input` counts. The first and the last line
/// and the service's decisions are structure; its other inputs are counted as skipped. Whether the receiver was on
/// throughout is not checked here.
package struct RecordedFixDecoder: PointLineDecoder {
  package var lines = LineSplitter(limit: Self.lineLimit)
  package var intake: PointIntake

  /// The longest line of a recording.
  package static let lineLimit = 67_108_864
  /// The version of the form that is written and read; any other is refused. Raised whenever a line changes its form.
  package static let version = 4
  /// The beginning of a recording's first line.
  package static let mark = Array("{\"class\":\"MILEPOST_RECORDING\"".utf8)

  package init(options: DecodingOptions) {
    intake = PointIntake(unit: .lines, options: options)
  }

  package mutating func takeLine(
    _ line: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    guard let object = try json(line) else { return }
    if let number = object["version"]?.number {
      let version = Int(exactly: number)
      guard version == Self.version else {
        throw TraceError(
          .unrecognised, line: lines.number,
          "a recording of version \(version.map(String.init) ?? "?"), and this release reads version "
            + "\(Self.version); read it with release \(object["release"]?.string ?? "?"), which made it"
        )
      }
    }
    guard let input = object["input"] else { return intake.countUsed() }
    guard let fix = (input["gpsd"] ?? input["radio"])?["_0"]?["fix"]?["_0"] else {
      return intake.skip("other input")
    }
    var row = FixRow()
    FixMembers.readMembers(of: fix, into: &row)
    if let coordinate = fix["coordinate"] { FixMembers.readMembers(of: coordinate, into: &row) }
    row.draft.time = fix["time"]?["microseconds"]?.number.flatMap { Int64(exactly: $0) }
      .map(UTCInstant.init(microseconds:))
    try row.emit(line: lines.number, intake: &intake, into: &events)
  }
}

extension TraceFormat {
  package static let recording = TraceFormat(
    "recording", name: "recording of the service", isListed: false,
    decoder: RecordedFixDecoder.init(options:)
  ) { sample in
    !sample.isUTF16 && sample.text.starts(with: RecordedFixDecoder.mark) ? .beginning : .none
  }
}
