// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Glibc
import Host
import JSONText
import TraceFiles

/// The trace of `track --observe`: kept if the user named a file, else only for the comparison.
///
/// The latter is in a separate directory that only this user can read; its creator calls `remove` at the end in any
/// case.
struct ObservedTrace {
  let path: String
  let format: OutputFormat
  /// The directory to remove; `nil` if the user named a file.
  private let directory: String?
  private let program: String

  /// Throws `Complaint` if `milepost`, which compares, is missing: before hours of tracking.
  init(_ output: String?, _ format: OutputFormat?) throws {
    program = try ServicePaths.companion("milepost")
    if let output {
      guard output != "-" else {
        throw Complaint("--observe needs a file for its trace; -o - is none")
      }
      path = output
      self.format = try format ?? OutputFormat.chosen(for: output)
      directory = nil
      return
    }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
    guard let made = Directory.makeTemporary(in: folder) else {
      throw Complaint(
        "\(folder): no directory can be made here: \(SystemError.text()); name another "
          + "one in TMPDIR, or a file with -o")
    }
    path = made + "/observed.jsonl"
    self.format = try .chosen(for: path)
    directory = made
  }

  /// Removes an unrequested file.
  func remove() {
    guard let directory else { return }
    unlink(path)
    rmdir(directory)
  }

  /// Runs `milepost compare` over it, and returns its exit code; 1 if there is nothing to compare.
  func compare(profile: String, fixes: Int, json: Bool) throws -> Int32 {
    guard fixes > 1 else {
      Terminal.error(
        "milepost: there is nothing to compare: \(fixes == 0 ? "no fix" : "one fix") came\n")
      return 1
    }
    let arguments = [program, "compare", "--profile", profile] + (json ? ["--json"] : []) + [path]
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    // It gets the default signal handlers, since this program catches signals.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, program, nil, &attributes, &pointers, environ)
    guard failure == 0 else {
      throw Complaint("\(program) cannot be run: \(SystemError.text(failure))")
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    // Its own message gave the reason; an end by a signal is an error.
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 2
  }
}
