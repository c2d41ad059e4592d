// SPDX-License-Identifier: Apache-2.0

/// Traces of other programs that are text, are not read, and are often had: what each is, and what to do.
enum ForeignText {
  private static let known: [(sign: String, isFirst: Bool, advice: String)] = [
    (
      "OziExplorer Track Point File", true,
      "an OziExplorer track; convert it to GPX first: gpsbabel -i ozi -f FILE -o gpx -F trace.gpx"
    ),
    ("\"latitudeE7\"", false, takeout),
    ("\"timelineObjects\"", false, timeline),
    ("\"semanticSegments\"", false, timeline),
  ]

  private static let igc =
    "an IGC flight record; convert it to GPX first: gpsbabel -i igc -f FILE -o gpx -F trace.gpx"
  private static let takeout =
    "Google's location history; make JSON lines of it first: jq -c '.locations[] | {time: .timestamp, "
    + "latitude: (.latitudeE7 / 1e7), longitude: (.longitudeE7 / 1e7)}' FILE > trace.jsonl"
  private static let timeline =
    "Google's timeline, which holds visits and not fixes; Records.json of the same export has them"

  /// What to do with a text that begins with `bytes`; `nil` where nobody knows it.
  static func advice(_ bytes: [UInt8]) -> String? {
    if isIGC(bytes) { return igc }
    return known.first { entry in
      let sign = Array(entry.sign.utf8)
      return entry.isFirst ? bytes.starts(with: sign) : contains(bytes, sign)
    }?.advice
  }

  /// The first line is an A record, three letters of a maker and more; behind it stands a header, an H record
  /// (FAI, Technical Specification for GNSS Flight Recorders, appendix A).
  private static func isIGC(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
    guard lines.count > 1, lines[0].count >= 4, lines[0].first == UInt8(ascii: "A") else {
      return false
    }
    let isMaker = lines[0].dropFirst().prefix(3).allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return isMaker && lines.prefix(8).contains { $0.starts(with: Array("HF".utf8)) }
  }

  private static func contains(_ bytes: [UInt8], _ sign: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0] == sign[0] && bytes[$0...].starts(with: sign) }
  }
}
