// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText
import ServiceContract
import ServiceCore
import TraceFiles

// Theory
// ======
//
// Two files: the recording holds every input of the service with its instant and the resulting decision; `.gpsd` beside
// it holds gpsd's original lines, from which the inputs were made. Each step is written at once and whole, so that a
// kill leaves whole lines. If a file can no longer be written (a full disk), the recording ends, not the tracking. Both
// are readable only by their user: they hold the device's positions. With privacy zones, positions within one are
// replaced before the service receives them, and gpsd's lines are left out; the service's initial state is recorded as
// stored, with the waiting deliveries of apps that may see inside.

/// Writes a live recording.
final class LiveRecorder {
  private let path: String
  private let descriptor: Int32
  private let lines: Int32
  private var encoder: RecordingEncoder
  /// The reason why nothing is written any more; `nil` if all is well.
  private(set) var trouble: String?

  /// Makes both files, and writes the service's initial state. Throws `Complaint` if one exists already, or
  /// cannot be made.
  init(path: String, beginning: ServiceBeginning, at time: ServiceTime) throws {
    self.path = path
    var bytes: [UInt8] = []
    encoder = try RecordingEncoder(RecordingHeader(beginning, at: time), into: &bytes)
    descriptor = try Self.make(path)
    do {
      lines = try Self.make(path + ".gpsd")
    } catch {
      close(descriptor)
      unlink(path)
      throw error
    }
    write(bytes, to: descriptor)
  }

  /// Called before the service receives the input.
  func record(_ input: ServiceInput, at time: ServiceTime) {
    step { encoder, bytes throws in try encoder.write(input: input, at: time, into: &bytes) }
  }

  /// Called before any of the effects is performed; `change` is the store's change.
  func record(
    _ outcome: LocationService.CommitOutcome, _ effects: [ServiceEffect],
    writing change: StoreChange? = nil
  ) {
    step { encoder, bytes throws in
      try encoder.write(change: change, outcome, effects, into: &bytes)
    }
  }

  /// Writes one original line of gpsd.
  func record(_ line: [UInt8]) {
    guard trouble == nil else { return }
    write(line + [0x0A], to: lines)
  }

  func finishRecording() {
    step { encoder, bytes throws in try encoder.finish(into: &bytes) }
    close(descriptor)
    close(lines)
  }

  private func step(_ body: (inout RecordingEncoder, inout [UInt8]) throws -> Void) {
    guard trouble == nil else { return }
    var bytes: [UInt8] = []
    do {
      try body(&encoder, &bytes)
      write(bytes, to: descriptor)
    } catch {
      trouble = "\(path): \(error)"
    }
  }

  private static func make(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Complaint(
        errno == EEXIST
          ? "\(path): it is there already; name another file, no recording is written over"
          : "\(path): cannot be made: \(SystemError.text())")
    }
    return descriptor
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    if let code = WholeWrite.write(bytes[...], to: descriptor).error {
      trouble = "\(path): cannot be written: \(SystemError.text(code))"
    }
  }
}
