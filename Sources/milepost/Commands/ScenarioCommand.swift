// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import Foundation
import LocationModel
import Scenarios

/// `milepost scenario`: a scenario's file and the service.
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario",
    abstract: "Play a scenario's file on the service, with real programs.",
    discussion: """
      The same file that milepost replay --scenario plays over a trace: what user and system do is said to the \
      service, and its apps are real processes, frozen, woken and relaunched. Positions are those that gpsd has.
      """,
    subcommands: [Play.self, Perform.self])

  /// `milepost scenario run FILE`
  struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Play what user and system do, and tell what became of the apps.",
      discussion: """
        An app of the file that is registered under its name is the registered program. For every other one a \
        program is registered that does what the file says of it; it is removed at the end.
        Times count by the service's clock. A line at a place waits for the service's position.
        Exit code 1: something that the user did could not be done, or a line never came.
        """)

    @Argument(file: "The scenario: YAML, TOML or JSON.")
    var file: String
    @Option(
      number: "Seconds that are waited behind the last line (default: 0).", "seconds",
      read: { try Number.inside($0, 0...86_400 * 365) })
    var then = 0.0
    @Option(
      number: "Seconds after which a line at a place is given up (default: 3600).", "seconds",
      read: { try Number.inside($0, 0...86_400 * 365) })
    var patience = 3_600.0
    @Flag(help: "Leave the programs registered that were registered for it.")
    var keep = false

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() throws {
      guard let scenario = try ScenarioChoice.file(file).scenario() else { return }
      var session = LiveScenario(
        scenario, service: service, file: file, then: then, patience: patience)
      defer { if !keep { session.removePrograms() } }
      try session.registerPrograms()
      guard try session.play() else { throw NegativeAnswer() }
    }
  }

  /// `milepost scenario app FILE NAME`: what `run` registers for an app that nobody has written.
  struct Perform: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "app", abstract: "Be an app of a scenario: do what the file says of it.",
      shouldDisplay: false)

    @Argument(file: "The scenario.")
    var file: String
    @Argument(help: "The app's name in it.")
    var app: String

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() throws {
      guard let scenario = try ScenarioChoice.file(file).scenario(),
        let app = scenario.apps.first(where: { $0.name == app })
      else { throw Complaint("\(file): there is no app '\(app)' in it") }
      var process = ScenarioProcess(app, service: service)
      try process.run()
    }
  }
}
