// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@Suite("Help")
struct HelpTests {
  @Test(
    "Help is what was reviewed",
    arguments: [
      [], ["compare"], ["advise"], ["replay"], ["info"], ["convert"], ["meter"], ["score"],
      ["profiles"],
      ["profiles", "list"], ["profiles", "show"], ["profiles", "check"],
      ["profiles", "import"], ["status"], ["explain"], ["apps"], ["apps", "list"],
      ["apps", "show"], ["apps", "add"], ["apps", "authorize"], ["apps", "remove"],
      ["apps", "log"], ["apps", "events"], ["apps", "update"], ["apps", "launch"],
      ["apps", "quit"],
    ])
  func help(command: [String]) throws {
    let answer = try Program.run(command + ["--help"])
    #expect(answer.code == 0)
    #expect(answer.errors.isEmpty)
    try Golden.expect(answer.output, is: (["help"] + command).joined(separator: "-"))
  }

  @Test(
    "So is the help of milepostd", arguments: [[], ["serve"], ["track"], ["doctor"], ["config"]])
  func serviceHelp(command: [String]) throws {
    let answer = try Program.run(command + ["--help"], of: "milepostd")
    #expect(answer.code == 0)
    #expect(answer.errors.isEmpty)
    try Golden.expect(answer.output, is: (["help-milepostd"] + command).joined(separator: "-"))
  }

  @Test("Without a command the program says what it can do, and a version is a version")
  func bare() throws {
    let answer = try Program.run([])
    #expect(answer.code == 0)
    #expect(answer.output == (try Program.run(["--help"]).output))
    #expect(try Program.run(["--version"]).output == "\(Release.version)\n")
  }

  @Test("Shells get their completions", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let answer = try Program.run(["--generate-completion-script", shell])
    #expect(answer.code == 0)
    #expect(answer.output.contains("milepost") && answer.output.contains("radio-log"))
  }
}
