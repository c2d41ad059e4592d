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
      table of the configuration (sinks in milepostd.yaml), or an app of the kind sink.

        milepost sinks
        milepost sinks test van
      """,
    subcommands: [List.self, Test.self], defaultSubcommand: List.self)

  /// `milepost sinks list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the sinks: what waits, what was sent, what that costs.")

    @OptionGroup var told: ToldOptions<SinksDocument>

    func run() throws { try told.show(.sinks) { SinkText.list($0.sinks).text(Console.style) } }
  }

  /// `milepost sinks test NAME`
  struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "test",
      abstract: "Find out whether a sink can be reached, and what its other side says.",
      discussion: "Sends no position. Exit code 1: it takes nothing.")

    @Argument(help: "Name of a sink.")
    var name: String

    @OptionGroup var told: ToldOptions<SinkTrialDocument>

    /// The limit, seconds. A trial may wait for a batch under way (120 s), and then takes 30 s for each of two questions
    /// over HTTP, or 20 s for each of two versions of MQTT.
    private static let patience = 200.0

    func run() throws {
      let patience = ServiceOptions.Patience(seconds: Self.patience) { awaited }
      let trial = try told.show(.trySink(name), patience) { SinkText.text(trial: $0) }
      if !trial.isReached { throw NegativeAnswer() }
    }

    /// The other side, for people.
    private var awaited: String? {
      let sinks: SinksDocument? = try? told.service.ask(.sinks)
      return (sinks?.sinks.first { $0.name == name }).map { "waiting for \($0.host ?? $0.name)" }
    }
  }
}
