// SPDX-License-Identifier: Apache-2.0

/// The trace formats that are read. A new one is a case here and a folder beside this one.
package enum InputFormat: String, CaseIterable, Sendable {
  case nmea
  case gpx
  case gpsdJSON = "gpsd-json"
  case geojson
  case csv
  case jsonl
  case recording

  /// What people call it.
  package var name: String {
    switch self {
    case .nmea: "NMEA 0183"
    case .gpx: "GPX"
    case .gpsdJSON: "gpsd JSON"
    case .geojson: "GeoJSON"
    case .csv: "CSV"
    case .jsonl: "JSON lines"
    case .recording: "recording of the service"
    }
  }

  /// How many bytes `recognise` should be given where the input has that many.
  package static let prefixLength = 65_536

  /// Tells the format of an input by its first bytes; the file's name does not count.
  ///
  /// Order of the questions: nothing there; a container or archive that names itself; a binary receiver
  /// protocol; XML by its root element; a text of another program (`ForeignText`); JSON by its class or the
  /// keys of its first object; a CSV header; NMEA
  /// sentences; gpsd JSON further down (its regression logs begin with NMEA). Byte order marks, blank
  /// lines, `#` lines and a broken first line do not matter.
  ///
  /// Throws `unrecognised` or `binary` with what the input seems to be and what to do.
  package static func recognise(
    _ prefix: borrowing Span<UInt8>
  ) throws(TraceError) -> InputFormat {
    if let container = Container.recognise(prefix) {
      throw TraceError(.unrecognised, container.advice)
    }
    let text = PlainPrefix(prefix)
    guard let start = text.firstByte else { throw TraceError(.unrecognised, "the file is empty") }
    if text.isUTF16 {
      // Only XML says its encoding in a way that is read here.
      if start == UInt8(ascii: "<") { return try XMLRoot.format(text.bytes) }
      throw TraceError(
        .unrecognised,
        "UTF-16 text; only GPX is read in UTF-16: convert it (iconv -f UTF-16 -t UTF-8)")
    }
    if start == UInt8(ascii: "<") { return try XMLRoot.format(text.bytes) }
    if text.bytes.starts(with: RecordedFixDecoder.mark) { return .recording }
    let lines = text.lines
    if let advice = ForeignText.advice(text.bytes) { throw TraceError(.unrecognised, advice) }
    if let first = lines.first, first.first == UInt8(ascii: "{") || first.first == 0x1E {
      if let format = JSONKeys.format(text.bytes) { return format }
    }
    if start == UInt8(ascii: "[") {
      throw TraceError(
        .unrecognised,
        "a JSON array; write one object per line (jq -c '.[]') and it is read as JSON lines")
    }
    if let first = lines.first.map(Array.init), try CSVDecoder.header(first.span) != nil {
      return .csv
    }
    if isGPSDLog(lines) { return .gpsdJSON }
    if NMEASniffer.recognises(prefix) { return .nmea }
    if let binary = BinaryProtocol.recognise(prefix) { throw binary.refusal }
    throw TraceError(.unrecognised, text.looksBinary ? Self.binaryAdvice : Self.textAdvice)
  }

  private static let binaryAdvice =
    "binary data of an unknown kind; NMEA 0183, GPX, gpsd JSON, GeoJSON, CSV and JSON lines are read "
    + "(what gpsd understands can be played through gpsd: gpsfake, then gpspipe -w)"
  private static let textAdvice =
    "text in no known trace format; NMEA 0183, GPX, gpsd JSON, GeoJSON, JSON lines, and CSV with a "
    + "header line that names latitude and longitude are read"

  private static func isGPSDLog(_ lines: [ArraySlice<UInt8>]) -> Bool {
    lines.contains { line in
      line.starts(with: Array("{\"class\":\"".utf8)) && JSONKeys.format(Array(line)) == .gpsdJSON
    }
  }
}
