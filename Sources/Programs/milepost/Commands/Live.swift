// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlProtocol
import JSONText
import Reports
import ServiceCore

/// `milepost track`
struct Track: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Track live from gpsd (milepostd track).",
    discussion: "Runs milepostd track with the same arguments; milepostd track --help tells them.")

  @Argument(
    parsing: .captureForPassthrough, help: "What milepostd track takes.", completion: .file())
  var arguments: [String] = []

  func run() throws { try DaemonProgram.become(["track"] + arguments) }
}

/// `milepost doctor`
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say why there is no fix, and what to do (milepostd doctor).",
    discussion: "Runs milepostd doctor with the same arguments; milepostd doctor --help tells them."
  )

  @Argument(parsing: .captureForPassthrough, help: "What milepostd doctor takes.")
  var arguments: [String] = []

  func run() throws { try DaemonProgram.become(["doctor"] + arguments) }
}

/// `milepost status`
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what the service does now.",
    discussion: "Asks the milepostd of this user. Exit code 2: none runs, or it does not answer.")

  @OptionGroup var told: ToldOptions<StatusDocument>

  func run() throws { try told.show(.status) { StatusText.text($0, style: Console.style) } }
}

/// `milepost explain APP`
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say why an app hears nothing now.")

  @Argument(help: "Name of a registered app.")
  var app: String

  @OptionGroup var told: ToldOptions<ExplanationDocument>

  func run() throws { try told.show(.explain(app)) { AppText.text($0, style: Console.style) } }
}

/// `milepost web`
struct Web: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web",
    abstract: "Print the address of the live page, with a token that opens it once.",
    discussion: """
      The page is served where milepostd runs with --web, or with web in milepostd.yaml. The address works \
      once, for the browser that opens it; run this again for another one.
      """)

  @OptionGroup(title: "Service options") var service: ServiceOptions

  func run() throws {
    guard let status: StatusDocument = try service.ask(.status), let web = status.web else {
      throw Complaint(
        "milepostd serves no page; write web: 127.0.0.1:8080 into milepostd.yaml and start it anew"
      )
    }
    var text = ""
    try WholeFile.forEachChunk(of: web.urlFile) { text += String(decoding: $0, as: UTF8.self) }
    try Console.standardOutput(text)
  }
}
