// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MessageBus
import ServiceContract
import Synchronization

/// A private message bus, in a separate directory; it knows only the services that come.
final class PrivateBus {
  static let path: String? = [
    "/usr/bin/dbus-daemon", "/usr/local/bin/dbus-daemon", "/bin/dbus-daemon",
  ].first {
    access($0, X_OK) == 0
  }
  /// The reason why no bus can serve here; `nil` if one can.
  static let obstacle: String? =
    if path == nil {
      "dbus-daemon is not installed here; its tests are skipped"
    } else if getpwuid(getuid()) == nil {
      "dbus-daemon refuses a user without an entry in passwd; its tests are skipped"
    } else {
      nil
    }

  let address: String
  private let directory: URL
  private var process: Process?

  /// Makes the directory; no bus runs before `start`.
  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "milepost-bus-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    address = "unix:path=\(directory.path)/bus"
    let configuration = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>milepost</type>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
      </busconfig>
      """
    try configuration.write(
      to: directory.appendingPathComponent("bus.conf"), atomically: true, encoding: .utf8)
  }

  /// Starts it, and waits until it accepts connections.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.path ?? "")
    process.arguments = ["--config-file=\(directory.path)/bus.conf", "--nofork", "--print-address"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    // It prints its address once it listens.
    guard !output.fileHandleForReading.availableData.isEmpty else {
      stop()
      throw CocoaError(.executableNotLoadable)
    }
  }

  /// Ends it at once and waits for its end.
  func stop() {
    guard let process else { return }
    self.process = nil
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: directory.path + "/bus")
  }

  var processID: Int32? { process?.processIdentifier }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: directory)
  }
}

/// The events of a source.
final class Heard: Sendable {
  private let entries = Mutex<[ModemEvent]>([])

  var sink: @Sendable (ModemEvent) -> Void {
    { event in self.entries.withLock { $0.append(event) } }
  }
  var events: [ModemEvent] { entries.withLock { $0 } }
  var cells: [UInt32] {
    events.compactMap { if case .cell(let cell, _) = $0 { cell.cell } else { nil } }
  }
  var troubles: [ModemEvent.Trouble] {
    events.compactMap { if case .trouble(let trouble) = $0 { trouble } else { nil } }
  }
  /// Whether the modem was there, at each event.
  var presence: [Bool] {
    events.compactMap { if case .modem(let present, _) = $0 { present } else { nil } }
  }
}

/// Waits until `condition` holds, at most `seconds`.
func blockingWait(
  for what: String, seconds: Double = 10, until condition: () throws -> Bool
) throws {
  let end = DispatchTime.now().uptimeNanoseconds + UInt64(seconds * 1e9)
  while DispatchTime.now().uptimeNanoseconds < end {
    if try condition() { return }
    poll(nil, 0, 5)
  }
  throw WaitedInVain(what: what)
}
