// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import JSONText
package import Replay

// Sums have the compiler's `Codable` shape, with keys in alphabetical order, so that equal sums are equal bytes.
// Numbers are restored bit for bit.

/// Writes and reads the summable part of a `--partial` line.
package enum PartialSums {
  private struct CompareSums: Decodable {
    let sums: ComparisonSums
  }

  private struct ScoreSums: Decodable {
    let score: Replay.Score
  }

  package static func bytes(_ sums: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON has no infinities; the longest wait may be one.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try Array(encoder.encode(sums))
  }

  /// The sums of a line of `compare`. The line is known to be JSON with a head; the error gives the
  /// fault without its place.
  package static func comparison(in line: [UInt8]) throws(InputError) -> ComparisonSums {
    try readSums(CompareSums.self, in: line).sums
  }

  /// The sums of a line of `score`.
  package static func score(in line: [UInt8]) throws(InputError) -> Replay.Score {
    try readSums(ScoreSums.self, in: line).score
  }

  private static func readSums<Sums: Decodable>(
    _ type: Sums.Type, in line: [UInt8]
  ) throws(InputError) -> Sums {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(type, from: Data(line))
    } catch DecodingError.keyNotFound(let key, let context) {
      throw InputError("'\(path(context.codingPath + [key]))' is missing; make the line again")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context)
    {
      throw InputError(
        "'\(path(context.codingPath))' is not as --partial writes it; make the line again")
    } catch {
      throw InputError("not as --partial writes it (\(error)); make the line again")
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
  }
}
