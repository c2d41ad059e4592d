// SPDX-License-Identifier: Apache-2.0

/// One fault in a file of settings: the place, the value, the allowed values.
package struct SettingsProblem: Sendable, Equatable {
  /// The file's name in messages.
  package let file: String
  /// Keys from the outermost to the faulty one, `gpsd_listeners[1].port`; empty for the whole file.
  package let path: String
  /// The fault and the value, and a remedy; no final full stop.
  package let message: String
  /// The line of the file, from 1; `nil` if the form of the file does not provide it.
  package let line: Int?

  package init(file: String, path: String, message: String, line: Int? = nil) {
    self.file = file
    self.path = path
    self.message = message
    self.line = line
  }

  /// `walker.yaml: kind: 'handlr' is not one of handler, connected; did you mean 'handler'?`, or `night.yaml:12:
  /// then[3].do: …` if the line is known.
  package var text: String {
    let place = file + (line.map { ":\($0)" } ?? "")
    return path.isEmpty ? "\(place): \(message)" : "\(place): \(path): \(message)"
  }

  /// The same with the line of its key, or of the nearest table around it that `lines` knows: by path, from
  /// 1.
  func located(by lines: [String: Int]) -> SettingsProblem {
    var path = path[...]
    while lines[String(path)] == nil, let end = path.lastIndex(where: { ".[".contains($0) }) {
      path = path[..<end]
    }
    return SettingsProblem(
      file: file, path: self.path, message: message, line: lines[String(path)] ?? lines[""])
  }
}

/// All faults in a file of settings, found in one reading.
package struct SettingsError: Error, Sendable, Equatable, CustomStringConvertible {
  /// At least one, in the order in which a reader of the file's documentation meets the keys.
  package let problems: [SettingsProblem]

  package init(problems: [SettingsProblem]) { self.problems = problems }

  /// The same, each problem with its line; `lines` are those of keys, by path.
  package func located(by lines: [String: Int]) -> SettingsError {
    SettingsError(problems: problems.map { $0.located(by: lines) })
  }

  /// One line per problem; no final line feed.
  package var message: String { problems.map(\.text).joined(separator: "\n") }

  package var description: String { message }
}
