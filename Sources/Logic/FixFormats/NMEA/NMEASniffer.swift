// SPDX-License-Identifier: Apache-2.0

/// Decides whether bytes are NMEA 0183, by their content.
package enum NMEASniffer {
  /// The evidence in the first bytes of a trace.
  package enum Score: Int, Sendable, Comparable {
    case none
    /// Sentences with right checksums, none of them about positions.
    case sentences
    /// A sentence that Milepost decodes, with a right checksum or none.
    case positions

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// Whether to read `prefix` (up to 64 KiB) as NMEA 0183: it holds a decoded sentence, or any
  /// sentence and no frame of a binary protocol.
  package static func recognises(_ prefix: borrowing Span<UInt8>) -> Bool {
    switch score(prefix) {
    case .none: false
    case .sentences: BinaryProtocol.recognise(prefix) == nil
    case .positions: true
    }
  }

  /// Searches the whole prefix, as headers and garbage may stand in front.
  package static func score(_ prefix: borrowing Span<UInt8>) -> Score {
    let catalogue = SentenceCatalogue()
    var scanner = SentenceScanner()
    var best = Score.none
    var start = 0
    while start < prefix.count {
      var end = start
      while end < prefix.count, prefix[end] != 10, prefix[end] != 13 { end += 1 }
      scanner.begin(line: start..<end)
      // A comment may quote a sentence; JSON and XML do not begin with these.
      let isText =
        start < end && (prefix[start] == 35 || prefix[start] == 60 || prefix[start] == 123)
      while !isText, let sentence = scanner.next(prefix) {
        let length = scanner.fields.addressLength
        guard let address = SentenceAddress(sentence, length: length, prefix) else { continue }
        let isRight = sentence.stated == sentence.computed
        if isRight { best = max(best, .sentences) }
        if catalogue.kind(named: address.name) != nil,
          isRight || sentence.stated == nil && sentence.body.count > 10
        {
          return .positions
        }
      }
      start = end + 1
    }
    return best
  }
}
