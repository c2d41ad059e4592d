// SPDX-License-Identifier: Apache-2.0

package import JSONText

// The schema of the wire, made from the tables that read and write it, so that another client can be checked by
// machine. `Tools/check-protocol` does.

extension ClientMessage {
  /// An object with one member: the message's name, and the value after its `=`.
  ///
  /// `?ACK={"sequence":3};` is `{"ACK":{"sequence":3}}`, and `?DONE;` is `{"DONE":{}}`. A member that may be
  /// null may be absent too, and `?WATCH` takes more of gpsd's members than are listed.
  package static var schema: JSONSchema {
    let id = JSONShape.Member(
      name: "id", shape: .oneOf([.text, .whole(JSONShape.exactWholes)]), isRequired: false)
    return JSONSchema(
      "milepost.control-client/1",
      "What a client says to milepostd: the name of a message, and the object behind its =.",
      .oneOf(
        forms.map { form in
          .object([
            .init(name: form.word, shape: .object(form.members + [id]), isRequired: true)
          ])
        }))
  }
}

extension ServerMessage {
  /// One line; documents have separate schemas (`ControlDocument`).
  package static var schema: JSONSchema {
    JSONSchema(
      "milepost.control-daemon/1",
      "A line that milepostd says to a client; documents have schemas of their own: "
        + DocumentClass.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      .oneOf(
        forms.map { form in
          let name = JSONShape.Member(
            name: "class", shape: .constant(.string(form.word)), isRequired: true)
          let id = JSONShape.Member(name: "id", shape: .text, isRequired: false)
          return .object([name] + form.members + [id])
        }))
  }
}
