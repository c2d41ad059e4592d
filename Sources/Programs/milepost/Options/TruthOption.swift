// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import TraceFiles

/// The file of the device's true positions.
struct TruthOption: ParsableArguments {
  @Option(
    file: "Where the device truly was: a file, or none (default: X.truth.csv beside the trace X).")
  var truth: String?

  /// The files that are read for these traces besides them.
  func files(beside traces: [String]) -> [String?] {
    traces.map { truth ?? TraceFile.truthPath(beside: $0) }
  }

  /// Throws if several traces would share one truth, or standard input would be read twice.
  func check(_ traces: [String]) throws {
    if truth != nil, truth != "none", traces.count > 1 {
      throw ValidationError("--truth names the truth of one trace, but several were given")
    }
    try Self.checkStandardInput(traces)
  }

  static func checkStandardInput(_ paths: [String]) throws {
    if paths.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input (-) can be read only once")
    }
  }
}
