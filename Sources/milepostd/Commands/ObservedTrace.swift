// SPDX-License-Identifier: Apache-2.0

import Glibc
import TraceFiles

/// The trace of `track --observe`: kept where the user named a file, else for the comparison alone.
struct ObservedTrace {
  let path: String
  let format: OutputFormat
  private let isKept: Bool

  init(_ output: String?) throws {
    if let output {
      guard output != "-" else {
        throw Complaint("--observe needs a file for its trace; -o - is none")
      }
      (path, format, isKept) = (output, try OutputFormat(endingOf: output), true)
      return
    }
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? P_tmpdir
    (path, format, isKept) = ("\(folder)/milepost-observed-\(getpid()).jsonl", .jsonl, false)
  }

  /// Runs `milepost compare` over it, and removes it where nobody asked to keep it.
  func compare(profile: String, fixes: Int) throws {
    defer { if !isKept { unlink(path) } }
    guard fixes > 1 else {
      throw Complaint("there is nothing to compare: \(fixes) fixes came")
    }
    let program = try Places.sibling("milepost")
    let arguments = [program, "compare", "--profile", profile, path]
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, program, nil, nil, &pointers, environ) == 0 else {
      throw Complaint("\(program) cannot be run: \(String(cString: strerror(errno)))")
    }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
  }
}
