// SPDX-License-Identifier: Apache-2.0

/// Frequent files that are not read: the name of each, and a remedy.
enum ForeignFormat {
  /// The sign of a file's format.
  fileprivate enum Sign {
    case bytes([UInt8], at: Int)
    case beginning(String)
    /// JSON with this key.
    case json(String)
    case root(String)
    /// A zip archive whose first file has a name with this ending.
    case archiveOf(String)
  }

  /// What helps against it.
  fileprivate enum Remedy {
    case advice(String)
    case conversion(TraceConversion)

    fileprivate var text: String {
      switch self {
      case .advice(let text): text
      case .conversion(let conversion): conversion.advice
      }
    }
  }

  private static let known: [(sign: Sign, remedy: Remedy)] = [
    (
      .bytes([0x1F, 0x8B], at: 0),
      .advice("compressed with gzip; unpack it first: gunzip -c FILE | milepost info -")
    ),
    (.archiveOf(".kml"), .conversion(.kmz)),
    (
      .bytes([0x50, 0x4B, 0x03, 0x04], at: 0),
      .advice("a zip archive; unpack it first and name the trace inside it")
    ),
    (
      .bytes([0xFD, 0x37, 0x7A, 0x58, 0x5A], at: 0),
      .advice("compressed with xz; unpack it first: xz -dc FILE | milepost info -")
    ),
    (
      .bytes([0x28, 0xB5, 0x2F, 0xFD], at: 0),
      .advice("compressed with zstd; unpack it first: zstd -dc FILE | milepost info -")
    ),
    (
      .bytes([0x42, 0x5A, 0x68], at: 0),
      .advice("compressed with bzip2; unpack it first: bzip2 -dc FILE | milepost info -")
    ),
    (
      .bytes([0x37, 0x7A, 0xBC, 0xAF], at: 0),
      .advice("a 7z archive; unpack it first and name the trace inside it")
    ),
    (.bytes(Array(".FIT".utf8), at: 8), .conversion(.fit)),
    (.bytes(Array("MsRcf\0".utf8), at: 0), .conversion(.gdb)),
    (
      .bytes(Array("SQLite format 3".utf8), at: 0),
      .advice("an SQLite database, not a trace; export a GPX or CSV file from it")
    ),
    (.bytes(Array("%PDF".utf8), at: 0), .advice("a PDF document, not a trace")),
    (.root("kml"), .conversion(.kml)),
    (.root("trainingcenterdatabase"), .conversion(.tcx)),
    (
      .root("html"),
      .advice("a web page, not a trace; perhaps a download that asked for a login")
    ),
    (
      .json("\"latitudeE7\""),
      .advice(
        "Google's location history; make JSON lines of it first: jq -c '.locations[] | {time: .timestamp, "
          + "latitude: (.latitudeE7 / 1e7), longitude: (.longitudeE7 / 1e7), accuracy_m: .accuracy}' FILE > "
          + "trace.jsonl")
    ),
    (
      .json("\"timelineObjects\""),
      .advice(
        "Google's timeline, which holds visits and not fixes; Records.json of the same export has them"
      )
    ),
    (
      .beginning("["),
      .advice("a JSON array; write one object per line (jq -c '.[]') and it is read as JSON lines")
    ),
  ]

  /// A remedy for an input; `nil` if it is unknown.
  static func advice(_ sample: TraceSample) -> String? {
    if let remedy = remedy(sample) { return remedy.text }
    if sample.text.isEmpty { return "the file is empty" }
    if let root = sample.xmlRoot { return "XML with the root <\(root.prefix(40))>, not GPX" }
    if sample.isXML {
      return "XML without a root element in its first \(TraceFormat.prefixLength) bytes"
    }
    if sample.isUTF16 {
      return "UTF-16 text; only GPX is read in UTF-16: convert it (iconv -f UTF-16 -t UTF-8)"
    }
    return nil
  }

  /// The conversion by which an input can be read; `nil` if there is none.
  static func conversion(_ sample: TraceSample) -> TraceConversion? {
    guard case .conversion(let conversion) = remedy(sample) else { return nil }
    return conversion
  }

  private static func remedy(_ sample: TraceSample) -> Remedy? {
    for (sign, remedy) in known where sample.has(sign) { return remedy }
    return isIGC(sample.lines) ? .conversion(.igc) : nil
  }

  /// The first line is an A record, three letters of a maker and more; a header follows, an H record (FAI, Technical
  /// Specification for GNSS Flight Recorders, appendix A).
  private static func isIGC(_ lines: [ArraySlice<UInt8>]) -> Bool {
    guard let first = lines.first, lines.count > 1, first.count >= 4,
      first.first == UInt8(ascii: "A")
    else { return false }
    let isMaker = first.dropFirst().prefix(3).allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isMaker && lines.prefix(8).contains { $0.starts(with: "HF".utf8) }
  }
}

extension TraceSample {
  fileprivate func has(_ sign: ForeignFormat.Sign) -> Bool {
    switch sign {
    case .bytes(let bytes, let place): raw.dropFirst(place).starts(with: bytes)
    case .beginning(let words): !isUTF16 && text.starts(with: words.utf8)
    case .json(let key): isJSON && contains(key)
    case .root(let name): xmlRoot?.lowercased() == name
    case .archiveOf(let ending): firstArchived.map { $0.hasSuffix(ending) } ?? false
    }
  }

  /// The name of a zip archive's first file in small letters: its length stands at byte 26, itself at byte 30 (APPNOTE,
  /// 4.3.7).
  private var firstArchived: String? {
    guard raw.starts(with: [0x50, 0x4B, 0x03, 0x04]), raw.count > 30 else { return nil }
    let length = Int(raw[26]) | Int(raw[27]) << 8
    return String(decoding: raw.dropFirst(30).prefix(length), as: UTF8.self).lowercased()
  }

  private var isJSON: Bool {
    guard !isUTF16, let first = lines.first?.first else { return false }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}
