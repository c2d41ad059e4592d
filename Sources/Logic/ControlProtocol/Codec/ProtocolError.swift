// SPDX-License-Identifier: Apache-2.0

import JSONText

/// The reason why bytes are no message: the fault, the place, the value, and the expectation.
package struct ProtocolError: Error, Sendable, Equatable {
  package let code: ServerMessage.ErrorCode
  package let message: String
  /// The name, without its `?`, if no message has it.
  package private(set) var unknownName: String?

  package init(_ message: String, code: ServerMessage.ErrorCode = .malformed) {
    self.code = code
    self.message = message
  }

  init(unknownName name: String, among known: [String]) {
    self.init("there is no message ?\(name); there are \(known.joined(separator: ", "))")
    unknownName = name
  }

  init(_ error: InputError) { self.init(error.message) }

  /// The error as sent to the client.
  package var answer: ServerMessage { .error(code: code, message) }
}
