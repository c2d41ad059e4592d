// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Replay
import Scoring

// Sums stand in a line as the compiler's `Codable` shapes them, keys in alphabetical order, so that equal sums are
// equal bytes. A number reads back bit for bit.

/// What of a line of `compare --partial` is added up.
struct CompareSums: Decodable {
  let rows: [[RunSums]]
}

/// The same of `score --partial`.
struct ScoreSums: Decodable {
  let score: Scoring.Score
}

enum PartialForm {
  static func bytes(_ sums: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON has no infinities; the longest wait may be one.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try Array(encoder.encode(sums))
  }

  /// The sums of a line that is known to be JSON with a head; throws a `Complaint` without its place.
  static func sums<Sums: Decodable>(_ type: Sums.Type, in line: [UInt8]) throws -> Sums {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(type, from: Data(line))
    } catch DecodingError.keyNotFound(let key, let context) {
      throw Complaint("'\(path(context.codingPath + [key]))' is missing; make the line again")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context)
    {
      throw Complaint(
        "'\(path(context.codingPath))' is not as --partial writes it; make the line again")
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
