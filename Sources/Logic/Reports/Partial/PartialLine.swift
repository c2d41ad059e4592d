// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel

// Theory
// ======
//
// The result of one trace as one line of text that can be added to others: made on one machine, added up on
// another, in any order.
//
//     {"schema":"milepost.compare-partial/1", head: names, times, settings …, "sums":{…}}
//
// The head is a table as in every document: it states the line's subject, and the options behind it. Lines with other
// options or of another release cannot be added up and are refused, with the differences. The sums are the values that
// `+=` adds, as the compiler's `Codable` shapes them: only the same release of this program reads them.
//
// Two passes read them. The first checks each line and keeps its position (`SummingOrder`); the second adds up in that
// order, and so gets the result of a single machine, bit for bit.

/// A line that can be added to others of its kind.
package protocol PartialLine: JSONObject {
  /// Schema, and the command that writes such lines.
  static var title: String { get }
  static var command: String { get }
  var release: String { get }
  /// The options that decide the sums, by name, as they would be written.
  var settings: [(name: String, value: String)] { get }
  var order: SummingOrder { get }
}

extension PartialLine {
  /// The schema of a line about `subject`, with the member that holds the sums.
  static func schema(
    of subject: String, adding sums: String, _ shape: JSONShape
  ) -> JSONSchema {
    JSONSchema(
      title,
      "milepost \(command) --partial: \(subject) as one line, to be added up by milepost \(command) --merge of the "
        + "same release.",
      .object(
        table.shape.members + [
          .init(
            name: sums, shape: shape, isRequired: true,
            about: "What is added up; read by the same release only.")
        ]))
  }

  /// The line without its line feed; `sums` is JSON, of the member `key`.
  package func line(_ sums: [UInt8], as key: String) -> [UInt8] {
    Self.table.document(self).dropLast() + ",\"\(key)\":".utf8 + sums + [UInt8(ascii: "}")]
  }

  /// Reads and checks all of a line that needs no sums: its kind, its head, its numbers, and whether it was made by
  /// `release` with `settings`.
  package static func read(
    line: [UInt8], release: String, settings: [(name: String, value: String)]
  ) throws(InputError) -> Self {
    let json = line.first == UInt8(ascii: "{") ? try parse(line) : .null
    guard json["schema"]?.string == title else {
      throw InputError("no line of milepost \(command) --partial; leave the file out")
    }
    try checkNumbers(json, key: "")
    let partial = try table.read(object: JSONObjectReader(json, name: "the line"), into: empty)
    guard partial.release == release else {
      throw InputError(
        "made by milepost \(Quoted.text(partial.release)), not \(release); make the line again")
    }
    try partial.check(settings)
    return partial
  }

  private static func parse(_ line: [UInt8]) throws(InputError) -> JSONValue {
    do throws(SyntaxError) {
      return try JSONValue.parse(line.span)
    } catch {
      throw InputError(
        "not JSON: \(error.message) at byte \(error.offset + 1); make the line again")
    }
  }

  private func check(_ expected: [(name: String, value: String)]) throws(InputError) {
    for (name, value) in expected {
      let made = settings.first { $0.name == name }?.value
      guard made != value else { continue }
      throw InputError(
        "made with \(name) \(made.map(Quoted.text) ?? "unknown"), not \(value); give --merge the options "
          + "that --partial had, or make the line again")
    }
  }

  private static func firstRepeated(_ members: [JSONValue.Member]) -> String? {
    var keys: Set<String> = []
    return members.first { !keys.insert($0.key).inserted }?.key
  }

  /// Whether all numbers can be added up and reported, and each is there once. JSON has no infinity: it stands as a text, if allowed.
  private static func checkNumbers(_ json: JSONValue, key: String) throws(InputError) {
    switch json {
    case .number(let number):
      guard number.magnitude <= 1e15 else {
        throw InputError("'\(Quoted.text(key))' is no number that can be; make the line again")
      }
    case .string("inf") where key != "longestWait", .string("-inf"), .string("nan"):
      // A trace or a setting may have this name.
      guard key == "name" || key == "truth" || table.names.contains(key) else {
        throw InputError("'\(Quoted.text(key))' is no number that can be; make the line again")
      }
    case .array(let elements): for element in elements { try checkNumbers(element, key: key) }
    case .object(let members):
      // Readers differ in which of two counts.
      if let twice = Self.firstRepeated(members) {
        throw InputError(
          "the key '\(Quoted.text(twice))' stands twice in one object; make the line again")
      }
      for member in members { try checkNumbers(member.value, key: member.key) }
    case .null, .bool, .string: break
    }
  }
}

extension JSONForm where Value == Double {
  /// A number of 0 or more that reads back bit for bit, however small.
  static var bitForBit: Self {
    JSONForm(.number(0...1e15), "a number of 0 or more", write: { $1.roundTrip($0) }) {
      $0.number.flatMap { (0...1e15).contains($0) ? $0 : nil }
    }
  }
}

extension JSONForm where Value == Int {
  /// A count that can be added to a million others.
  static var summable: Self {
    .whole(in: Int64(SummableCount.range.lowerBound)...Int64(SummableCount.range.upperBound))
  }
}

/// The position of a trace among the added ones.
///
/// The sum of floating-point numbers depends on the order in which they are added. Always adding by this order gives
/// the same total, bit for bit, whatever order the traces arrive in.
package struct SummingOrder: Sendable, Hashable, Comparable {
  /// The name of the trace, and of the list judged against it.
  package let name: String
  package let list: String
  /// Times as documents have them, so that the order is the same before and after writing; empty if unknown.
  package let start: String
  package let end: String

  package init(name: String, list: String = "", start: UTCInstant?, end: UTCInstant?) {
    self.name = name
    self.list = list
    self.start = start?.rfc3339 ?? ""
    self.end = end?.rfc3339 ?? ""
  }

  package static func < (a: Self, b: Self) -> Bool {
    (a.name, a.list, a.start, a.end) < (b.name, b.list, b.start, b.end)
  }
}
