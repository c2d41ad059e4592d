// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DaemonRuntime
import FixFormats
import Host
import JSONText
import LocationModel
import NIOCore
import NIOPosix
import RadioPower
import Replay
import Reports
import ServiceContract
import ServiceCore
import TraceFiles
import UnixSignals

/// `milepostd track`, which `milepost track` runs.
struct Track: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow gpsd live in one mode: what an app would be told, and what it costs.",
    discussion: """
      On a terminal a screen shows fix, receiver, app, energy so far and why the last fix was not \
      delivered; else each delivery is one line, as milepost replay prints it. Where gpsd does not \
      answer it is tried again until it does. Ctrl-C ends it with a summary on standard error. Exit \
      code 1: no fix came, or one could not be written.

        milepost track
        milepost track --mode significant --policy milepost --record drive.recording
        milepost track --mode standard --distance-filter 50 -o walk.gpx
        milepost track --observe -o day.jsonl
      """)

  @Option(
    help: ArgumentHelp("Where gpsd listens (default: localhost:2947).", valueName: "host:port"))
  var gpsd: String?

  @Option(help: ArgumentHelp("Only this one of gpsd's devices (default: all).", valueName: "path"))
  var device: String?

  @Option(name: .shortAndLong, help: "How the app asks for locations.")
  var mode = Service.continuous

  @Option(
    help: ArgumentHelp(
      "How significant changes are looked for: "
        + DaemonConfiguration.livePolicies.joined(separator: ", ")
        + "; periodic=N and receiver=N have N seconds between sessions (default: milepost; for --mode "
        + "significant).", valueName: "name"))
  var policy: String?

  @Option(
    help: ArgumentHelp(
      "Metres from the last delivery (default: every fix; for --mode standard and continuous).",
      valueName: "metres"))
  var distanceFilter: Double?

  @Option(help: ArgumentHelp("Device profile of the meter.", valueName: "name"))
  var profile = DaemonConfiguration().deviceProfile

  @Option(
    help: ArgumentHelp(
      "Seconds for which gpsd keeps a device open after its last watcher.", valueName: "seconds"))
  var receiverHold = DaemonConfiguration().receiverHold

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Also write what is delivered to a new trace file, which is whole after every fix; - is "
        + "standard output.", valueName: "file"))
  var output: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Format of --output (default: by its ending; - has jsonl).", valueName: "format"))
  var format: OutputFormat?

  @Option(
    help: ArgumentHelp(
      "Write every input of the service to this new file, and gpsd's lines to FILE.gpsd; milepost "
        + "replay FILE takes the same decisions again.", valueName: "file"))
  var record: String?

  @Flag(
    help:
      "Keep the receiver on, whatever the mode asks, and end with milepost compare of all fixes; -o keeps them."
  )
  var observe = false

  @Flag(help: "Every event as a JSON line, as milepost replay --format jsonl.")
  var json = false

  @Flag(help: "Lines, even on a terminal.")
  var lines = false

  @Flag(name: .shortAndLong, help: "Lines: also life cycle and receiver, not deliveries alone.")
  var verbose = false

  @Flag(help: "Lines and JSON: also the verdict of every fix.")
  var why = false

  @Option(help: ArgumentHelp("End after this many deliveries.", valueName: "deliveries"))
  var count: Int?

  @Option(help: ArgumentHelp("End after so long.", valueName: "seconds"))
  var duration: Double?

  func validate() throws {
    func number(_ value: Double) -> String {
      value.isFinite ? Decimal.text(value, decimals: 6, trimmed: true) : "\(value)"
    }
    if let distanceFilter {
      guard mode != .significant else {
        throw ValidationError(
          "--distance-filter is for --mode standard and continuous; significant has its own 500 m")
      }
      if !(distanceFilter > 0 && distanceFilter.isFinite) {
        throw ValidationError(
          "--distance-filter is \(number(distanceFilter)); it must be above 0 metres")
      }
    }
    if policy != nil, mode != .significant {
      throw ValidationError("--policy is for --mode significant; \(mode.rawValue) has none")
    }
    if let duration, !(duration > 0 && duration.isFinite) {
      throw ValidationError("--duration is \(number(duration)); it must be above 0 seconds")
    }
    if let count, count < 1 { throw ValidationError("--count is \(count); it must be at least 1") }
    if !(receiverHold >= 0 && receiverHold.isFinite) {
      throw ValidationError(
        "--receiver-hold is \(number(receiverHold)); it must be 0 seconds or more")
    }
    if format != nil, output == nil {
      throw ValidationError("--format is for --output; name its file, or -")
    }
    if output == "-", json || lines || verbose || why {
      throw ValidationError(
        "-o - has standard output for itself; leave --json, --lines, --verbose and --why out, or "
          + "name a file")
    }
  }

  func run() async throws {
    // Before any file is made, so that cleanup follows any signal.
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
    let observed = observe ? try ObservedTrace(output, format) : nil
    defer { observed?.remove() }
    let view = TrackView(form, why: why)
    let group = MultiThreadedEventLoopGroup.singleton
    let tracker: Tracker
    do {
      tracker = try Tracker(try setup(observed), on: group) { view.show($0) }
    } catch {
      throw Complaint("\(error)")
    }
    let listening = Task { for await _ in signals { tracker.stop() } }
    let last = await tracker.run()
    view.finish(state: last)
    if let fault = view.fault { Terminal.error("milepost: stdout: \(SystemError.text(fault))\n") }
    let code = try observed?.compare(profile: profile, fixes: last.fixes, json: json) ?? 0
    listening.cancel()
    if code != 0 { throw ExitCode(code) }
    if last.fixes == 0 || last.unwritten > 0 || view.fault != nil { throw ExitCode(1) }
  }

  private var form: TrackView.Form {
    if output == "-" { return .silent }
    if json { return .json }
    let isScreen = Terminal.isScreen && !lines && !verbose && !why
    return isScreen ? .screen : .lines(isVerbose: verbose)
  }

  private func setup(_ observed: ObservedTrace?) throws -> TrackSetup {
    var configuration = DaemonConfiguration()
    // The user's privacy zones apply here too; the options decide the rest.
    configuration.zones = try ServicePaths.usualConfiguration().zones
    if let gpsd { try configuration.listen(toGPSDAt: gpsd) }
    configuration.gpsdDevice = device
    if let policy { configuration.policy = policy }
    configuration.deviceProfile = profile
    configuration.receiverHold = receiverHold
    var request = StandardRequest()
    request.distanceFilter = distanceFilter
    let file: (String, OutputFormat)? =
      if let observed {
        (observed.path, observed.format)
      } else {
        try output.map { ($0, try format ?? OutputFormat.chosen(for: $0)) }
      }
    return TrackSetup(
      configuration: configuration, mode: mode, request: request, output: file,
      recordingPath: record, observes: observe, count: count, duration: duration,
      refresh: form == .screen ? 1 : nil, release: Release.version)
  }
}

extension Service: ExpressibleByArgument {}

extension OutputFormat: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }

  package static var allValueStrings: [String] { all.map(\.identifier) }

  /// The format of an output that states none: by its name's extension, JSON lines for a stream.
  static func chosen(for path: String) throws -> OutputFormat {
    guard let format = path == "-" ? OutputFormat("jsonl") : OutputFormat(endingOf: path) else {
      throw Complaint(
        "\(path): the ending says no format; use one of "
          + allValueStrings.map { "." + $0 }.joined(separator: ", ") + ", or state it with --format"
      )
    }
    return format
  }
}
