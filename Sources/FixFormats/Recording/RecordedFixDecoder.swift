// SPDX-License-Identifier: Apache-2.0

import JSONText

/// The fixes that the receiver reported during a recording of `milepost track --record`, as trace events.
///
/// Only `input.fix` of each line counts; its members have the names of JSON lines. The first and
/// the last line are structure; what else the engine was told is counted as skipped. Whether the receiver was on
/// throughout is not asked here.
package struct RecordedFixDecoder: LineDecoder {
  package var lines = LineSplitter(limit: Self.lineLimit)
  package var intake: PointIntake

  /// A step of a recording at most.
  package static let lineLimit = 4_194_304
  /// How the first line of a recording begins.
  package static let mark = Array("{\"class\":\"MILEPOST_RECORDING\"".utf8)

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
    guard let input = object["input"] else { return intake.countUsed() }
    guard let fix = input["fix"] else { return intake.skip("other input") }
    var row = FixRow()
    FixMembers.read(fix, into: &row)
    try row.take(line: lines.number, intake: &intake, into: &events)
  }
}
