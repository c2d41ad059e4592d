// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import LocationModel
import TraceFiles

@main
struct Milepost: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "milepost",
    abstract: "What the three ways of background location cost, and what they miss.",
    discussion: """
      Milepost replays a recorded trace (\(TraceFormat.namesRead("or"))) \
      through the life of an app: standard updates, significant-change monitoring and continuous \
      background updates, and meters the modelled energy of radios and processor.

      Start with: milepost trip.gpx, which is milepost compare trip.gpx

      Live it needs gpsd: track follows it in one mode and doctor says why there is no fix; the service \
      milepostd runs apps by what it hears, and apps, status and explain speak to it.

      Data goes to standard output, words for people to standard error, and - is standard input or \
      output. Exit codes: 0 done, 1 a negative answer, 2 an error. Shell completions: milepost \
      --generate-completion-script bash (or zsh, fish).
      """,
    version: Release.version,
    subcommands: [
      Compare.self, Advise.self, Replay.self, Info.self, Convert.self, Meter.self, Score.self,
      Profiles.self, Track.self, Status.self, Web.self, Dash.self, HistoryCommand.self, Apps.self,
      Sinks.self, Explain.self, Doctor.self, Forget.self, Anonymise.self, Schema.self,
    ], defaultSubcommand: Compare.self)

  static func main() {
    do {
      let words = CommandLine.arguments.dropFirst()
      if words.isEmpty { throw CleanExit.helpRequest() }
      try checkCommand(words.first == "help" ? words.dropFirst().first : words.first)
      var command = try parseAsRoot()
      try command.run()
    } catch {
      Ending(error, of: Self.self).exit()
    }
  }

  /// Says which commands there are, where the first word is none and no file's name.
  private static func checkCommand(_ word: String?) throws {
    let names = configuration.subcommands.map { $0._commandName } + ["help"]
    guard let word, !word.hasPrefix("-"), !names.contains(word),
      !word.contains("."), !word.contains("/")
    else { return }
    let near = names.min { distance($0, word) < distance($1, word) }
    let guess = near.flatMap { distance($0, word) <= 2 ? "; did you mean '\($0)'" : nil }
    throw Complaint(
      "there is no command '\(word)'\(guess ?? ""); commands: \(names.joined(separator: ", ")) (to "
        + "compare the modes over a trace: milepost TRACE)")
  }

  /// The letters that must be changed, left out or put in to make one word of the other (Levenshtein).
  private static func distance(_ a: String, _ b: String) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var corner = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, corner + (x == y ? 0 : 1))
        corner = above
      }
    }
    return row[b.count]
  }
}
