// SPDX-License-Identifier: Apache-2.0

/// One process to start.
package struct ProcessStart: Sendable, Equatable, Codable {
  /// An `AppName`.
  package var app: String
  /// The program, a path or a name on PATH, and its arguments. A relative path begins at `directory`.
  package var command: [String]
  /// Added to the service's environment, without systemd's variables for a service.
  package var environment: [String: String]
  package var directory: String
  /// Given on stdin, then closed; `nil` is no input. At most 1 MiB.
  @TextBytes package var input: [UInt8]?
  /// Seconds of running (being frozen does not count) after which it is ended; `nil` is never.
  package var timeLimit: Double?

  package init(
    app: String, command: [String], environment: [String: String], directory: String,
    input: [UInt8]? = nil, timeLimit: Double? = nil
  ) {
    self.app = app
    self.command = command
    self.environment = environment
    self.directory = directory
    self.input = input
    self.timeLimit = timeLimit
  }
}

/// Bytes that are written as text, if they are valid text.
@propertyWrapper
package struct TextBytes: Sendable, Equatable, Codable {
  package var wrappedValue: [UInt8]?

  package init(wrappedValue: [UInt8]?) { self.wrappedValue = wrappedValue }

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      wrappedValue = Array(text.utf8)
    } else {
      wrappedValue = try value.decode([UInt8]?.self)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    if let wrappedValue, let text = String(validating: wrappedValue, as: UTF8.self) {
      try value.encode(text)
    } else {
      try value.encode(wrappedValue)
    }
  }
}
