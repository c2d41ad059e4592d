// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The documents that the daemon answers its user with.
package enum DocumentClass: String, Sendable, CaseIterable {
  case status = "STATUS"
  case apps = "APPS"
  case app = "APP"
  case log = "LOG"
  case explanation = "EXPLANATION"
  case events = "EVENTS"

  /// The schema that the document says it follows.
  package var schema: String {
    switch self {
    case .status: "milepost.status/1"
    case .apps: "milepost.apps/1"
    case .app: "milepost.app/1"
    case .log: "milepost.app-log/1"
    case .explanation: "milepost.explanation/1"
    case .events: "milepost.app-events/1"
    }
  }
}

/// A document: a value that is written as one JSON object and read back as the same value, with times
/// to the millisecond.
package protocol ControlDocument: Sendable, Equatable {
  static var documentClass: DocumentClass { get }
  /// Writes the members behind `class` and `schema`.
  func writeMembers(into json: inout JSONWriter)
  init(reading object: ObjectReader) throws(ProtocolError)
}

extension ControlDocument {
  /// One line of JSON, without a line end.
  package var json: String {
    var json = JSONWriter()
    json.object { json in
      json.member("class", Self.documentClass.rawValue)
      json.member("schema", Self.documentClass.schema)
      writeMembers(into: &json)
    }
    return json.text
  }

  /// The document as the answer to a client.
  package var message: ServerMessage { .document(json: json) }

  /// Reads what `json` wrote; members that are not known are passed over.
  package init(json text: String) throws(ProtocolError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue.parse(text)
    } catch {
      throw ProtocolError("no JSON document: \(error.message) at byte \(error.offset + 1)")
    }
    let name = Self.documentClass.rawValue
    guard value["class"]?.string == name else {
      throw ProtocolError("no document of the class \(name)")
    }
    try self.init(reading: try ObjectReader(value, name: name))
  }
}

extension JSONWriter {
  mutating func exactMember(_ name: String, _ value: Double?) {
    key(name)
    exact(value)
  }

  mutating func strings(_ name: String, _ values: [String]) {
    key(name)
    array { json in for value in values { json.string(value) } }
  }

  mutating func objects<T>(
    _ name: String, _ values: [T], _ members: (T, inout JSONWriter) -> Void
  ) {
    key(name)
    array { json in
      for value in values { json.object { members(value, &$0) } }
    }
  }

  mutating func count(_ name: String, _ value: UInt64) { member(name, Int(clamping: value)) }
}
