// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import RadioPower
import Reports
import ServiceContract

/// `milepost profiles`
struct Profiles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profiles",
    abstract: "List, show, check, import and calibrate the meter's profiles.",
    discussion: """
      A profile is a CSV file in which each number has its unit, its range, how sure it is and its \
      source. To make one's own: milepost profiles show phone-2014-iphone6 --file > my-phone.csv, edit it \
      (the name inside must be that of the file), milepost profiles check my-phone.csv.
      """,
    subcommands: [List.self, Show.self, Check.self, ProfilesImport.self, ProfilesCalibrate.self],
    defaultSubcommand: List.self)

  /// `milepost profiles list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the built-in profiles.")

    @Flag(help: "One JSON document (schema milepost.profiles/1).")
    var json = false

    func run() throws {
      let devices = try ProfileLibrary.devices.map {
        ProfileReport.Entry(try ProfileSource.device($0))
      }
      let networks = try ProfileLibrary.networks.map {
        ProfileReport.Entry(try ProfileSource.network($0))
      }
      let list = (devices: devices, networks: networks, usual: ProfileLibrary.defaultDevice)
      try Console.show(
        json ? ProfileReport.listDocument.line(list) : nil, ProfileReport.report(list))
    }
  }

  /// `milepost profiles show NAME`
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show every number of a profile with its range and source.")

    @Argument(file: "Name of a profile, or a file.", "name|file")
    var name: String

    @Flag(help: "One JSON document (schema milepost.profile/1).")
    var json = false

    @Flag(help: "The file itself, as a start for one's own.")
    var file = false

    func validate() throws {
      if json, file { throw ValidationError("--json and --file exclude each other") }
    }

    func run() throws {
      if let bytes = file ? ProfileLibrary.file(named: name) : nil {
        return try Console.standardOutput(bytes)
      }
      let shown: ProfileReport.Shown =
        switch try ProfileSource.either(name) {
        case .device(let profile): (ProfileReport.Entry(profile), profile, profile.numbers)
        case .network(let profile): (ProfileReport.Entry(profile), nil, profile.numbers)
        }
      try Console.show(
        json ? ProfileReport.showDocument.line(shown) : nil, ProfileReport.report(shown))
    }
  }

  /// `milepost profiles check FILE`
  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Check a profile file; exit code 1 if anything is wrong with it.")

    /// The number of errors in the text.
    private static let told = 20

    @Argument(file: "Device or network profile to check.", "file")
    var file: String

    @Flag(help: "One JSON document (schema milepost.profile-check/1).")
    var json = false

    func run() throws {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      let errors = try ProfileSource.errors(in: file)
      try Console.standardOutput(
        json
          ? ProfileReport.checkDocument.line((name, errors))
          : Array(Self.text(errors, of: name).utf8))
      if !errors.isEmpty { throw NegativeAnswer() }
    }

    private static func text(_ errors: [ProfileError], of name: String) -> String {
      if errors.isEmpty { return "\(name): nothing is wrong with this profile\n" }
      // A file of another kind is wrong in every line.
      let told = errors.prefix(Self.told).map { ProfileSource.line($0, of: name) + "\n" }.joined()
      let more = errors.count - Self.told
      return more > 0 ? told + "\(name): … and \(Figures.count(more)) more; --json has all\n" : told
    }
  }
}
