// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@Suite("Help")
struct HelpTests {
  /// Every command's stands in the manual pages, which `ManualTests` compares.
  @Test("Help is what was reviewed", arguments: [[], ["compare"]])
  func help(command: [String]) throws {
    let answer = try Program.run(command + ["--help"])
    #expect(answer.code == 0)
    #expect(answer.errors.isEmpty)
    try Golden.expect(answer.output, is: (["help"] + command).joined(separator: "-"))
  }

  @Test("So is the help of milepostd")
  func serviceHelp() throws {
    let answer = try Program.run(["--help"], of: "milepostd")
    #expect(answer.code == 0)
    #expect(answer.errors.isEmpty)
    try Golden.expect(answer.output, is: "help-milepostd")
  }

  @Test("No help is wider than 80 columns", arguments: ["milepost", "milepostd"])
  func width(program: String) throws {
    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?
    }
    struct Dump: Decodable { let command: Command }
    let dump = try Program.run(["--experimental-dump-help"], of: program).output
    var waiting = [([String](), try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command)]
    var seen = 0
    while let (path, command) = waiting.popLast() {
      let help = try Program.run(path + ["--help"], of: program).output
      for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(path): \(line)") }
      seen += 1
      waiting += (command.subcommands ?? []).filter { $0.commandName != "help" }
        .map { (path + [$0.commandName], $0) }
    }
    // milepostd serve, track, doctor, config and itself.
    #expect(seen >= 5)
  }

  @Test(
    "Short help is what was reviewed",
    arguments: [[], ["compare"], ["replay"], ["convert"], ["apps"]])
  func shortHelp(command: [String]) throws {
    let answer = try Program.run(command + ["-h"])
    #expect(answer.code == 0 && answer.errors.isEmpty)
    try Golden.expect(answer.output, is: (["short-help"] + command).joined(separator: "-"))
  }

  @Test("-h has 40 lines of 80 columns at most, and names whatever --help names")
  func shortHelpIsShort() throws {
    for command in try Self.commands() where !["track", "doctor"].contains(command.first) {
      let short = try Program.run(command + ["-h"]).output
      #expect(short.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command): \(short)")
      #expect(short.count { $0 == "\n" } <= 40, "\(command)")
      #expect(
        Self.options(of: short) == Self.options(of: try Program.run(command + ["--help"]).output))
    }
  }

  @Test(
    "compare and replay have 30 options at most, and the help", arguments: ["compare", "replay"])
  func fewOptions(command: String) throws {
    #expect(Self.options(of: try Program.run([command, "--help"]).output).count <= 31)
  }

  /// The long names that a line begins with.
  private static func options(of help: String) -> Set<String> {
    Set(
      help.matches(of: #/(?m)^  (?:-\w, )?(--[\w-]+)/#).map { String($0.output.1) })
  }

  /// The words of all commands, `milepost` itself first.
  private static func commands() throws -> [[String]] {
    struct Command: Decodable {
      let commandName: String
      let subcommands: [Command]?

      var paths: [[String]] {
        [[]]
          + (subcommands ?? []).filter { $0.commandName != "help" }
          .flatMap { command in command.paths.map { [command.commandName] + $0 } }
      }
    }
    struct Dump: Decodable { let command: Command }
    let dump = try Program.run(["--experimental-dump-help"]).output
    let paths = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command.paths
    try #require(paths.count > 30)
    return paths
  }

  @Test("--help has the commands in three groups")
  func groups() throws {
    let help = try Program.run(["--help"]).output
    let heads = help.split(separator: "\n").filter { $0.hasSuffix("SUBCOMMANDS:") }
    #expect(heads == ["A TRIP SUBCOMMANDS:", "LIVE SUBCOMMANDS:", "FOR PROGRAMS SUBCOMMANDS:"])
  }

  @Test("Without a command the program says what it can do, and a version is a version")
  func bare() throws {
    let answer = try Program.run([])
    #expect(answer.code == 0)
    #expect(answer.output == (try Program.run(["-h"]).output))
    #expect(
      try Program.run(["trip.gpx", "-h"]).output == (try Program.run(["compare", "-h"]).output))
    for words in [["--version"], ["compare", "--version"]] {
      #expect(try Program.run(words).output == "\(Release.version)\n")
    }
  }

  @Test("Shells get their completions", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let answer = try Program.run(["--generate-completion-script", shell])
    #expect(answer.code == 0)
    #expect(answer.output.contains("milepost") && answer.output.contains("radio-log"))
  }

  @Test(
    "bash completes names of files where a file is asked for",
    arguments: [
      "compare tr", "compare --truth tr", "compare --baseline tr", "replay --world tr",
      "convert -o tr", "meter tr", "info tr", "apps add tr", "profiles import tr",
      "score trip.gpx tr",
      // A trace needs no word compare.
      "tr", "trip.gpx tr",
    ])
  func fileNames(line: String) throws {
    let scratch = try Scratch()
    _ = try scratch.write("trip.gpx", "")
    let answer = try Program.shell(
      """
      cd \(scratch.path("")) && eval "$($MILEPOST --generate-completion-script bash)"
      COMP_WORDS=(milepost \(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE="milepost \(line)"; COMP_POINT=${#COMP_LINE}
      _milepost milepost tr "${COMP_WORDS[COMP_CWORD-1]}"; echo "${COMPREPLY[*]}"
      """, in: scratch)
    #expect(answer.output.split(whereSeparator: \.isWhitespace).contains("trip.gpx"))
  }

  @Test(
    "bash completes the words that an option takes",
    arguments: [
      ("re", "replay"), ("trip.gpx --pro", "--profile"),
      ("compare --profile ph", "phone-2021-lte"), ("compare --network lt", "lte"),
      ("compare --era io", "ios13"), ("compare --for ar", "arrival"),
      ("replay --policy mi", "milepost"), ("replay --format js", "jsonl"), ("schema sta", "status"),
    ])
  func words(line: String, word: String) throws {
    let scratch = try Scratch()
    let last = line.split(separator: " ").last ?? ""
    let answer = try Program.shell(
      """
      cd \(scratch.path("")) && eval "$($MILEPOST --generate-completion-script bash)"
      COMP_WORDS=(milepost \(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      COMP_LINE="milepost \(line)"; COMP_POINT=${#COMP_LINE}
      _milepost milepost \(last) "${COMP_WORDS[COMP_CWORD-1]}"; echo "${COMPREPLY[*]}"
      """, in: scratch)
    #expect(answer.output.contains(word))
  }
}
