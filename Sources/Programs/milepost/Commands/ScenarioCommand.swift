// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import Foundation
import JSONText
import Replay

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
      usage: "milepost scenario run [<options>] <file>",
      discussion: """
        An app of the file that is registered under its name is the registered program. For every other one a \
        program is registered that does what the file says of it; it is removed at the end.
        Times count by the service's clock. A line at a place waits for the service's position.
        With --speed the file is played on a service of its own, whose clock is that many times as fast, with the \
        file's era; --register gives it real programs. What these do for themselves, a sleep or a computation, \
        takes the machine's time: at 14, the 10 s of a wake are 0.7 s of it. So do gpsd and its receiver, which \
        go on at one position a second.
        Exit code 1: something that the user did could not be done, or a line never came.
        """)

    @Argument(file: "The scenario: YAML or JSON.")
    var file: String
    @Option(
      number: "Seconds that are waited behind the last line (default: 0).", "seconds",
      read: { try Number.inside($0, 0...86_400 * 365) })
    var then = 0.0
    @Option(
      number: "Seconds after which a line at a place is given up (default: 3600).", "seconds",
      read: { try Number.inside($0, 0...86_400 * 365) })
    var patience = 3_600.0
    @Option(
      number: "Play it so many times as fast, on a service of its own (1 to 100).", "number",
      read: { try Number.inside($0, 1...100) })
    var speed: Double?
    @Option(
      help: ArgumentHelp(
        "With --speed: the manifest of an app that is a program of yours; again for each.",
        valueName: "manifest"), completion: .file())
    var register: [String] = []
    @Option(help: ArgumentHelp("With --speed: where gpsd listens.", valueName: "host:port"))
    var gpsd: String?
    @Flag(help: "Leave the programs registered (those that were registered for it).")
    var keep = false

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func validate() throws {
      guard speed == nil else {
        if keep || service.socket != nil {
          throw ValidationError(
            "with --speed the service is the scenario's own, and gone with it; leave "
              + (keep ? "--keep" : "--socket") + " out")
        }
        return
      }
      if !register.isEmpty || gpsd != nil {
        throw ValidationError(
          (gpsd == nil ? "--register" : "--gpsd") + " is for a service of the scenario's own; give "
            + "--speed, too")
      }
    }

    func run() throws {
      guard let scenario = try ScenarioChoice.file(file).scenario() else { return }
      if let sink = scenario.apps.first(where: { $0.sink != nil }) {
        throw Complaint(
          "\(file): \(sink.name) is a sink, which the service itself plays: put its table below sinks in "
            + "milepostd.yaml, and leave it out here")
      }
      guard let speed else { return try play(scenario, on: service, keeping: keep) }
      let own = try OwnService(speed: speed, era: scenario.era, gpsd: gpsd)
      defer { own.endService() }
      var service = service
      service.socket = own.socket
      try own.awaitAnswer(service)
      for manifest in register {
        try service.tellDaemon(.add(ManifestArguments.message(of: manifest)))
      }
      // The programs end with their service.
      try play(scenario, on: service, keeping: true)
    }

    private func play(
      _ scenario: Scenario, on service: ServiceOptions, keeping: Bool
    ) throws {
      var session = LiveScenario(
        scenario, service: service, file: file, then: then, patience: patience)
      defer { if !keeping { session.removePrograms() } }
      try session.registerPrograms(keeping: keeping)
      guard try session.play() else { throw NegativeAnswer() }
    }
  }

  /// `milepost scenario app FILE NAME`: the program that `run` registers for an app that has none.
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
      var process = try ScenarioProcess(app, service: service)
      try process.run()
    }
  }
}
