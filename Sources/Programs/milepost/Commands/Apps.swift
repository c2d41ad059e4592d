// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import Glibc
import LocationModel
import Reports
import ServiceCore

/// `milepost apps`
struct Apps: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apps",
    abstract: "Register, look at and control the apps of the service.",
    discussion: """
      An app is registered with a manifest (YAML or JSON, or an iOS Info.plist), authorized by its \
      user, and then launched, frozen, woken and relaunched by milepostd:

        milepost apps add walker.yaml
        milepost apps authorize walker always
        milepost apps log walker
      """,
    subcommands: [
      List.self, Show.self, Add.self, Update.self, Authorize.self, Remove.self, Log.self,
      Events.self,
      AppControlCommand<Launch>.self, AppControlCommand<Foreground>.self,
      AppControlCommand<Background>.self, AppControlCommand<Interrupt>.self,
      AppControlCommand<Resume>.self,
      AppControlCommand<Terminate>.self, AppControlCommand<Quit>.self,
      AppControlCommand<Purge>.self, AppControlCommand<Release>.self, Send.self, Device.self,
    ],
    defaultSubcommand: List.self)

  /// `milepost apps list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the registered apps.")

    @OptionGroup var told: ToldOptions<AppsDocument>

    func run() throws { try told.show(.apps) { AppText.list($0.apps).text(Console.style) } }
  }

  /// `milepost apps show APP`
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show everything about one app.")

    @Argument(help: "Name of a registered app.")
    var app: String

    @OptionGroup var told: ToldOptions<AppDocument>

    func run() throws {
      try told.show(.user(.app(app))) { AppText.report(app: $0).text(Console.style) }
    }
  }

  /// `milepost apps add MANIFEST [-- COMMAND...]`
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Register an app by its manifest.",
      usage: "milepost apps add [--socket <path>] <manifest> [-- <command> ...]",
      discussion: """
        The ending says the form: .yaml, .yml, .json or .plist. An Info.plist does not say what to \
        run here; the command stands behind it, and --socket before the -- of the command:

          milepost apps add Info.plist -- ./walker --quiet

        On standard error it says what the app will hear.
        """)

    @OptionGroup var manifest: ManifestArguments

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() throws {
      let added: AppDocument? = try service.ask(.add(manifest.message()))
      guard let added else { return }
      Console.standardError(AppText.added(added.row) + "\n")
    }
  }

  /// `milepost apps authorize APP LEVEL`
  struct Authorize: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "authorize",
      abstract: "Say what an app may know.",
      usage: "milepost apps authorize [<options>] <app> <level>",
      discussion: """
        always; when_in_use: only in the foreground; denied: nothing; or not_determined. With --reduced it is \
        told in which square of 5 km the device is, when it is in another one, and at most every 15 minutes.
        """)

    /// The levels that a user can give.
    struct Level: ExpressibleByArgument {
      let authorization: Authorization

      static let allValueStrings = [Authorization.always, .whenInUse, .denied, .notDetermined]
        .map(\.rawValue)

      init?(argument: String) {
        guard Self.allValueStrings.contains(argument),
          let authorization = Authorization(rawValue: argument)
        else { return nil }
        self.authorization = authorization
      }
    }

    /// The accuracies of the permission, `LocationAccuracy`.
    enum Accuracy: String, EnumerableFlag {
      case full, reduced

      static func help(for accuracy: Self) -> ArgumentHelp? {
        switch accuracy {
        case .full: "It may know exactly where the device is (without either flag: as before)."
        case .reduced: "It may know where the device is to 5 km."
        }
      }
    }

    @Argument(help: "Name of a registered app.")
    var app: String

    @Argument(help: "What it may know.")
    var level: Level

    @Flag var accuracy: Accuracy?

    @OptionGroup(title: "Service options") var service: ServiceOptions

    func run() throws {
      try service.tellDaemon(
        .authorize(
          app, level.authorization, accuracy.flatMap { LocationAccuracy(rawValue: $0.rawValue) }))
    }
  }

  /// `milepost apps remove APP...`
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "End apps and forget them, with what waits for them.")

    @Argument(help: "Names of registered apps.")
    var apps: [String]

    @OptionGroup(title: "Service options") var service: ServiceOptions

    /// Those that can be removed are, whatever the others are.
    func run() throws {
      let outcomes = apps.map { app in Result { try service.tellDaemon(.remove(app)) } }
      for outcome in outcomes { try outcome.get() }
    }
  }

  /// `milepost apps log [APP]`
  struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "log",
      abstract: "Show what happened to an app: deliveries, states, launches, crashes.",
      usage: "milepost apps log [<options>] [<app>]",
      discussion: "Without a name: what happened to the service itself, gaps and registrations.")

    @Argument(help: "Name of a registered app (default: the service itself).")
    var app: String?

    @Option(name: .shortAndLong, help: "The newest so many entries, 1 to 1000.")
    var count = 50

    @Flag(name: .shortAndLong, help: "Go on with what happens, until it is ended.")
    var follow = false

    @OptionGroup var told: ToldOptions<LogDocument>

    func validate() throws {
      guard (1...Int(ClientMessage.logLimit)).contains(count) else {
        throw ValidationError(
          "--count is \(count), not a number from 1 to \(ClientMessage.logLimit)")
      }
      if follow, told.json { throw ValidationError("--follow goes on, and --json is one document") }
    }

    func run() throws {
      if follow { return try LogFollower(app ?? "", count: count).followLog(of: told.service) }
      try told.show(.log(app ?? "", count: count)) { AppText.report(log: $0).text(Console.style) }
    }
  }
}
