// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct Milepostd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "milepostd", subcommands: [Doctor.self])
}
