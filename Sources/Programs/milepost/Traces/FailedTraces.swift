// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import ServiceContract
import TraceFiles

// Theory
// ======
//
// Who hands over many traces wants the others done, whatever one of them is. So one that cannot be read or judged is left
// out of all figures, and said when all are done, where it does not drown in what was printed meanwhile:
//
//   trace ──► result
//     └────► fault ── names the trace ──► noted: said at the end, and the exit code is 2
//                └─── does not ──► the end at once: a list of towers, a full disk concerns all of them
//
// A single trace has no others: its fault is the command's.

/// The traces of a command that could not be read or judged.
struct FailedTraces {
  private let traces: [String]
  private let truth: TruthOption?
  private var complaints: [String] = []

  /// `truth` says which files are read besides.
  init(among traces: [String], truth: TruthOption? = nil) {
    (self.traces, self.truth) = (traces, truth)
  }

  var isEmpty: Bool { complaints.isEmpty }

  /// Throws the exit code if any failed.
  func check() throws {
    if !isEmpty { throw ExitCode(2) }
  }

  /// Returns the work's result for a trace; `nil` if it failed at it.
  mutating func attempt<Result>(_ path: String, _ work: () throws -> Result) throws -> Result? {
    do {
      return try work()
    } catch {
      try note(error, of: path)
      return nil
    }
  }

  /// Notes the fault of a trace; throws it if there is no other trace, or if it concerns all.
  mutating func note(_ error: any Error, of path: String) throws {
    guard traces.count > 1, let message = Exit(error, of: Milepost.self).complaint else {
      throw error
    }
    let name = InputName.short(path)
    let files = [path] + (truth?.files(beside: [path]).compactMap(\.self) ?? [])
    guard files.contains(where: { message.contains(InputName.short($0)) }) else { throw error }
    // Traces of several folders may have one name.
    complaints.append(
      message.hasPrefix(name + ":") && path != "-" ? path + message.dropFirst(name.count) : message)
  }

  /// Says what failed, on standard error.
  func tell() {
    guard !isEmpty else { return }
    for complaint in complaints { Console.complain(complaint) }
    Console.complain(
      "\(Figures.count(complaints.count)) of \(Figures.count(traces.count, "trace", "traces")) failed; "
        + "what is told is of the others")
  }
}
