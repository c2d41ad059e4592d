// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import RadioPower
import TraceFiles

/// `milepost profiles import power_profile.xml`
struct ProfilesImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a device profile of an Android power_profile.xml.",
    usage: "milepost profiles import [<options>] <xml>",
    discussion: """
      Battery, receiver, processor and Wi-Fi scan are taken from the file; what it does not state \
      (times to first fix, what a wake costs, motion) stays as in the base profile. The modem belongs \
      to the network profile and is not imported.
      """)

  @Argument(file: "The power_profile.xml; - is standard input.", "xml")
  var file: String

  @Option(
    help: ArgumentHelp(
      "Name of the new profile; the file must be called NAME.csv (default: by --output's name, else my-phone)."
    ))
  var name: String?

  @Option(help: "Built-in profile that gives the other numbers.")
  var base = ProfileLibrary.defaultDevice

  @Option(
    help: ArgumentHelp(
      "Nominal voltage of the battery, at which the file's currents are unless it says otherwise.",
      valueName: "V"))
  var voltage = 3.85

  @Option(
    name: .shortAndLong, help: "Write to this file instead of standard output.",
    completion: .file())
  var output: String?

  /// The name of --output's file without its ending, if there is one.
  private var fileName: String? {
    guard let output, output != "-", let last = output.split(separator: "/").last else {
      return nil
    }
    return String(last.hasSuffix(".csv") ? last.dropLast(4) : last)
  }

  func validate() throws {
    if let name, name.isEmpty || name.contains("/") {
      throw ValidationError("--name is '\(name)', which is no name of a file")
    }
    if let name, let fileName, name != fileName {
      throw ValidationError(
        "--name is '\(name)', but --output is called '\(fileName)': a profile has the name of its file"
      )
    }
    guard voltage > 0, voltage < 100 else {
      throw ValidationError("--voltage is \(voltage), expected volts above 0 and below 100")
    }
  }

  func run() throws {
    let name = name ?? fileName ?? "my-phone"
    guard ProfileLibrary.devices.contains(base), let rows = ProfileLibrary.file(named: base) else {
      let known = ProfileLibrary.devices.joined(separator: ", ")
      throw Complaint("there is no device profile '\(base)' to start from; known: \(known)")
    }
    try OutputFile.refuse(output, amongInputs: [file])
    let bytes = try WholeFile.readBytes(of: file, as: .profile)
    let profile: PowerProfileXML
    do throws(InputError) {
      profile = try PowerProfileXML(bytes.span)
    } catch {
      throw Complaint(error, in: InputName.full(file))
    }
    let made = ProfileRevision(
      profile.numbers(volts: voltage), into: String(decoding: rows, as: UTF8.self), name: name,
      title: "\(name) (imported power_profile.xml)",
      origin: [
        "Imported from an Android power_profile.xml; rows that it does not state are those of \(base)."
      ])
    try OutputFile.writeWhole(Array(made.text.utf8), to: output)
    Console.remark(
      "\(made.replaced.count) rows from \(file), the others from \(base); "
        + "check it with: milepost profiles check \(output ?? name + ".csv")")
    if !profile.unreadable.isEmpty {
      Console.remark(
        "no numbers from 0 to \(Number.plain(PowerProfileXML.most)), so left out: "
          + profile.unreadable.joined(separator: ", "))
    }
  }
}
