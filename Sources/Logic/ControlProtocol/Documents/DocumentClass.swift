// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The documents in the daemon's answers to its user.
package enum DocumentClass: String, Sendable, CaseIterable {
  case status = "STATUS"
  case apps = "APPS"
  case app = "APP"
  case log = "LOG"
  case explanation = "EXPLANATION"
  case events = "EVENTS"
  case sinks = "SINKS"
  case sinkTrial = "SINK_TRIAL"
  case overview = "OVERVIEW"
  case history = "HISTORY"
  case forgotten = "FORGOTTEN"

  /// The schema of the document.
  package var schema: String {
    switch self {
    case .status: "milepost.status/1"
    case .apps: "milepost.apps/1"
    case .app: "milepost.app/1"
    case .log: "milepost.app-log/1"
    case .explanation: "milepost.explanation/1"
    case .events: "milepost.app-events/1"
    case .sinks: "milepost.sinks/1"
    case .sinkTrial: "milepost.sink-trial/1"
    case .overview: "milepost.overview/1"
    case .history: "milepost.history/1"
    case .forgotten: "milepost.forgotten/1"
    }
  }
}

/// A document: a value that is written as one JSON object and read back as the same value, with times
/// to the millisecond.
package protocol ControlDocument: JSONObject, Equatable {
  static var documentClass: DocumentClass { get }
}

extension ControlDocument {
  /// The shape of a whole document.
  package static var documentShape: JSONShape {
    JSONTable<Self> { document in
      document.constant("class", .string(documentClass.rawValue))
      document.constant("schema", .string(documentClass.schema))
      document.include(\.self, table)
    }.shape
  }

  /// One line of JSON, without a line end.
  package var json: String {
    var json = JSONWriter()
    json.object { json in
      json.member("class", Self.documentClass.rawValue)
      json.member("schema", Self.documentClass.schema)
      Self.table.writeMembers(of: self, into: &json)
    }
    return json.text
  }

  /// The document as the answer to a client.
  package var message: ServerMessage { .document(json: json) }

  /// Reads the output of `json`; unknown members are skipped.
  package init(json text: String) throws(ProtocolError) {
    let value: JSONValue
    do throws(SyntaxError) {
      value = try JSONValue.parse(text)
    } catch {
      throw ProtocolError("no JSON document: \(error.message) at byte \(error.offset + 1)")
    }
    let name = Self.documentClass.rawValue
    guard value["class"]?.string == name else {
      throw ProtocolError("no document of the class \(name)")
    }
    do throws(InputError) {
      self = try Self.table.read(object: JSONObjectReader(value, name: name), into: Self.empty)
    } catch {
      throw ProtocolError(error)
    }
  }
}
