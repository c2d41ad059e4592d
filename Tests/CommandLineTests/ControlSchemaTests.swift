// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The page about the control protocol follows the schemas")
struct ControlSchemaTests {
  private static let documents = [
    "STATUS": "status", "APPS": "apps", "APP": "app", "LOG": "app-log",
    "EXPLANATION": "explanation", "EVENTS": "app-events", "OVERVIEW": "overview",
    "HISTORY": "history", "SINKS": "sinks", "SINK_TRIAL": "sink-trial", "FORGOTTEN": "forgotten",
  ]

  private func lines(_ marks: String...) throws -> [String] {
    let page = Package.root.appendingPathComponent(
      "Sources/Programs/milepost/Milepost.docc/ControlProtocol.md")
    return try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
      .filter { line in marks.contains { line.hasPrefix($0) } }.map { String($0.dropFirst(2)) }
  }

  @Test("Each line that the daemon says there fits; each class has an example")
  func daemon() throws {
    let schema = try SchemaValidator("control-daemon")
    var classes: Set<String> = []
    for line in try lines("< {") {
      var object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let name = try #require(object["class"] as? String)
      classes.insert(name)
      if let document = Self.documents[name] {
        object["id"] = nil
        #expect(try SchemaValidator(document).errors(in: object) == [], "\(line)")
      } else {
        #expect(schema.errors(in: object) == [], "\(line)")
      }
    }
    // The documents are shown by `milepost ... --json`.
    #expect(
      schema.names(of: { ($0["class"] as? [String: Any])?["const"] }).subtracting(classes) == [])
  }

  @Test("So does each line that a client says; each message has an example")
  func client() throws {
    let schema = try SchemaValidator("control-client")
    var names: Set<String> = []
    let all = try lines("> ?", "< {")
    for (line, next) in zip(all, all.dropFirst() + [""]) where line.hasPrefix("?") {
      // One that is deliberately wrong.
      if [#""code":"malformed""#, "are the least"].contains(where: next.contains) { continue }
      let parts = line.dropFirst().dropLast().split(separator: "=", maxSplits: 1)
      let name = String(parts[0])
      names.insert(name)
      let text = parts.count > 1 ? String(parts[1]) : "{}"
      let members = try JSONSerialization.jsonObject(with: Data(text.utf8))
      #expect(schema.errors(in: [name: members]) == [], "\(line)")
    }
    #expect(schema.names(of: { $0.keys.first }).subtracting(names) == [])
  }
}

extension SchemaValidator {
  /// What tells apart the forms of which a document has exactly one.
  fileprivate func names(of name: ([String: Any]) -> Any?) -> Set<String> {
    Set(forms.compactMap { name($0["properties"] as? [String: Any] ?? [:]) as? String })
  }
}
