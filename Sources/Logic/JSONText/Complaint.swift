// SPDX-License-Identifier: Apache-2.0

/// An error in words for people: the fault, its place, the value and the remedy; no final full stop.
package struct Complaint: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) { self.message = message }

  /// A fault of the input of that name: `walk.nmea:1204: …`.
  package init(_ error: InputError, in name: String) {
    self.init(name + (error.line.map { ":\($0)" } ?? "") + ": \(error.message)")
  }

  package var description: String { message }
}

/// The reason why an input cannot be read; its reader does not know the input's name.
package struct InputError: Error, Sendable, Equatable {
  /// 1-based; `nil` if no line is at fault.
  package let line: Int?
  /// The fault, the value and the remedy; no final full stop.
  package let message: String

  package init(line: Int? = nil, _ message: String) {
    self.line = line
    self.message = message
  }
}

/// The reason why a text is not of its format, such as JSON, and the byte.
package struct SyntaxError: Error, Sendable, Equatable {
  /// 0-based offset of the byte at which reading stopped.
  package let offset: Int
  /// The fault there, as a phrase.
  package let message: String

  package init(_ offset: Int, _ message: String) {
    self.offset = offset
    self.message = message
  }
}
