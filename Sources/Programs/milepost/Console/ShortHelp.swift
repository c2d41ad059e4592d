// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import Reports

/// The answer to `-h`: what a command does, and one line for each of its options or commands.
///
/// A line is the first clause of what `--help` says, which is complete: nothing is written twice. What does not fit
/// ends at a comma.
struct ShortHelp {
  /// A name and what it stands for.
  private struct Line {
    let name: String
    let text: String
    /// The words that it takes, said where there is room.
    var choices = ""
  }

  private static let width = 80
  /// The longest name with its text on the same line.
  private static let longestName = 30

  private let command: any ParsableCommand.Type
  private let path: [String]

  /// `path` is what is typed for the command.
  init(of command: any ParsableCommand.Type, path: [String]) {
    (self.command, self.path) = (command, path)
  }

  var text: String {
    let groups = command.configuration.groupedSubcommands
    let parts =
      groups.isEmpty
      ? [("", commands(command.configuration.subcommands)), ("", options)]
      : groups.map { ($0.name, commands($0.subcommands)) } + [("", options)]
    let lines = parts.flatMap(\.1)
    let column = 2 + (lines.map(\.name.count).filter { $0 <= Self.longestName }.max() ?? 0) + 2
    let body = parts.filter { !$0.1.isEmpty }.map { title, lines in
      (title.isEmpty ? "" : title + "\n") + lines.map { Self.text($0, column) }.joined()
    }
    let name = path.joined(separator: " ")
    let last =
      groups.isEmpty
      ? "\(name) --help tells more.\n"
      : "\(name) TRACE is \(name) compare TRACE.\n"
        + "\(name) COMMAND -h says what a command can do, --help says all of it.\n"
    return ([head] + body + [last]).joined(separator: "\n")
  }

  private var head: String {
    let about = Self.wrapped(command.configuration.abstract)
    let usage = Milepost.usageString(for: command)
    return usage.isEmpty ? about : about + "\nUsage: \(usage)\n"
  }

  private static func wrapped(_ text: String) -> String {
    ScreenLines.wrapped(text, indent: 0, width: width).map { $0 + "\n" }.joined()
  }

  private static func text(_ line: Line, _ column: Int) -> String {
    let name = "  " + line.name
    let gap =
      name.count + 2 > column
      ? "\n" + String(repeating: " ", count: column)
      : String(repeating: " ", count: column - name.count)
    var text = line.text[...]
    while text.count > width - column, let comma = text.lastIndex(of: ",") { text = text[..<comma] }
    let choices = line.choices.isEmpty ? "" : " (\(line.choices))"
    if text.count + choices.count <= width - column { text += choices }
    return name + (text.isEmpty ? "" : gap + text) + "\n"
  }

  private func commands(_ commands: [any ParsableCommand.Type]) -> [Line] {
    commands.filter { $0.configuration.shouldDisplay }.map {
      Line(name: $0._commandName, text: Self.clause($0.configuration.abstract))
    }
  }

  /// The arguments, then the options, as the parser describes them.
  private var options: [Line] {
    let dump = Array(command._dumpHelp().utf8)
    let arguments = (try? JSONValue.parse(dump.span))?["command"]?["arguments"]?.array ?? []
    let shown = arguments.filter { $0["shouldDisplay"]?.bool == true }
    return shown.filter { $0["kind"]?.string == "positional" }.map(Self.line)
      + shown.filter { $0["kind"]?.string != "positional" }.map(Self.line)
  }

  private static func line(_ argument: JSONValue) -> Line {
    let value = "<\(argument["valueName"]?.string ?? "")>"
    let about = clause(argument["abstract"]?.string ?? "")
    guard argument["kind"]?.string != "positional" else { return Line(name: value, text: about) }
    let names = (argument["names"]?.array ?? []).compactMap { name in
      name["name"]?.string.map { (name["kind"]?.string == "short" ? "-" : "--") + $0 }
    }
    let name =
      names.sorted { $0.count < $1.count }.joined(separator: ", ")
      + (argument["kind"]?.string == "option" ? " " + value : "")
    if names.contains("--help") { return Line(name: name, text: "This list, or all of it") }
    let choices = (argument["allValues"]?.array ?? []).compactMap(\.string)
    return Line(name: name, text: about, choices: choices.joined(separator: ", "))
  }

  /// The text up to the first full stop, colon, semicolon or bracket.
  static func clause(_ text: String) -> String {
    var clause = text[...]
    for end in [". ", ": ", "; ", " ("] {
      if let found = clause.firstRange(of: end) { clause = clause[..<found.lowerBound] }
    }
    return String(clause.hasSuffix(".") ? clause.dropLast() : clause)
  }
}
