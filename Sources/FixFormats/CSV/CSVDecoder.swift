// SPDX-License-Identifier: Apache-2.0

/// A table with a header line to trace events; also what lies beside a trace as `.truth.csv`.
///
/// The first line that is neither blank nor a `#` comment is the header. Columns are found by name
/// (`FixColumn.named`), in any order; comma, semicolon or tab separate them; a field may be quoted but
/// holds no line break. A row that states no coordinate but a time is a "no fix" epoch. Where the
/// `segment` changes, a segment has ended. Times are RFC 3339, or seconds, milliseconds or microseconds
/// since 1970, told apart by their size; `date` and `time` may be two columns.
/// A last row without a line feed that has fewer fields than the header was cut and is skipped: half a
/// number is another number.
package struct CSVDecoder: PointLineDecoder {
  package var lines = LineSplitter(limit: Self.lineLimit)
  package var intake: PointIntake
  private var header: CSVHeader?
  private var record = CSVRecord()
  private var segments = SegmentNumber()

  package static let lineLimit = 65_536

  package init(options: DecodingOptions) {
    intake = PointIntake(unit: .lines, options: options)
  }

  /// The header that `line` is; `nil` where it names no position.
  static func header(_ line: borrowing Span<UInt8>) throws(TraceError) -> CSVHeader? {
    do throws(CSVHeader.Refusal) {
      return try CSVHeader(line)
    } catch {
      switch error {
      case .noCoordinates: return nil
      case .cellTowers:
        throw TraceError(
          .unrecognised, line: 1, "a list of cell towers, not a trace: it has no times")
      }
    }
  }

  package mutating func takeLine(
    _ line: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    guard let header else { return try takeHeader(line) }
    record.read(line, delimiter: header.delimiter)
    if record.ends.count > header.columns.count {
      return try intake.refuse(
        "too many fields", line: lines.number,
        "\(record.ends.count) fields, but the header names \(header.columns.count) (a decimal comma?)"
      )
    }
    if lines.isUnterminated, record.ends.count < header.columns.count {
      return try intake.refuse(
        "cut row", line: lines.number,
        "the file ends within this row: \(record.ends.count) of \(header.columns.count) fields, "
          + "and no line feed")
    }
    let row = row(header)
    if segments.didEnd(before: row.segment) {
      intake.endSegment(line: lines.number, into: &events)
    }
    try row.take(line: lines.number, intake: &intake, into: &events)
  }

  private mutating func takeHeader(_ line: borrowing Span<UInt8>) throws(TraceError) {
    guard let header = try Self.header(line) else {
      throw TraceError(
        .unrecognised, line: lines.number,
        "the header line names no latitude and longitude columns")
    }
    self.header = header
    intake.countUsed()
  }

  private func row(_ header: CSVHeader) -> FixRow {
    var row = FixRow()
    let text = record.text.span
    var start = 0
    for (index, end) in record.ends.enumerated() {
      defer { start = end }
      guard let (column, factor) = header.columns[index] else { continue }
      if column == .time, let day = header.dateField, day < record.ends.count, index != day {
        setTime(&row, field: start..<end, day: day)
      } else {
        row.set(column, factor, text: text.extracting(start..<end))
      }
    }
    return row
  }

  /// Joins a column with the day and one with the time of day.
  private func setTime(_ row: inout FixRow, field: Range<Int>, day: Int) {
    let time = record.text[field]
    if time.contains(UInt8(ascii: "T")) || time.count > 16 {
      return row.set(.time, 1, text: Array(time).span)
    }
    let dayStart = day == 0 ? 0 : record.ends[day - 1]
    let joined = record.text[dayStart..<record.ends[day]] + [UInt8(ascii: "T")] + time
    row.set(.time, 1, text: Array(joined).span)
  }
}
