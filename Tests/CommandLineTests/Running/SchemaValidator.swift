// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Checks documents against JSON Schema, as far as our schemas use it: `type`, `required`,
/// `properties`, `additionalProperties`, `items`, `enum`, `const`, `minimum`, `maximum`, `pattern`,
/// `oneOf` and `$ref` into `$defs`. An unknown keyword is an error, so that none goes unchecked.
struct SchemaValidator {
  let root: [String: Any]
  private static let remarks: Set<String> = ["$schema", "$defs", "title", "description"]

  /// The schema of that name, as `milepost schema` prints it.
  init(_ name: String) throws {
    let text = try Self.texts.withLock { texts in
      if let known = texts[name] { return known }
      let answer = try Program.run(["schema", name])
      guard answer.code == 0 else { throw Unknown(errors: answer.errors) }
      texts[name] = answer.output
      return answer.output
    }
    root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  struct Unknown: Error { let errors: String }

  /// Those that were printed, by name.
  private static let texts = Mutex<[String: String]>([:])

  /// The forms of which a document has exactly one; empty if it has only one form.
  var forms: [[String: Any]] { root["oneOf"] as? [[String: Any]] ?? [] }

  /// All faults of `document`, with their places; empty if there are none.
  func errors(in document: Any) -> [String] { check(document, root, at: "$") }

  private func check(_ value: Any, _ schema: [String: Any], at place: String) -> [String] {
    schema.keys.sorted().filter { !Self.remarks.contains($0) }.flatMap { keyword in
      errors(keyword, schema[keyword] as Any, value, schema, at: place)
    }
  }

  private func errors(
    _ keyword: String, _ rule: Any, _ value: Any, _ schema: [String: Any], at place: String
  ) -> [String] {
    switch keyword {
    case "type":
      let names = rule as? [String] ?? [rule as? String ?? ""]
      return names.contains { Self.is(value, $0) } ? [] : ["\(place): not \(names)"]
    case "const": return Self.equal(rule, value) ? [] : ["\(place): not \(rule)"]
    case "enum":
      let allowed = rule as? [Any] ?? []
      return allowed.contains { Self.equal($0, value) } ? [] : ["\(place): not one of \(allowed)"]
    case "minimum", "maximum":
      guard !(value is NSNull), let number = value as? Double, let limit = rule as? Double else {
        return []
      }
      let isInside = keyword == "minimum" ? number >= limit : number <= limit
      return isInside ? [] : ["\(place): \(number) breaks the \(keyword) \(limit)"]
    case "pattern":
      guard let text = value as? String, let pattern = rule as? String else { return [] }
      let matches = text.range(of: pattern, options: .regularExpression) != nil
      return matches ? [] : ["\(place): \(text) does not match \(pattern)"]
    case "required":
      guard let object = value as? [String: Any] else { return [] }
      return (rule as? [String] ?? []).filter { object[$0] == nil }.map { "\(place): no \($0)" }
    case "properties", "additionalProperties":
      return members(keyword, rule, value, schema, at: place)
    case "items":
      guard let array = value as? [Any], let rule = rule as? [String: Any] else { return [] }
      return array.indices.flatMap { check(array[$0], rule, at: "\(place)[\($0)]") }
    case "oneOf":
      let results = (rule as? [[String: Any]] ?? []).map { check(value, $0, at: place) }
      let fits = results.count(where: \.isEmpty)
      return fits == 1 ? [] : ["\(place): fits \(fits) of \(results.count): \(results)"]
    case "$ref":
      let name = (rule as? String ?? "").replacingOccurrences(of: "#/$defs/", with: "")
      guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
        return ["\(place): no $defs/\(name)"]
      }
      return check(value, target, at: place)
    default: return ["\(place): the keyword \(keyword) is not known to this validator"]
    }
  }

  private func members(
    _ keyword: String, _ rule: Any, _ value: Any, _ schema: [String: Any], at place: String
  ) -> [String] {
    guard let object = value as? [String: Any] else { return [] }
    let known = schema["properties"] as? [String: Any] ?? [:]
    if keyword == "properties" {
      return known.keys.sorted().flatMap { key -> [String] in
        guard let member = object[key], let rule = known[key] as? [String: Any] else { return [] }
        return check(member, rule, at: "\(place).\(key)")
      }
    }
    let others = object.keys.filter { known[$0] == nil }.sorted()
    if let rule = rule as? [String: Any] {
      return others.flatMap { check(object[$0] as Any, rule, at: "\(place).\($0)") }
    }
    return rule as? Bool == false ? others.map { "\(place): \($0) is not in the schema" } : []
  }

  private static func `is`(_ value: Any, _ type: String) -> Bool {
    let isBool = (value as? NSNumber).map { CFGetTypeIDIsBoolean($0) } ?? false
    return switch type {
    case "null": value is NSNull
    case "boolean": isBool
    case "number": !isBool && value is NSNumber
    case "integer":
      !isBool && (value as? NSNumber).map { $0.doubleValue.rounded() == $0.doubleValue } ?? false
    case "string": value is String
    case "array": value is [Any]
    case "object": value is [String: Any]
    default: false
    }
  }

  private static func CFGetTypeIDIsBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }

  private static func equal(_ a: Any, _ b: Any) -> Bool {
    switch (a, b) {
    case (is NSNull, is NSNull): true
    case (let a as String, let b as String): a == b
    case (let a as NSNumber, let b as NSNumber): a == b
    case (let a as [Any], let b as [Any]):
      a.count == b.count && zip(a, b).allSatisfy { equal($0, $1) }
    default: false
    }
  }
}
