// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The JSON form of a type's values: its shape, its writing and its reading.
@usableFromInline package struct JSONForm<Value>: Sendable {
  package let shape: JSONShape
  @usableFromInline package let write: @Sendable (Value, inout JSONWriter) -> Void
  package let read: @Sendable (JSONValue, JSONPlace) throws(InputError) -> Value

  package init(
    _ shape: JSONShape, write: @escaping @Sendable (Value, inout JSONWriter) -> Void,
    read: @escaping @Sendable (JSONValue, JSONPlace) throws(InputError) -> Value
  ) {
    self.shape = shape
    self.write = write
    self.read = read
  }

  /// A form that is only written.
  package init(
    _ shape: JSONShape, _ write: @escaping @Sendable (Value, inout JSONWriter) -> Void
  ) {
    self.init(shape, write: write) { (_, place) throws(InputError) in
      throw InputError("\(place.name) is written by this release and not read")
    }
  }

  /// A form from which `convert` makes a value, or `nil` if it is not `expected`.
  package init(
    _ shape: JSONShape, _ expected: String,
    write: @escaping @Sendable (Value, inout JSONWriter) -> Void,
    convert: @escaping @Sendable (JSONValue) -> Value?
  ) {
    self.init(shape, write: write) { (value, place) throws(InputError) in
      guard let converted = convert(value) else { throw place.wrong(value, expected) }
      return converted
    }
  }
}

/// A type with a single JSON form.
package protocol JSONCoded {
  static var json: JSONForm<Self> { get }
}

/// One of a closed list of words, which are its raw values.
package protocol JSONWord: JSONCoded, RawRepresentable<String>, CaseIterable, Sendable {}

extension JSONWord {
  package static var json: JSONForm<Self> { .word(among: Array(allCases)) }
}

/// An object whose members its table lists.
package protocol JSONObject: JSONCoded, Sendable {
  /// The initial value for reading.
  static var empty: Self { get }
  static var table: JSONTable<Self> { get }
}

extension JSONObject {
  package static var json: JSONForm<Self> { table.form(reading: empty) }
}

extension JSONForm where Value: RawRepresentable<String> & Sendable {
  package static func word(among words: [Value]) -> Self {
    let names = words.map(\.rawValue)
    return JSONForm(
      .words(names), "one of " + names.joined(separator: ", "),
      write: { $1.string($0.rawValue) },
      convert: { json in
        json.string.flatMap { names.contains($0) ? Value(rawValue: $0) : nil }
      })
  }
}

extension JSONForm where Value == Double {
  /// A number with at most `decimals` decimals; with `nil` as many as it takes to read it back (`Decimal.shortest`: nine
  /// below 10⁻⁴).
  package static func number(
    in range: ClosedRange<Double> = -1e15...1e15, decimals: Int? = nil
  ) -> Self {
    JSONForm(.number(range), "a number" + words(of: range)) { value, json in
      if let decimals { json.number(value, decimals: decimals) } else { json.exact(value) }
    } convert: { json in
      json.number.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  private static func words(of range: ClosedRange<Double>) -> String {
    let low = Decimal.text(range.lowerBound, decimals: 3, trimmed: true)
    if range == -1e15...1e15 { return "" }
    guard range.upperBound < 1e15 else { return " of \(low) or more" }
    return " from \(low) to \(Decimal.text(range.upperBound, decimals: 3, trimmed: true))"
  }
}

extension JSONForm where Value: FixedWidthInteger & Sendable {
  /// A whole number within `range` and what JSON carries exactly.
  package static func whole(in range: ClosedRange<Int64> = JSONShape.exactWholes) -> Self {
    JSONForm(
      .whole(range), "a whole number from \(range.lowerBound) to \(range.upperBound)",
      write: { $1.integer(Int(clamping: $0)) },
      convert: { json in
        json.number.flatMap { Int64(exactly: $0) }.flatMap {
          range.contains($0) ? Value(exactly: $0) : nil
        }
      })
  }

  /// 0 or more.
  package static var count: Self {
    whole(in: 0...min(JSONShape.exactWholes.upperBound, Int64(clamping: Value.max)))
  }
}

extension JSONForm {
  /// An array of values of `element`.
  package static func array<Element>(of element: JSONForm<Element>) -> Self
  where Value == [Element] {
    let expected =
      switch element.shape {
      case .text: "an array of strings"
      default: "an array"
      }
    return JSONForm(
      .array(element.shape),
      write: { values, json in
        json.array { json in for value in values { element.write(value, &json) } }
      },
      read: { (value, place) throws(InputError) in
        guard let elements = value.array else { throw place.wrong(value, expected) }
        var values: [Element] = []
        for (index, json) in elements.enumerated() {
          values.append(try element.read(json, place.element(index)))
        }
        return values
      })
  }

  /// A value of `form`, or null.
  @inlinable package static func nullable<Wrapped>(_ form: JSONForm<Wrapped>) -> Self
  where Value == Wrapped? {
    nullable(form) { value, json in
      if let value { form.write(value, &json) } else { json.null() }
    }
  }

  @usableFromInline static func nullable<Wrapped>(
    _ form: JSONForm<Wrapped>, write: @escaping @Sendable (Wrapped?, inout JSONWriter) -> Void
  ) -> Self where Value == Wrapped? {
    JSONForm(.nullable(form.shape), write: write) { (value, place) throws(InputError) in
      value == .null ? nil : try form.read(value, place)
    }
  }
}

extension JSONForm where Value == [String: Int] {
  /// Counts by key, in the order of the alphabet.
  package static var counts: Self { counts(of: .count) }

  /// Counts by key, each of the form `form`.
  package static func counts(of form: JSONForm<Int>) -> Self {
    JSONForm(.map(form.shape)) { counts, json in
      json.object { json in
        for (key, count) in counts.sorted(by: { $0.key < $1.key }) { json.member(key, count) }
      }
    } read: { (value, place) throws(InputError) in
      guard let members = value.members else { throw place.wrong(value, "an object") }
      var counts: [String: Int] = [:]
      for member in members {
        counts[member.key] = try form.read(
          member.value, JSONPlace(object: place.name, key: member.key))
      }
      return counts
    }
  }
}

extension JSONForm where Value == [(name: String, value: String)] {
  /// An object of texts by name, in their order.
  package static var texts: Self {
    JSONForm(.map(.text)) { texts, json in
      json.object { json in for (name, text) in texts { json.member(name, text) } }
    } read: { (value, place) throws(InputError) in
      guard let members = value.members else { throw place.wrong(value, "an object") }
      var texts: Value = []
      for member in members {
        let place = JSONPlace(object: place.name, key: member.key)
        texts.append((member.key, try String.json.read(member.value, place)))
      }
      return texts
    }
  }
}

extension JSONForm where Value == String {
  /// One of a closed list of words.
  package static func words(_ words: [String]) -> Self {
    JSONForm(
      .words(words), "one of " + words.joined(separator: ", "), write: { $1.string($0) },
      convert: { $0.string.flatMap { words.contains($0) ? $0 : nil } })
  }
}

extension String: JSONCoded {
  package static var json: JSONForm<String> {
    JSONForm(.text, "a string", write: { $1.string($0) }, convert: \.string)
  }
}

extension Bool: JSONCoded {
  package static var json: JSONForm<Bool> {
    JSONForm(.bool, "true or false", write: { $1.bool($0) }, convert: \.bool)
  }
}

extension Int: JSONCoded {
  package static var json: JSONForm<Int> { .count }
}

extension Int32: JSONCoded {
  package static var json: JSONForm<Int32> { .count }
}

extension UInt64: JSONCoded {
  package static var json: JSONForm<UInt64> { .count }
}

extension UTCInstant: JSONCoded {
  package static var json: JSONForm<UTCInstant> {
    JSONForm(.instant, "a time as 2026-05-04T07:08:09.000Z", write: { $1.instant($0) }) {
      $0.string.flatMap { RFC3339.parse($0)?.instant }
    }
  }
}

extension JSONForm<UTCInstant> {
  /// A time with all of its microseconds, where milliseconds would lose some.
  package static var exactTime: Self {
    let rounded = UTCInstant.json
    return Self(.exactInstant, write: { $1.instant($0, isExact: true) }, read: rounded.read)
  }
}

extension Array: JSONCoded where Element: JSONCoded {
  package static var json: JSONForm<[Element]> { .array(of: Element.json) }
}

extension Optional: JSONCoded where Wrapped: JSONCoded {
  package static var json: JSONForm<Wrapped?> { .nullable(Wrapped.json) }
}

extension AppState: JSONWord {}
extension Authorization: JSONWord {}
extension LocationAccuracy: JSONWord {}
extension Service: JSONWord {}
extension WakeReason: JSONWord {}
extension NotWoken: JSONWord {}
extension FetchResult: JSONWord {}
extension CalendarUnit: JSONWord {}
extension Verdict.Outcome: JSONWord {}
