// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import JSONText
import Reports
import ServiceCore

/// `milepost status`
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what the service does now.",
    discussion: "Asks the milepostd of this user. Exit code 2: none runs, or it does not answer.")

  @OptionGroup var told: ToldOptions<StatusDocument>

  func run() throws { try told.show(.status) { StatusText.report(status: $0).text(Console.style) } }
}
