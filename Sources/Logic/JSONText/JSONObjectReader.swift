// SPDX-License-Identifier: Apache-2.0

/// A place in a document as errors name it: a member of an object, or an element of one.
package struct JSONPlace: Sendable {
  let object: String
  let key: String
  var index: Int?

  /// The name of an object at this place: `STATUS.gpsd`, `APPS.apps[0]`.
  var name: String { "\(object).\(key)" + (index.map { "[\($0)]" } ?? "") }

  func element(_ index: Int) -> JSONPlace { JSONPlace(object: object, key: key, index: index) }

  /// The error that `value` at this place is not `expected`.
  package func wrong(_ value: JSONValue, _ expected: String) -> InputError {
    InputError("\(object): \(key) is \(Quoted.value(value)), not \(expected)")
  }
}

/// One object being read; errors name it.
package struct JSONObjectReader: Sendable {
  /// The object's name in errors: `?START`, `STATUS.gpsd`.
  package let name: String
  private let value: JSONValue

  package init(_ value: JSONValue, name: String) throws(InputError) {
    guard value.members != nil else {
      throw InputError("\(name) is \(Quoted.value(value)), not an object")
    }
    self.name = name
    self.value = value
  }

  /// The member's value; missing and null are both `nil`.
  package subscript(key: String) -> JSONValue? {
    guard let member = value[key], member != .null else { return nil }
    return member
  }

  package func required(_ key: String) throws(InputError) -> JSONValue {
    guard let member = self[key] else {
      throw InputError("\(name) needs the member '\(key)'")
    }
    return member
  }

  package func place(_ key: String) -> JSONPlace { JSONPlace(object: name, key: key) }

  /// Refuses members with none of these names, so that a misspelt one is not overlooked; one called
  /// `other` is skipped.
  package func allow(_ names: [String], and other: String) throws(InputError) {
    for member in value.members ?? [] where !names.contains(member.key) && member.key != other {
      let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
      throw InputError("\(name) has no member '\(Quoted.text(member.key))'; \(known)")
    }
  }
}
