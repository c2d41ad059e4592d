// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DaemonRuntime
import FixFormats
import Glibc
import LocationModel
import NIOCore
import NIOPosix
import RadioPower
import Replay
import Reports
import Settings
import TraceFiles
import UnixSignals

/// `milepostd track`, which `milepost track` runs.
struct Track: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow gpsd live in one mode: what an app would be told, and what it costs.",
    discussion: """
      On a terminal a screen shows fix, receiver, app, energy so far and why the last fix was not \
      delivered; else each delivery is one line, as milepost replay prints it. Ctrl-C ends it with a \
      summary.

        milepost track
        milepost track --mode significant --policy milepost --record drive.recording
        milepost track --mode standard --distance-filter 50 -o walk.gpx
        milepost track --observe -o day.jsonl
      """)

  @Option(
    help: ArgumentHelp("Where gpsd listens (default: localhost:2947).", valueName: "host:port"))
  var gpsd: String?

  @Option(help: ArgumentHelp("Only this device of gpsd's (default: all).", valueName: "path"))
  var device: String?

  @Option(help: "standard, significant or continuous.")
  var mode = TrackMode.continuous

  @Option(
    help: ArgumentHelp(
      "How significant changes are looked for: "
        + DaemonConfiguration.livePolicies.joined(separator: ", ") + ".", valueName: "name"))
  var policy = "milepost"

  @Option(
    help: ArgumentHelp(
      "Metres from the last delivery; standard and continuous (default: every fix).",
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
      "Also write what is delivered to a trace: .gpx, .nmea, .geojson, .jsonl or .csv; the file is "
        + "whole after every fix.", valueName: "file"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write every input of the engine to this file, and gpsd's lines to FILE.gpsd; milepost replay "
        + "FILE takes the same decisions again.", valueName: "file"))
  var record: String?

  @Flag(
    help:
      "Keep the receiver on, whatever the mode asks, and end with milepost compare of all fixes.")
  var observe = false

  @Flag(help: "Every event as a JSON line, as milepost replay --format jsonl.")
  var json = false

  @Flag(help: "Lines, even on a terminal.")
  var lines = false

  @Flag(name: .shortAndLong, help: "Lines: also life cycle and receiver, not deliveries alone.")
  var verbose = false

  @Option(help: "End after so many deliveries.")
  var count: Int?

  @Option(help: ArgumentHelp("End after so long.", valueName: "seconds"))
  var duration: Double?

  func validate() throws {
    if let distanceFilter, !(distanceFilter > 0 && distanceFilter.isFinite) {
      throw ValidationError("--distance-filter is \(distanceFilter); it must be above 0 metres")
    }
    if let duration, !(duration > 0 && duration.isFinite) {
      throw ValidationError("--duration is \(duration); it must be above 0 seconds")
    }
    if let count, count < 1 { throw ValidationError("--count is \(count); it must be at least 1") }
    if !(receiverHold >= 0 && receiverHold.isFinite) {
      throw ValidationError("--receiver-hold is \(receiverHold); it must be 0 seconds or more")
    }
  }

  func run() async throws {
    let observed = observe ? try ObservedTrace(output) : nil
    let setup = try setup(observed)
    let view = TrackView(
      json ? .json : Terminal.isScreen && !lines ? .screen : .lines(isVerbose: verbose))
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let tracker: Tracker
    do {
      tracker = try Tracker(setup, on: group) { view.show($0) }
    } catch let error as TraceFileError {
      throw error
    } catch {
      throw Complaint(words(of: error))
    }
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let listening = Task { for await _ in signals { tracker.stop() } }
    defer { listening.cancel() }
    let last = await tracker.run()
    view.finish(last)
    try? await group.shutdownGracefully()
    if let observed { try observed.compare(profile: profile, fixes: last.fixes) }
    if last.fixes == 0 { throw ExitCode(1) }
  }

  private func setup(_ observed: ObservedTrace?) throws -> TrackSetup {
    var configuration = DaemonConfiguration()
    if let gpsd { try configuration.take(gpsd: gpsd) }
    configuration.gpsdDevice = device
    configuration.policy = policy
    configuration.deviceProfile = profile
    configuration.receiverHold = receiverHold
    var request = StandardRequest()
    request.distanceFilter = distanceFilter
    let file: (String, OutputFormat)? =
      if let observed {
        (observed.path, observed.format)
      } else {
        try output.map { ($0, try OutputFormat(endingOf: $0)) }
      }
    return TrackSetup(
      configuration: configuration, mode: mode.service, request: request, output: file,
      recordingPath: record, observes: observe, count: count, duration: duration,
      release: Release.version)
  }
}

/// The modes by name.
enum TrackMode: String, ExpressibleByArgument, CaseIterable {
  case standard
  case significant
  case continuous

  var service: Service {
    switch self {
    case .standard: .standard
    case .significant: .significant
    case .continuous: .continuous
    }
  }
}

extension OutputFormat {
  /// The format that a file name's ending says.
  init(endingOf path: String) throws {
    if path == "-" {
      self = .jsonl
      return
    }
    let name = path.split(separator: "/").last ?? ""
    let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
    guard let format = OutputFormat(rawValue: ending) else {
      throw Complaint(
        "\(path): the ending says no format; use one of "
          + OutputFormat.allCases.map { "." + $0.rawValue }.joined(separator: ", "))
    }
    self = format
  }
}
