// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The reason why reading of a trace stopped. A malformed line is not one of these: it is counted and skipped.
package struct TraceError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    /// No format was recognised.
    case unrecognised
    /// A binary receiver protocol.
    case binary
    /// Points without times, and no `--point-interval`.
    case noTimes
    /// Times of day without any date, and no `--date`.
    case noDate
    /// `--strict`, and a fault.
    case malformed
    /// A stated limit was exceeded (line length, nesting, entity expansion).
    case limit
  }

  package let code: Code
  /// 1-based line, if one is at fault.
  package let line: Int?
  /// The fault, the value, and a remedy; no file name, no line, no final full stop.
  package let message: String

  package init(_ code: Code, line: Int? = nil, _ message: String) {
    self.code = code
    self.line = line
    self.message = message
  }

  /// Without the code.
  package var asInput: InputError { InputError(line: line, message) }
}
