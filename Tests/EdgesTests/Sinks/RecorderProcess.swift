// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import Testing

/// A real OwnTracks Recorder on free ports of the loopback, over HTTP, and over MQTT if there is a broker.
final class RecorderProcess {
  /// Its path on PATH; `nil` if it is missing.
  static let installed = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
    .map { "\($0)/ot-recorder" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  static let missing: Comment = "there is no ot-recorder on PATH"

  private let program: String
  private let folder: String
  private let port = Loopback.freePort()
  private let broker: RealBroker?
  private var process: Process?

  var url: String { "http://127.0.0.1:\(port)" }

  init(in folder: String, hearing broker: RealBroker? = nil) throws {
    program = try #require(Self.installed)
    self.folder = folder
    self.broker = broker
    let setUp = try Process.run(
      URL(fileURLWithPath: program), arguments: ["--initialize", "-S", folder])
    setUp.waitUntilExit()
    try start()
  }

  deinit { end() }

  /// Starts it, again on the same ports and with its stored data.
  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments =
      ["--host", "127.0.0.1", "--port", "\(broker?.port ?? 0)"] + [
        "--http-host", "127.0.0.1", "--http-port", "\(port)", "--doc-root", folder, "-S", folder,
        "--norevgeo", "owntracks/#",
      ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    try #require(isReady(), "the Recorder did not listen within its 10 seconds")
  }

  func end() {
    guard let process else { return }
    self.process = nil
    // It inherits the signals that this process blocks, SIGTERM among them.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  var isRunning: Bool { process?.isRunning == true }

  /// Its positions of a device, as messages, by months and in each in the order of arrival.
  func positions(of user: String, _ device: String) throws -> [JSONValue] {
    let place = "\(folder)/rec/\(user)/\(device)"
    var positions: [JSONValue] = []
    for month in try FileManager.default.contentsOfDirectory(atPath: place).sorted() {
      let text = try String(contentsOfFile: "\(place)/\(month)", encoding: .utf8)
      for line in text.split(separator: "\n") {
        // Time, topic and message, between tabulators. For messages over HTTP the topic is always that of a position.
        let parts = line.split(separator: "\t", maxSplits: 2)
        guard parts.count == 3, parts[1].hasPrefix("*") else { continue }
        let message = try JSONValue.parse(String(parts[2]))
        if message["_type"]?.string == "location" { positions.append(message) }
      }
    }
    return positions
  }

  /// Whether it listens, and is subscribed if there is a broker, within ten seconds.
  private func isReady() -> Bool {
    for _ in 0..<200 {
      let isSubscribed = broker.map { $0.log.contains("Sending SUBACK to ot-") } ?? true
      if isSubscribed, let probe = Loopback.connected(to: port) {
        close(probe)
        return true
      }
      // It does not report when it listens.
      poll(nil, 0, 50)
    }
    return false
  }
}
