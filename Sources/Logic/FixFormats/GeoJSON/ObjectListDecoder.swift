// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A decoder of a document that is a list of JSON objects, each of which is read for itself.
///
/// One that is longer than the splitter's limit ends the reading, one that is no JSON is refused, and of a document that
/// ends early the objects before its end are read.
package protocol ObjectListDecoder: TraceDecoder {
  var objects: FeatureSplitter { get set }
  var intake: PointIntake { get set }
  var isStrict: Bool { get }
  /// What an object is called: `feature`.
  static var objectName: String { get }
  /// Takes an object; `objects` has the line on which it ends.
  mutating func takeObject(_ object: JSONValue, into events: inout [TraceEvent])
    throws(TraceError)
}

extension ObjectListDecoder {
  package var ledger: TraceLedger { intake.ledger }

  package mutating func decode(
    _ bytes: borrowing Span<UInt8>, into events: inout [TraceEvent]
  ) throws(TraceError) {
    var position = 0
    while objects.next(bytes, from: &position) { try takeText(into: &events) }
    if objects.isTooLong {
      throw TraceError(
        .limit, line: objects.line, "a \(Self.objectName) is longer than \(objects.limit) bytes")
    }
  }

  package mutating func finish(into events: inout [TraceEvent]) throws(TraceError) {
    if objects.isOpen {
      if isStrict {
        throw TraceError(.malformed, line: objects.line, "the document ends early")
      }
      intake.ledger.note(
        "truncated", "the document ends early; the \(Self.objectName)s before its end were read",
        line: objects.line)
    }
    try intake.finish(into: &events)
  }

  private mutating func takeText(into events: inout [TraceEvent]) throws(TraceError) {
    let text = objects.object
    let object: JSONValue
    do throws(SyntaxError) {
      object = try JSONValue.parse(text.span)
    } catch {
      return try intake.refuse(
        "malformed JSON", line: objects.line, "in this \(Self.objectName), \(error.message)")
    }
    try takeObject(object, into: &events)
  }
}
