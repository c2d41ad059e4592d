// SPDX-License-Identifier: Apache-2.0

/// A parsed JSON document of bounded size: one line of a log, one feature, one activity record.
///
/// The inner rings may not import Foundation; this reader exists for them. Numbers are `Double`, as
/// RFC 8259 expects of interoperable software; NaN and infinities do not exist in JSON and are refused.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// Members in the order of the text; of a repeated key the first counts in `subscript`.
  case object([Member])

  package struct Member: Sendable, Equatable {
    package let key: String
    package let value: JSONValue

    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The member `key` of an object, or `nil`.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var number: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var members: [Member]? {
    if case .object(let value) = self { value } else { nil }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .number(Double(value)) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}
