// SPDX-License-Identifier: Apache-2.0

package import FixFormats

extension TraceFormat {
  /// The catalogue of readable formats, in the order of listings for people.
  package static let all: [TraceFormat] = [
    .gpx,
    .nmea,
    .gpsdJSON,
    .geojson,
    .csv,
    .jsonl,
    .timeline,
    .plt,
    .recording,
  ]

  /// The readable formats, as a phrase with `word` before the last.
  package static func namesRead(_ word: String = "and") -> String {
    names(of: all.filter(\.isListed).map(\.name), word)
  }

  /// Recognizes the format of an input by its first bytes; see `recognise(_:among:)`.
  package static func recognise(_ prefix: borrowing Span<UInt8>) throws(TraceError) -> TraceFormat {
    try recognise(prefix, among: all)
  }
}

extension OutputFormat {
  /// The formats that are written.
  package static let all = TraceFormat.all.compactMap(\.output)

  /// The format of this identifier, which is also the extension of its files.
  package init?(_ identifier: String) {
    guard let known = Self.all.first(where: { $0.identifier == identifier }) else { return nil }
    self = known
  }

  /// The format of a file name's extension, in any case.
  package init?(endingOf path: String) {
    let name = path.split(separator: "/").last ?? ""
    self.init(name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? "")
  }
}
