// SPDX-License-Identifier: Apache-2.0

import Glibc
import LocationEngine
import LocationModel
import Recording
import Settings
import StateStore

// Theory
// ======
//
// Two files: the recording holds every input of the engine with its instant and what the engine then
// commanded; beside it `.gpsd` holds gpsd's lines as they came, of which the inputs were made. Each
// step is written at once and whole, so that a kill leaves whole lines. A file that cannot be written
// any more (a full disk) ends the recording, not the tracking.

/// Writes a live recording.
final class LiveRecorder {
  private let path: String
  private let descriptor: Int32
  private let lines: Int32
  private var encoder = RecordingEncoder()
  /// Why nothing is written any more; `nil` where all is well.
  private(set) var trouble: String?

  /// Makes both files. Throws `ConfigurationTrouble` where one is there already, or cannot be made.
  init(
    path: String, release: String, _ configuration: DaemonConfiguration, _ engine: LocationEngine,
    _ now: EngineInstant, observes: Bool = false
  ) throws {
    self.path = path
    let snapshot = try Self.snapshot(of: engine, configuration)
    descriptor = try Self.make(path)
    do {
      lines = try Self.make(path + ".gpsd")
    } catch {
      close(descriptor)
      unlink(path)
      throw error
    }
    var bytes: [UInt8] = []
    encoder.begin(
      RecordingHeader(
        release: release, started: HostClock.utc, startedAt: now, rules: engine.rules,
        policy: PolicySettings(of: engine.policy), deviceProfile: configuration.deviceProfile,
        networkProfile: configuration.networkProfile, receiverHold: configuration.receiverHold,
        receiver: observes ? .alwaysOn : .planned,
        snapshot: snapshot), into: &bytes)
    write(bytes, to: descriptor)
  }

  func record(_ input: EngineInput, at now: EngineInstant, commands: [EngineCommand]) {
    guard trouble == nil else { return }
    var bytes: [UInt8] = []
    encoder.write(EngineRecord(at: now, input: input, commands: commands), into: &bytes)
    write(bytes, to: descriptor)
  }

  /// One line of gpsd's, as it came.
  func record(_ line: [UInt8]) {
    guard trouble == nil else { return }
    write(line + [0x0A], to: lines)
  }

  func finish() {
    if trouble == nil {
      var bytes: [UInt8] = []
      encoder.finish(into: &bytes)
      write(bytes, to: descriptor)
    }
    close(descriptor)
    close(lines)
  }

  /// The engine's state as a text; `nil` where it is as new, and the settings say all of it.
  private static func snapshot(
    of engine: LocationEngine, _ configuration: DaemonConfiguration
  ) throws -> String? {
    let (rules, policy) = try configuration.decisions()
    if engine == LocationEngine(rules: rules, policy: policy) { return nil }
    return String(decoding: try SnapshotForm.encoded(engine.snapshot), as: UTF8.self)
  }

  private static func make(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw ConfigurationTrouble(
        errno == EEXIST
          ? "\(path): it is there already; name another file, no recording is written over"
          : "\(path): cannot be made: \(String(cString: strerror(errno)))")
    }
    return descriptor
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        trouble = "\(path): cannot be written: \(String(cString: strerror(errno)))"
        return
      }
    }
  }
}
