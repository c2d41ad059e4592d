// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct Milepost: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "milepost")
}
