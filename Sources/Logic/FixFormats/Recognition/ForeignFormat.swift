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
  }

  private static let known: [(sign: Sign, advice: String)] = [
    (
      .bytes([0x1F, 0x8B], at: 0),
      "compressed with gzip; unpack it first: gunzip -c FILE | milepost info -"
    ),
    (
      .bytes([0x50, 0x4B, 0x03, 0x04], at: 0),
      "a zip archive; unpack it first and name the trace inside it"
    ),
    (
      .bytes([0xFD, 0x37, 0x7A, 0x58, 0x5A], at: 0),
      "compressed with xz; unpack it first: xz -dc FILE | milepost info -"
    ),
    (
      .bytes([0x28, 0xB5, 0x2F, 0xFD], at: 0),
      "compressed with zstd; unpack it first: zstd -dc FILE | milepost info -"
    ),
    (
      .bytes([0x42, 0x5A, 0x68], at: 0),
      "compressed with bzip2; unpack it first: bzip2 -dc FILE | milepost info -"
    ),
    (
      .bytes([0x37, 0x7A, 0xBC, 0xAF], at: 0),
      "a 7z archive; unpack it first and name the trace inside it"
    ),
    (.bytes(Array(".FIT".utf8), at: 8), gpsbabel("a FIT activity", "garmin_fit")),
    (
      .bytes(Array("SQLite format 3".utf8), at: 0),
      "an SQLite database, not a trace; export a GPX or CSV file from it"
    ),
    (.bytes(Array("%PDF".utf8), at: 0), "a PDF document, not a trace"),
    (.root("kml"), gpsbabel("KML", "kml")),
    (.root("trainingcenterdatabase"), gpsbabel("TCX", "gtrnctr")),
    (.root("html"), "a web page, not a trace; perhaps a download that asked for a login"),
    (.beginning("OziExplorer Track Point File"), gpsbabel("an OziExplorer track", "ozi")),
    (
      .json("\"latitudeE7\""),
      "Google's location history; make JSON lines of it first: jq -c '.locations[] | {time: .timestamp, "
        + "latitude: (.latitudeE7 / 1e7), longitude: (.longitudeE7 / 1e7), accuracy_m: .accuracy}' FILE > trace.jsonl"
    ),
    (.json("\"timelineObjects\""), timeline), (.json("\"semanticSegments\""), timeline),
    (
      .beginning("["),
      "a JSON array; write one object per line (jq -c '.[]') and it is read as JSON lines"
    ),
  ]

  private static func gpsbabel(_ name: String, _ type: String) -> String {
    "\(name); convert it to GPX first: gpsbabel -i \(type) -f FILE -o gpx -F trace.gpx"
  }

  private static let timeline =
    "Google's timeline, which holds visits and not fixes; Records.json of the same export has them"

  /// A remedy for an input; `nil` if it is unknown.
  static func advice(_ sample: TraceSample) -> String? {
    for (sign, advice) in known where sample.has(sign) { return advice }
    if sample.text.isEmpty { return "the file is empty" }
    if let root = sample.xmlRoot { return "XML with the root <\(root.prefix(40))>, not GPX" }
    if sample.isXML {
      return "XML without a root element in its first \(TraceFormat.prefixLength) bytes"
    }
    if sample.isUTF16 {
      return "UTF-16 text; only GPX is read in UTF-16: convert it (iconv -f UTF-16 -t UTF-8)"
    }
    return isIGC(sample.lines) ? gpsbabel("an IGC flight record", "igc") : nil
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
    }
  }

  private var isJSON: Bool {
    guard !isUTF16, let first = lines.first?.first else { return false }
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }

  private func contains(_ words: String) -> Bool {
    let sign = Array(words.utf8)
    return text.indices.contains { text[$0] == sign[0] && text[$0...].starts(with: sign) }
  }
}
