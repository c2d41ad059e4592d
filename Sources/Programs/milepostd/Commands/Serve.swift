// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DaemonRuntime
import Glibc
import Host
import JSONText
import LocationModel
import Logging
import NIOCore
import NIOPosix
import ServiceContract
import UnixSignals

/// `milepostd` and `milepostd serve`
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve apps until stopped (the default).",
    usage: "milepostd serve [<options>]",
    discussion: """
      Reads gpsd, decides which app is told what, and freezes, wakes and relaunches the registered \
      apps (milepost apps). SIGTERM and SIGINT end it in order: apps are told and have 5 s; SIGHUP \
      reads the configuration again. Everything that must survive is in the state directory.
      """)

  @Option(
    help: ArgumentHelp(
      "Configuration (default: milepost/milepostd.yaml in XDG_CONFIG_HOME or ~/.config, where it is there).",
      valueName: "file"))
  var config: String?

  @Option(
    help: ArgumentHelp(
      "Where gpsd listens, whatever the configuration says.", valueName: "host:port"))
  var gpsd: String?

  @Option(
    help: ArgumentHelp(
      "The socket for apps and commands (default: MILEPOST_SOCKET, else socket in the runtime directory).",
      valueName: "path"))
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "Directory of the database (default: STATE_DIRECTORY, else milepost in XDG_STATE_HOME or ~/.local/state).",
      valueName: "directory"))
  var state: String?

  @Option(
    help: ArgumentHelp(
      "For socket, keepers and the apps' output (default: RUNTIME_DIRECTORY, else milepost in XDG_RUNTIME_DIR).",
      valueName: "directory"))
  var runtime: String?

  @Option(
    help: ArgumentHelp(
      "Write every input of the service to this new file, and gpsd's lines beside it.",
      valueName: "file"))
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Serve the live page there, whatever the configuration says; milepost web prints how to open it.",
      valueName: "address:port"))
  var web: String?

  /// A clock that runs faster than the machine's (theory: HostClock.swift), as `rate,boot-time
  /// clock,UTC at that reading`, both in microseconds. For `milepost scenario run --speed`, and for
  /// the tests that run the same life live and in the replay.
  @Option(help: .private, transform: HostClock.TimeLapse.init(words:))
  var timeLapse: HostClock.TimeLapse?

  @Option(help: "Least level that is logged; info also tells each app's life.")
  var logLevel = LogLevel.notice

  func run() async throws {
    let paths = try ServicePaths(state: state, runtime: runtime, socket: socket, config: config)
    var configuration = try paths.configuration()
    if timeLapse != nil {
      // A scenario's service applies the zones of its user's configuration.
      configuration.zones = try ServicePaths.usualConfiguration().zones
    }
    if let gpsd { try configuration.listen(toGPSDAt: gpsd) }
    if let web { configuration.web = try Self.web(web) }
    let level = logLevel.level
    let log = Logger(label: "milepostd") { _ in JournalLog(level: level) }
    var setup = Daemon.Setup(
      configuration: configuration, configurationFile: paths.configurationFile,
      stateDirectory: paths.state, runtimeDirectory: paths.runtime, socketPath: paths.socket,
      descriptor: try Self.control(of: Systemd.listenDescriptors()),
      keeper: try ServicePaths.companion("milepost-keeper"),
      release: Release.version,
      recordingPath: record)
    setup.clock = HostClock(timeLapse)
    if gpsd != nil { setup.gpsdOverride = (configuration.gpsdHost, configuration.gpsdPort) }
    let group = MultiThreadedEventLoopGroup.singleton
    let daemon: Daemon
    do {
      daemon = try Daemon(setup, on: group, log: log)
    } catch {
      throw Complaint("\(error)")
    }
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
    let listening = Task {
      for await signal in signals {
        if signal == .sighup {
          Systemd.notify("RELOADING=1")
          daemon.reload()
          Systemd.notify("READY=1")
        } else {
          Systemd.notify("STOPPING=1")
          daemon.stop()
        }
      }
    }
    defer { listening.cancel() }
    do {
      try await daemon.run { Systemd.notify("READY=1") }
    } catch {
      throw Complaint("\(error)")
    }
  }
}

extension Serve {
  private static func web(_ text: String) throws -> WebAddress {
    guard let address = WebAddress(text: text) else {
      throw Complaint("--web: '\(text)' is no address and port; write \(WebAddress.form)")
    }
    return address
  }

  /// The socket that systemd opened for us: the one called `control` (systemd.socket(5),
  /// FileDescriptorName=), or the only one; `nil` if there is none.
  static func control(of descriptors: [Systemd.ListenDescriptor]) throws -> Int32? {
    if let named = descriptors.first(where: { $0.name == "control" }) { return named.descriptor }
    guard descriptors.count > 1 else { return descriptors.first?.descriptor }
    throw Complaint(
      "systemd passes \(descriptors.count) sockets and none is called control; say "
        + "FileDescriptorName=control in the socket unit")
  }
}

extension HostClock.TimeLapse {
  fileprivate init(words: String) throws {
    let parts = words.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3, let rate = Double(parts[0]), rate > 0, rate.isFinite,
      let since = Int64(parts[1]), let shows = Int64(parts[2])
    else {
      throw ValidationError("--time-lapse is '\(words)'; it must be rate,since,shows")
    }
    self.init(rate: rate, since: since, shows: UTCInstant(microseconds: shows))
  }
}

extension ServiceContract.LogLevel: ExpressibleByArgument {}
