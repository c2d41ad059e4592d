// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ControlClient
import DaemonRuntime
import GPSDSource
import JSONText
import ServiceContract

/// `milepostd doctor`
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say why there is no fix, and what to do.",
    usage: "milepostd doctor [<options>]",
    discussion: """
      Connects to gpsd, watches it for some seconds (less when a good fix comes at once), and looks at the \
      chain from program to sky: connection, protocol, receiver, its file, data, satellites, time. Then \
      it says whether the service runs, which of its apps cannot be started, are held or not authorized, \
      whether what it decides can be written, what came of trying each sink, and whether there is a modem. \
      Exit code 0: there is a fix; 1: there is none; 2: an error in the command. With --check, for a health \
      check, it prints the faults alone, and exits with 1 if there is any, such as a sink that takes nothing \
      or a service that does not run.
      """)

  @Option(
    help: ArgumentHelp(
      "Where gpsd listens (default: where the service looks for it, else as configured, else localhost:2947).",
      valueName: "host:port"))
  var gpsd: String?

  @Option(help: ArgumentHelp("How long to watch, seconds, 1 to 3600.", valueName: "seconds"))
  var wait = 10.0

  @Option(
    help: ArgumentHelp(
      "Where milepostd listens; else MILEPOST_SOCKET, else milepost/socket in XDG_RUNTIME_DIR.",
      valueName: "path"))
  var socket: String?

  @Flag(help: "Print the faults alone; exit with 1 if there is any.")
  var check = false

  @Flag(help: "One JSON document (schema milepost.doctor/1).")
  var json = false

  @Flag(help: ArgumentHelp("The JSON Schema of that document.", visibility: .hidden))
  var schema = false

  func validate() throws {
    if !(1...3_600).contains(wait) {
      throw ValidationError("--wait is \(wait): it goes from 1 to 3600 seconds")
    }
    if let gpsd, GPSDSource.Address(text: gpsd) == nil {
      throw ValidationError(
        "--gpsd is '\(gpsd)': it is HOST, HOST:PORT or [IPV6]:PORT, with a port from 1 to 65535")
    }
  }

  func run() async throws {
    if schema { return try Terminal.answer(Diagnosis.schema.text) }
    let configuration = Result { try ServicePaths.usualConfiguration() }
    let usual = (try? configuration.get()) ?? DaemonConfiguration()
    let target =
      gpsd.flatMap { GPSDSource.Address(text: $0) }.map { DoctorProbe.Target.named($0) }
      ?? .services(orConfigured: .init(host: usual.gpsdHost, port: usual.gpsdPort))
    var facts = await DoctorProbe.facts(
      target, watching: wait, socket: socket ?? ControlClient.usualPath)
    if case .failure(let error) = configuration { facts.configurationFault = "\(error)" }
    let diagnosis = Diagnosis(facts)
    try Terminal.answer(
      json ? diagnosis.json(facts) : check ? diagnosis.checkText : diagnosis.text)
    if check ? !diagnosis.faults.isEmpty : !diagnosis.hasFix { throw ExitCode(1) }
  }
}
