// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The schemas are made from the tables by which documents are written and read (`JSONTableTests`). Three are kept here, so
/// that a change of how they are made shows in a diff; of the others a drawn document is judged.
@Suite("The JSON schemas")
struct SchemaFilesTests {
  private static let all =
    (try? Program.run(["schema"]).output.split(separator: "\n").map {
      String($0.prefix { $0 != " " })
    }) ?? []

  @Test(
    "Three are printed as they are kept here", arguments: ["manifest", "history", "sink-trial"])
  func sample(name: String) throws {
    try Golden.expect(try Program.run(["schema", name]).output, inFile: "Schemas/\(name).json")
  }

  @Test(
    "Each takes a document that is made by it, and none that lacks a member or has another",
    arguments: all)
  func judges(name: String) throws {
    let schema = try SchemaValidator(name)
    for form in schema.forms.isEmpty ? [schema.root] : schema.forms {
      var maker = SchemaSample(root: schema.root)
      let document = try #require(maker.value(of: form) as? [String: Any])
      #expect(schema.errors(in: document) == [])
      for member in form["required"] as? [String] ?? [] {
        var less = document
        less[member] = nil
        #expect(schema.errors(in: less) != [], "without \(member)")
      }
      guard form["additionalProperties"] as? Bool == false else { continue }
      var more = document
      more["something_else"] = 1
      #expect(schema.errors(in: more) != [])
    }
  }

  @Test("There are schemas, and a name that is none says which")
  func unknown() throws {
    #expect(Self.all.count >= 29)
    let answer = try Program.run(["schema", "stats"])
    #expect(answer.code == 2)
    #expect(
      answer.errors.hasPrefix("milepost: error: there is no schema 'stats'; schemas: app, ")
    )
  }
}

/// Makes a value for a schema: the least of each kind, every member present, one element in each array.
private struct SchemaSample {
  let root: [String: Any]

  mutating func value(of rule: [String: Any]) -> Any {
    if let constant = rule["const"] { return constant }
    if let words = rule["enum"] as? [Any] { return words.first ?? NSNull() }
    if let forms = rule["oneOf"] as? [[String: Any]] {
      return forms.first.map { value(of: $0) } ?? NSNull()
    }
    if let name = (rule["$ref"] as? String)?.replacingOccurrences(of: "#/$defs/", with: ""),
      let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any]
    {
      return value(of: target)
    }
    let type = (rule["type"] as? [String])?.first ?? rule["type"] as? String
    switch type {
    case "object":
      var object: [String: Any] = [:]
      for (name, member) in rule["properties"] as? [String: [String: Any]] ?? [:] {
        object[name] = value(of: member)
      }
      if let others = rule["additionalProperties"] as? [String: Any] {
        object["any"] = value(of: others)
      }
      return object
    case "array": return (rule["items"] as? [String: Any]).map { [value(of: $0)] } ?? []
    case "string": return rule["pattern"] == nil ? "text" : "2026-05-04T07:08:09.000Z"
    case "boolean": return true
    case "integer", "number": return rule["minimum"] ?? rule["maximum"] ?? 0
    default: return NSNull()
    }
  }
}
