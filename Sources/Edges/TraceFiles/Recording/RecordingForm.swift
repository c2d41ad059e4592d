// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSONText
import LocationModel
import ServiceContract
import ServiceCore

// The form
// ========
//
// One JSON object per line, in the compiler's `Codable` shape of the service's own values, with its keys in
// alphabetical order, so that equal values are equal bytes: the header with the service's initial state, then the
// events in order, then a last line that counts.
//
//     {"class":"MILEPOST_RECORDING","release":"0.2.0","service":{...},"started_at_us":1000000,...,"version":4}
//     {"at_us":2000000,"input":{"began":{"adopted":[]}},"utc_us":1777878489000000}
//     {"commit":{"written":{"seconds":0.001}},"writes":{"log":[...]}}
//     {"effect":{"watch":{"_0":true}}}
//     {"class":"MILEPOST_RECORDING_END","effects":1,"inputs":1}
//
// `at_us` is the engine's instant and `utc_us` the host's UTC, microseconds. A decision is a line with the store's
// answer and the change to write (without the engine's own state: it would be most of the file, and shows in all that
// follows), and a line for each of its effects, in order.
//
// Lines are written when the service has decided and before the shell performs, and the lines of one decision at once:
// a killed recorder leaves whole lines and at most one that is cut. Without a last line the recording ended before its
// recorder did. Nothing is skipped: a recorder that cannot write stops.

enum RecordingForm {
  /// The `class` of the first line, and of the last one.
  static let name = "MILEPOST_RECORDING"
  static let endName = "MILEPOST_RECORDING_END"

  /// Differences of two instants within this stay on the axis; 36,000 years, microseconds.
  static let furthest = UInt64(1) << 60

  /// The line without its line feed.
  static func line(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // JSON has no infinities and no NaN.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try Array(encoder.encode(value))
  }

  static func readValue<Value: Decodable>(
    _ type: Value.Type, _ line: [UInt8]
  ) throws(InputError) -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      return try decoder.decode(type, from: Data(line))
    } catch let error as DecodingError {
      throw InputError(words(of: error, in: line))
    } catch {
      throw InputError("\(error)")
    }
  }

  private static func words(of error: DecodingError, in line: [UInt8]) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      return "'\(path(context.codingPath + [key]))' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      if let text = syntax(of: line) { return text }
      let path = path(context.codingPath)
      // The compiler's decoder reports an unknown case of an enumeration like this.
      if context.debugDescription.hasPrefix("Invalid number of keys") {
        return "'\(path)' is of no kind that is known here"
      }
      return (path.isEmpty ? "" : "'\(path)': ") + context.debugDescription
    @unknown default: return "\(error)"
    }
  }

  /// The fault of a line that is no JSON; `nil` if it is JSON.
  private static func syntax(of line: [UInt8]) -> String? {
    do throws(SyntaxError) {
      _ = try JSONValue.parse(line.span)
      return nil
    } catch {
      return "not JSON: \(error.message) at byte \(error.offset + 1)"
    }
  }

  /// Unnamed values of a case are called `_0`, `_1`, …: these names are left out.
  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { $0.intValue.map(String.init) ?? $0.stringValue }
      .filter { !$0.hasPrefix("_") }.joined(separator: ".")
  }
}

extension KeyedDecodingContainer {
  /// Microseconds on an axis, close enough that differences stay on it.
  func microseconds(_ key: Key) throws -> Int64 {
    let value = try decode(Int64.self, forKey: key)
    guard value.magnitude <= RecordingForm.furthest else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "no instant within 36,000 years")
    }
    return value
  }
}

// MARK: Lines

struct InputLine: Codable {
  let time: ServiceTime
  let input: ServiceInput

  private enum CodingKeys: String, CodingKey {
    case at = "at_us"
    case input
    case utc = "utc_us"
  }

  init(_ input: ServiceInput, at time: ServiceTime) {
    self.time = time
    self.input = input
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    time = ServiceTime(
      at: EngineInstant(microseconds: try values.microseconds(.at)),
      utc: UTCInstant(microseconds: try values.microseconds(.utc)))
    input = try values.decode(ServiceInput.self, forKey: .input)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(time.at.microseconds, forKey: .at)
    try values.encode(input, forKey: .input)
    try values.encode(time.utc.microseconds, forKey: .utc)
  }
}

struct DecisionLine: Encodable {
  let commit: LocationService.CommitOutcome
  let writes: WrittenChange?
}

struct EffectLine: Codable {
  let effect: ServiceEffect
}

struct EndLine: Codable {
  let `class`: String
  let inputs: Int
  let effects: Int
}

/// Any line but the first.
enum RecordedLine: Decodable {
  case input(InputLine)
  case decision(LocationService.CommitOutcome)
  /// Its content is not read here: it is compared.
  case effect
  case end(EndLine)

  private enum CodingKeys: String, CodingKey { case input, commit, effect, `class` }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if values.contains(.input) {
      self = .input(try InputLine(from: decoder))
    } else if values.contains(.commit) {
      self = .decision(try values.decode(LocationService.CommitOutcome.self, forKey: .commit))
    } else if values.contains(.effect) {
      self = .effect
    } else if values.contains(.class) {
      self = .end(try EndLine(from: decoder))
    } else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [], debugDescription: "the line holds no input, decision or effect"))
    }
  }
}

/// A change of the store as it stands in a recording: all that there is of it, and of the engine's state only
/// whether it was written.
struct WrittenChange: Encodable {
  private var change: StoreChange
  private let hasEngine: Bool

  init(_ change: StoreChange) {
    self.change = change
    hasEngine = change.engine != nil
    self.change.engine = nil
  }

  private enum CodingKeys: CodingKey { case engine }

  func encode(to encoder: any Encoder) throws {
    try change.encode(to: encoder)
    guard hasEngine else { return }
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(true, forKey: .engine)
  }
}
