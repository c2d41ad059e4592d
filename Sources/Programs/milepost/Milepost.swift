// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import Host
import JSONText
import LocationModel
import ServiceContract
import TraceFiles

@main
struct Milepost: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "milepost",
    abstract: "Say what background location costs, and what it misses.",
    discussion: """
      Milepost replays a recorded trace (\(TraceFormat.namesRead("or"))) \
      through the life of an app: standard and continuous updates, significant changes, visits and \
      regions, and meters the modelled energy of radios and processor.

      Start with: milepost trip.gpx, which is milepost compare trip.gpx

      Live it needs gpsd: track follows it in one mode and doctor says why there is no fix; the service \
      milepostd runs apps by what it hears, and apps, status and explain speak to it.

      Data goes to standard output, words for people to standard error, and - is standard input or \
      output. Exit codes: 0 done, 1 a negative answer, 2 an error. Shell completions: milepost \
      --generate-completion-script bash (or zsh, fish).
      """,
    groupedSubcommands: groups, defaultSubcommand: namesCommand ? nil : Compare.self)

  private static let groups = [
    CommandGroup(
      name: "A trip",
      subcommands: [
        Compare.self, Replay.self, TestCommand.self, Info.self, Convert.self, Score.self,
        Meter.self,
        Profiles.self, Anonymise.self,
      ]),
    CommandGroup(
      name: "Live",
      subcommands: [
        Track.self, Doctor.self, Status.self, Dash.self, HistoryCommand.self, Web.self,
        Explain.self, Apps.self, Sinks.self, Forget.self, ScenarioCommand.self,
      ]),
    CommandGroup(name: "For programs", subcommands: [Schema.self]),
  ]

  /// Whether the first word is a command. The parser queries a default command for all its options, needed or not,
  /// which was more than half of the start of every other; so if a command is named, there is no default.
  private static let namesCommand =
    CommandLine.arguments.dropFirst().first.map { word in
      groups.contains { $0.subcommands.contains { $0._commandName == word } }
    } ?? false

  /// Not by the parser's own flag, which every command would have too.
  @Flag(help: "Show the version.") var version = false

  static func main() {
    do {
      guard let words = CommandLineWords.given else {
        throw Complaint(CommandLineWords.unreadable)
      }
      if let text = answer(to: Array(words)) { return try Console.standardOutput(text) }
      try checkCommands(words)
      var command = try parseAsRoot()
      try command.run()
    } catch {
      Exit(error, of: Self.self).exit()
    }
  }

  /// What needs no parser: short help, the version, a shell's script; `nil` for all else.
  private static func answer(to words: [String]) -> String? {
    if words.isEmpty { return ShortHelp(of: self, path: ["milepost"]).text }
    if words.first == "--generate-completion-script", words.count == 2 {
      return CompletionShell(rawValue: words[1]).map(CompletionScript.text)
    }
    let options = words.prefix { $0 != "--" }
    guard options.contains("-h") || options.contains("--version") else { return nil }
    let (command, path) = command(of: words)
    // milepostd has options of its own.
    if command == Track.self || command == Doctor.self { return nil }
    return options.contains("-h")
      ? ShortHelp(of: command, path: path).text : Release.version + "\n"
  }

  /// The command that these words begin with, and what is typed for it.
  private static func command(
    of words: [String]
  ) -> (any ParsableCommand.Type, path: [String]) {
    var (command, path): (any ParsableCommand.Type, [String]) = (self, ["milepost"])
    for word in words {
      guard
        let next = command.configuration.subcommands.first(where: { $0._commandName == word })
      else { break }
      (command, path) = (next, path + [word])
    }
    let isTrace = path.count == 1 && words.first.map { !$0.hasPrefix("-") } ?? false
    return isTrace ? (Compare.self, path + ["compare"]) : (command, path)
  }

  /// Lists the commands if the given word is none; the first word may be a file's name.
  private static func checkCommands(_ words: some Collection<String>) throws {
    let words = words.first == "help" ? Array(words.dropFirst()) : Array(words)
    var group: any ParsableCommand.Type = self
    for (place, word) in words.enumerated() {
      let commands = group.configuration.subcommands
      guard !commands.isEmpty, !word.hasPrefix("-") else { return }
      if let command = commands.first(where: { $0._commandName == word }) {
        group = command
        continue
      }
      guard place > 0 || word != "help" && !word.contains(".") && !word.contains("/") else {
        return
      }
      let names = commands.map { $0._commandName } + (place == 0 ? ["help"] : [])
      let guess = NearestName.of(word, among: names).map { "; did you mean '\($0)'" } ?? ""
      let path = words[...place].joined(separator: " ")
      let advice = place == 0 ? " (to compare the modes over a trace: milepost TRACE)" : ""
      throw Complaint(
        "there is no command '\(path)'\(guess); commands: \(names.joined(separator: ", "))\(advice)"
      )
    }
  }
}
