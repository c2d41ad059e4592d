// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Files
import FixFormats
import JSONText
import LocationModel
import Settings
import TraceFiles

@main
struct Milepost: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "milepost",
    abstract: "What the five ways of background location cost, and what they miss.",
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
    version: Release.version,
    subcommands: commands, defaultSubcommand: namesCommand ? nil : Compare.self)

  private static let commands: [any ParsableCommand.Type] = [
    Compare.self, Advise.self, Replay.self, Info.self, Convert.self, Meter.self, Score.self,
    Profiles.self, Track.self, Status.self, ScenarioCommand.self, Web.self, Dash.self,
    HistoryCommand.self, Apps.self,
    Sinks.self, Explain.self, Doctor.self, Forget.self, Anonymise.self, Schema.self,
  ]

  /// Whether the first word is a command. The parser queries a default command for all its options, needed or not,
  /// which was more than half of the start of every other; so if a command is named, there is no default.
  private static let namesCommand =
    CommandLine.arguments.dropFirst().first.map { word in
      commands.contains { $0._commandName == word }
    } ?? false

  static func main() {
    do {
      guard let words = CommandLineWords.given else {
        throw Complaint(CommandLineWords.unreadable)
      }
      if words.isEmpty { throw CleanExit.helpRequest() }
      // This needs no parser, and scripts call it often.
      if Array(words) == ["--version"] { return try Console.standardOutput(Release.version + "\n") }
      try checkCommands(words)
      var command = try parseAsRoot()
      try command.run()
    } catch {
      Exit(error, of: Self.self).exit()
    }
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
