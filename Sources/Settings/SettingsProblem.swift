// SPDX-License-Identifier: Apache-2.0

/// One thing that is wrong in a file of settings: where, with which value, what is allowed instead.
package struct SettingsProblem: Sendable, Equatable {
  /// The file, as it is called in messages.
  package let file: String
  /// Keys from the outermost to the one that is wrong, `gpsd_listeners[1].port`; empty for the whole file.
  package let path: String
  /// What is wrong with which value, and what to do; no final full stop.
  package let message: String

  package init(file: String, path: String, message: String) {
    self.file = file
    self.path = path
    self.message = message
  }

  /// `walker.toml: kind: 'handlr' is not one of handler, connected; did you mean 'handler'?`
  package var text: String {
    path.isEmpty ? "\(file): \(message)" : "\(file): \(path): \(message)"
  }
}

/// Everything that is wrong in a file of settings, found in one reading.
package struct SettingsError: Error, Sendable, Equatable {
  /// At least one, in the order in which a reader of the file's documentation meets the keys.
  package let problems: [SettingsProblem]

  package init(problems: [SettingsProblem]) { self.problems = problems }

  /// One line per problem; no final line feed.
  package var message: String { problems.map(\.text).joined(separator: "\n") }
}
