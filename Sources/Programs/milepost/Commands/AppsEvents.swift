// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import Reports
import ServiceCore

extension Apps {
  /// `milepost apps update MANIFEST [-- COMMAND...]`
  struct Update: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "update",
      abstract: "Replace the manifest of a registered app.",
      usage: "milepost apps update [--socket <path>] <manifest> [-- <command> ...]",
      discussion: """
        What waits for the app, its numbers and what its user allows stay. A process of it is ended, and \
        begins anew where it was to run. An app keeps its kind.
        """)

    @OptionGroup var manifest: ManifestArguments

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() throws {
      let updated: AppDocument? = try service.ask(.update(manifest.message()))
      if let updated { Console.standardError("\(updated.row.name): updated\n") }
    }
  }

  /// `milepost apps events APP`
  struct Events: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "events",
      abstract: "List the events of an app that were given up, send them again or forget them.",
      usage: "milepost apps events [<options>] <app>",
      discussion: """
        An event on which a handler fails is tried again after 1, 2, 4 … 600 s, for retry_for_s of the \
        configuration (7 days); then it is given up, and kept here.
        """)

    @Argument(help: "Name of a registered app.")
    var app: String

    @Option(
      help: ArgumentHelp(
        "Send the event of this number again, or all, under new numbers.", valueName: "number|all"))
    var resend: Chosen?

    @Option(
      help: ArgumentHelp("Forget the event of this number, or all.", valueName: "number|all"))
    var discard: Chosen?

    @OptionGroup var told: ToldOptions<EventsDocument>

    /// The selection of events.
    enum Chosen: ExpressibleByArgument {
      case all
      case one(UInt64)

      init?(argument: String) {
        if argument == "all" {
          self = .all
        } else if let number = UInt64(argument), number > 0 {
          self = .one(number)
        } else {
          return nil
        }
      }

      var number: UInt64? {
        if case .one(let number) = self { number } else { nil }
      }
    }

    func validate() throws {
      if resend != nil, discard != nil {
        throw ValidationError(
          "--resend and --discard exclude each other: an event is sent or forgotten")
      }
      if told.json, resend != nil || discard != nil {
        throw ValidationError("--json is for the list; leave it out with --resend and --discard")
      }
    }

    func run() throws {
      if let resend { return try told.service.tellDaemon(.resend(app, resend.number)) }
      if let discard { return try told.service.tellDaemon(.discard(app, discard.number)) }
      try told.show(.events(app)) { AppText.text(events: $0) }
    }
  }
}
