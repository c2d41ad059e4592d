// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import JSONText
import Reports
import ServiceCore

/// `milepost explain APP`
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say why an app hears nothing now.")

  @Argument(help: "Name of a registered app.")
  var app: String

  @OptionGroup var told: ToldOptions<ExplanationDocument>

  func run() throws {
    try told.show(.explain(app)) { AppText.report(explanation: $0).text(Console.style) }
  }
}
