// SPDX-License-Identifier: Apache-2.0

/// What a keeper is told about the app that it starts: lines of `key value`, read once from a
/// nameless file that the daemon hands over as a descriptor.
package struct KeeperStart: Sendable, Equatable {
  package var app: String
  package var command: [String]
  /// The whole environment.
  package var environment: [String: String]
  package var directory: String
  package var means: FreezeMeans
  /// Seconds after which it is ended; `nil` is never.
  package var timeLimit: Double?
  /// Seconds for which it stays frozen without a daemon.
  package var holdsFrozen: Double
  /// Bytes of a log file; there are at most two of them.
  package var logLimit: Int

  package init(
    app: String, command: [String], environment: [String: String], directory: String,
    means: FreezeMeans, timeLimit: Double?, holdsFrozen: Double, logLimit: Int
  ) {
    self.app = app
    self.command = command
    self.environment = environment
    self.directory = directory
    self.means = means
    self.timeLimit = timeLimit
    self.holdsFrozen = holdsFrozen
    self.logLimit = logLimit
  }

  package var text: String {
    var lines = [
      "app \(Words.escaped(app))", "directory \(Words.escaped(directory))",
      "means \(means.rawValue)", "hold \(holdsFrozen)", "log \(logLimit)",
    ]
    if let timeLimit { lines.append("limit \(timeLimit)") }
    lines += command.map { "argument \(Words.escaped($0))" }
    lines += environment.sorted { $0.key < $1.key }.map {
      "variable \(Words.escaped($0.key))=\(Words.escaped($0.value))"
    }
    return lines.joined(separator: "\n") + "\nend\n"
  }

  /// `nil` if it is incomplete or unintelligible.
  package init?(text: String) {
    self.init(
      app: "", command: [], environment: [:], directory: "", means: .signals, timeLimit: nil,
      holdsFrozen: 0, logLimit: 0)
    var isWhole = false
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = parts.first, key != "end" else {
        isWhole = true
        break
      }
      guard parts.count == 2, takeOption(key, parts[1]) else { return nil }
    }
    guard isWhole, !app.isEmpty, !command.isEmpty else { return nil }
  }

  private mutating func takeOption(_ key: Substring, _ value: Substring) -> Bool {
    switch key {
    case "app": app = Words.unescaped(value)
    case "directory": directory = Words.unescaped(value)
    case "means":
      guard let known = FreezeMeans(rawValue: String(value)) else { return false }
      means = known
    case "hold":
      guard let seconds = Double(value) else { return false }
      holdsFrozen = seconds
    case "limit":
      guard let seconds = Double(value) else { return false }
      timeLimit = seconds
    case "log":
      guard let bytes = Int(value) else { return false }
      logLimit = bytes
    case "argument": command.append(Words.unescaped(value))
    case "variable":
      let pair = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { return false }
      environment[Words.unescaped(pair[0])] = Words.unescaped(pair[1])
    default: return false
    }
    return true
  }
}
