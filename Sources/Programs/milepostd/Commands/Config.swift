// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DaemonRuntime
import JSONText
import ServiceContract

/// `milepostd config`
struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print a configuration file with every option explained, or check one.",
    discussion: """
      What it prints is YAML, holds the defaults, and can be used as it stands. The service reads its \
      file at the start, and again at SIGHUP (systemctl --user reload milepostd). Exit code 2: the \
      file that --check names is wrong.

        milepostd config > ~/.config/milepost/milepostd.yaml
        milepostd config --check ~/.config/milepost/milepostd.yaml
      """)

  @Option(
    help: ArgumentHelp("Say everything that is wrong in this file instead.", valueName: "file"))
  var check: String?

  func run() throws {
    guard let check else {
      return try Terminal.answer(DaemonConfiguration.explained)
    }
    do {
      _ = try DaemonConfiguration.readFile(check)
    } catch {
      throw Complaint("\(error)")
    }
    try Terminal.answer("\(check): fine\n")
  }
}
