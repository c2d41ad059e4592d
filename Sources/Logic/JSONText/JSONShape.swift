// SPDX-License-Identifier: Apache-2.0

/// The allowed values at a place in a JSON document: the basis of its JSON Schema.
package indirect enum JSONShape: Sendable, Equatable {
  case text
  case bool
  case number(ClosedRange<Double>)
  case whole(ClosedRange<Int64>)
  /// UTC with milliseconds, as `UTCInstant.rfc3339` writes it.
  case instant
  /// The same, or with microseconds where milliseconds would lose some (`UTCInstant.appendFullText`).
  case exactInstant
  case words([String])
  /// Always this text, number or truth.
  case constant(JSONValue)
  case array(JSONShape)
  case object([Member])
  /// An object whose keys are names, all with values of one shape.
  case map(JSONShape)
  case nullable(JSONShape)
  /// Any value of JSON.
  case anything
  /// Exactly one of these.
  case oneOf([JSONShape])

  package struct Member: Sendable, Equatable {
    package let name: String
    package let shape: JSONShape
    /// Whether it is present in each object.
    package let isRequired: Bool
    /// Its meaning, if its name does not show it.
    package let about: String

    package init(name: String, shape: JSONShape, isRequired: Bool, about: String = "") {
      self.name = name
      self.shape = shape
      self.isRequired = isRequired
      self.about = about
    }
  }

  /// The members that an object may have; empty if it is not an object.
  package var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  /// The whole numbers that JSON carries exactly (RFC 8259, section 6).
  package static let exactWholes: ClosedRange<Int64> =
    -9_007_199_254_740_991...9_007_199_254_740_991

  /// The JSON Schema (draft 2020-12) of documents of this shape, with line ends.
  fileprivate func schema(title: String, description: String) -> String {
    let head: [JSONValue.Member] = [
      .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      .init("title", .string(title)), .init("description", .string(description)),
    ]
    return JSONValue.object(head + (rules.members ?? [])).indented + "\n"
  }

  fileprivate var rules: JSONValue {
    switch self {
    case .text: Self.type("string")
    case .bool: Self.type("boolean")
    case .number(let range): Self.type("number", Self.limits(range))
    case .whole(let range):
      Self.type(
        "integer",
        Self.limits(
          (range.lowerBound <= -9_007_199_254_740_991 ? -.infinity : Double(range.lowerBound))...(range
            .upperBound >= 9_007_199_254_740_991 ? .infinity : Double(range.upperBound))))
    case .instant: Self.instant(fraction: #"\d{3}"#)
    case .exactInstant: Self.instant(fraction: #"(\d{3}|\d{6})"#)
    case .words(let words): .object([.init("enum", .array(words.map(JSONValue.string)))])
    case .constant(let value): .object([.init("const", value)])
    case .array(let element): Self.type("array", [.init("items", element.rules)])
    case .map(let value): Self.type("object", [.init("additionalProperties", value.rules)])
    case .object(let members): Self.object(members)
    case .anything: .object([])
    case .oneOf(let shapes): .object([.init("oneOf", .array(shapes.map(\.rules)))])
    case .nullable(let shape): Self.nullable(shape.rules)
    }
  }

  private static func type(_ name: String, _ rest: [JSONValue.Member] = []) -> JSONValue {
    .object([.init("type", .string(name))] + rest)
  }

  private static func instant(fraction: String) -> JSONValue {
    type(
      "string",
      [
        .init(
          "pattern", .string(#"^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d\."# + fraction + "Z$"))
      ])
  }

  private static func limits(_ range: ClosedRange<Double>) -> [JSONValue.Member] {
    var limits: [JSONValue.Member] = []
    // A bound as large as this is no limit but a guard against nonsense.
    if range.lowerBound > -1e15 { limits.append(.init("minimum", .number(range.lowerBound))) }
    if range.upperBound < 1e15 { limits.append(.init("maximum", .number(range.upperBound))) }
    return limits
  }

  private static func object(_ members: [Member]) -> JSONValue {
    type(
      "object",
      [
        .init("properties", .object(members.map { .init($0.name, $0.rules) })),
        .init("required", .array(members.filter(\.isRequired).map { .string($0.name) })),
        .init("additionalProperties", .bool(false)),
      ])
  }

  private static func nullable(_ rules: JSONValue) -> JSONValue {
    let members = rules.members ?? []
    if let words = rules["enum"]?.array { return .object([.init("enum", .array(words + [.null]))]) }
    guard let type = rules["type"] else {
      return .object([.init("oneOf", .array([rules, Self.type("null")]))])
    }
    return .object(
      [.init("type", .array([type, .string("null")]))] + members.filter { $0.key != "type" })
  }
}

extension JSONShape.Member {
  fileprivate var rules: JSONValue {
    let rules = shape.rules.members ?? []
    return .object(about.isEmpty ? rules : rules + [.init("description", .string(about))])
  }
}

/// The JSON Schema of one kind of document, by the name in its `schema` member before the version.
package struct JSONSchema: Sendable {
  /// `status` of `milepost.status/1`.
  package let name: String
  /// Its title, `milepost.status/1`; its documents; and its text.
  package let title: String
  package let about: String
  private let shape: JSONShape

  package init(_ title: String, _ about: String, _ shape: JSONShape) {
    name = String(title.dropFirst("milepost.".count).prefix { $0 != "/" })
    self.title = title
    self.about = about
    self.shape = shape
  }

  package var text: String { shape.schema(title: title, description: about) }
}

extension JSONValue {
  /// The value over several lines, two spaces for each level.
  package var indented: String { indented(by: "") }

  private func indented(by margin: String) -> String {
    func block(_ lines: [String], _ open: String, _ close: String) -> String {
      if lines.isEmpty { return open + close }
      return open + "\n" + lines.map { margin + "  " + $0 }.joined(separator: ",\n") + "\n"
        + margin + close
    }
    switch self {
    case .array(let elements):
      return block(elements.map { $0.indented(by: margin + "  ") }, "[", "]")
    case .object(let members):
      let lines = members.map {
        JSONValue.string($0.key).text + ": " + $0.value.indented(by: margin + "  ")
      }
      return block(lines, "{", "}")
    default: return text
    }
  }

  /// The value on one line.
  package var text: String {
    var json = JSONWriter()
    json.value(self)
    return json.text
  }
}
