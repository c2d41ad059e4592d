// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import Reports
import ServiceCore

/// `milepost sinks`
struct Sinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sinks",
    abstract: "Show where events are sent, and try whether that works.",
    discussion: """
      A sink sends an app's events to a server, a broker or into a file, without a program. Each is a \
      table of the configuration ([sinks.NAME] in milepostd.toml), or an app of the kind sink.

        milepost sinks
        milepost sinks test van
      """,
    subcommands: [List.self, Test.self], defaultSubcommand: List.self)

  /// `milepost sinks list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the sinks: what waits, what was sent, what that costs.")

    @Flag(help: "One JSON document (schema milepost.sinks/1).")
    var json = false

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() throws {
      try service.show(.sinks, json: json) { (sinks: SinksDocument) in
        SinkText.list(sinks.sinks, style: Console.style)
      }
    }
  }

  /// `milepost sinks test NAME`
  struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "test",
      abstract: "Find out whether a sink's other side is there and would take events.",
      discussion: "Sends no position. Exit code 1: it would not.")

    @Argument(help: "Name of a sink.")
    var name: String

    @Flag(help: "One JSON document (schema milepost.sink-trial/1).")
    var json = false

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() throws {
      let isReached = try service.show(.trySink(name), json: json) {
        (trial: SinkTrialDocument) in SinkText.text(trial)
      }.isReached
      if !isReached { throw NegativeAnswer() }
    }
  }
}
