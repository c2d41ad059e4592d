// SPDX-License-Identifier: Apache-2.0

/// Decodes a table with a header line to trace events; also for the `.truth.csv` beside a trace.
///
/// The first line that is neither blank nor a `#` comment, nor Excel's `sep=;`, is the header. Columns are found by name
/// (`FixColumn.named`), in any order; comma, semicolon or tab separate them; a field may be quoted and
/// hold line breaks then (RFC 4180). A quote that is not closed within `rowLimit` lines spoils its own
/// line only. A row with a time but without a coordinate is a "no fix" epoch. A change of `segment`
/// ends a segment. Times are RFC 3339, or seconds, milliseconds or microseconds since 1970, told apart
/// by their size; `date` and `time` may be two columns. A last row without a line feed that has fewer
/// fields than the header was cut and is skipped: half a number is another number. One with all fields
/// is taken, with a finding that it may be cut.
package struct CSVDecoder: PointLineDecoder {
  package var lines = LineSplitter(limit: Self.lineLimit)
  package var intake: PointIntake
  private var header: CSVHeader?
  private var record = CSVRecord()
  private var segments = SegmentNumber()

  /// The lines of a row whose quote is still open, and the number of the first.
  private var open: [[UInt8]] = []
  private var firstOpen = 0

  package static let lineLimit = 65_536
  /// The greatest numbers of lines and of bytes in a row.
  private static let rowLimit = (lines: 64, bytes: lineLimit)

  package init(options: DecodingOptions) {
    intake = PointIntake(unit: .lines, options: options)
  }

  /// The header in `line`; `nil` if it names no position.
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

  package var isInRow: Bool { !open.isEmpty }

  package mutating func takeLine(
    _ line: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    guard header != nil else { return try takeHeader(line) }
    try takeLine(line, number: lines.number, into: &events)
    while open.count > Self.rowLimit.lines || open.joined().count > Self.rowLimit.bytes {
      try giveUpRow(into: &events)
    }
  }

  package mutating func takeEnd(into events: inout [TraceEvent]) throws(TraceError) {
    while !open.isEmpty { try giveUpRow(into: &events) }
  }

  /// Takes a line, which begins a row or continues one.
  private mutating func takeLine(
    _ line: borrowing Span<UInt8>, number: Int, into events: inout [TraceEvent]
  ) throws(TraceError) {
    guard let header else { return }
    if open.isEmpty {
      record.read(line: line, delimiter: header.delimiter)
      if record.isOpen { firstOpen = number }
    } else {
      let whole = Array((open + [Array(copying: line)]).joined(separator: [0x0A]))
      record.read(line: whole.span, delimiter: header.delimiter)
    }
    if record.isOpen { return open.append(Array(copying: line)) }
    let (first, count) = open.isEmpty ? (number, 1) : (firstOpen, open.count + 1)
    open = []
    try takeRow(header, line: first, units: count, into: &events)
  }

  /// Refuses the first line of an open row, and takes the others as if it were absent.
  private mutating func giveUpRow(into events: inout [TraceEvent]) throws(TraceError) {
    let (held, first) = (open, firstOpen)
    open = []
    try intake.refuse("quote not closed", line: first, "a quote is opened here and never closed")
    for (place, line) in held.enumerated().dropFirst() {
      if open.isEmpty, line.allSatisfy({ $0 <= 0x20 }) {
        intake.skip("blank")
      } else {
        try takeLine(line.span, number: first + place, into: &events)
      }
    }
  }

  /// Takes the row in `record`.
  private mutating func takeRow(
    _ header: CSVHeader, line: Int, units: Int, into events: inout [TraceEvent]
  ) throws(TraceError) {
    let isLast = lines.isUnterminated && line + units > lines.number
    if record.ends.count > header.columns.count {
      return try intake.refuse(
        "too many fields", line: line, units: units,
        "\(record.ends.count) fields, but the header names \(header.columns.count) (a decimal comma?)"
      )
    }
    if isLast, record.ends.count < header.columns.count {
      return try intake.refuse(
        "cut row", line: line, units: units,
        "the file ends within this row: \(record.ends.count) of \(header.columns.count) fields, "
          + "and no line feed")
    }
    let row = row(header)
    if segments.didEnd(before: row.segment) { intake.endSegment(line: line, into: &events) }
    try row.emit(line: line, units: units, intake: &intake, into: &events)
    if isLast { intake.ledger.noteOpenEnd(line: line) }
  }

  private mutating func takeHeader(_ line: borrowing Span<UInt8>) throws(TraceError) {
    if CSVHeader.isPreface(line) { return intake.skip("separator") }
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
      guard let (column, factor) = header.columns[index] else {
        if start < end, index != header.dateField { row.unused.append(header.names[index]) }
        continue
      }
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
    // Else it is a whole time, or none.
    guard time.count <= 16, time.contains(UInt8(ascii: ":")), !time.contains(UInt8(ascii: "T"))
    else {
      return row.set(.time, 1, text: Array(time).span)
    }
    let dayStart = day == 0 ? 0 : record.ends[day - 1]
    let joined = record.text[dayStart..<record.ends[day]] + [UInt8(ascii: "T")] + time
    row.set(.time, 1, text: Array(joined).span)
  }
}

extension TraceFormat {
  package static let csv = TraceFormat(
    "csv", name: "CSV", encoder: CSVWriter.self, decoder: CSVDecoder.init(options:)
  ) { sample throws(TraceError) in
    guard sample.json == nil,
      let first = sample.lines.lazy.map(Array.init).first(where: { !CSVHeader.isPreface($0.span) })
    else { return .none }
    return try CSVDecoder.header(first.span) == nil ? .none : .head
  }
}
