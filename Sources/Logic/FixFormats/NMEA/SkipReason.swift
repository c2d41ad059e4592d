// SPDX-License-Identifier: Apache-2.0

/// The reason why a line of an NMEA log was not used; the raw value is the ledger's phrase.
enum SkipReason: String, Sendable {
  case blank = "blank"
  case comment = "comment"
  case otherSentence = "not a position sentence"
  case checksumWrong = "checksum wrong"
  case checksumMissing = "checksum missing"
  case malformed = "malformed"
  case noTime = "position without a time"
  case thirdReceiver = "third receiver at one time"
  case repeatedPosition = "position repeated"
  case repeatedSentence = "sentence of a repeated position"
  case garbage = "not a sentence"
  case tooLong = "too long"

  /// The message of `--strict`.
  func complaint(_ sentence: SentenceScanner.Sentence?) -> String {
    switch self {
    case .checksumWrong:
      guard let sentence, let stated = sentence.stated else { return "checksum is wrong" }
      return "checksum is \(Self.text(stated)), expected \(Self.text(sentence.computed))"
    case .checksumMissing: return "checksum is missing, and the log has them elsewhere"
    case .malformed: return "a field that the sentence needs is missing or cannot be read"
    case .noTime: return "a position has no time of day"
    case .tooLong: return "the line is longer than \(NMEADecoder.lineLimit) bytes"
    case .garbage, .blank, .comment, .otherSentence, .thirdReceiver, .repeatedPosition,
      .repeatedSentence:
      return "the line is not an NMEA 0183 sentence"
    }
  }

  private static func text(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }
}
