// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

// milepostd runs these two, for they need gpsd.

/// `milepost track`
struct Track: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "track",
    abstract: "Track live from gpsd (milepostd track).",
    discussion: "Runs milepostd track with the same arguments; milepostd track --help tells them.")

  @Argument(
    parsing: .captureForPassthrough, help: "What milepostd track takes.", completion: .file())
  var arguments: [String] = []

  func run() throws { try DaemonProgram.become(["track"] + arguments) }
}

/// `milepost doctor`
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say why there is no fix, and what to do (milepostd doctor).",
    discussion: "Runs milepostd doctor with the same arguments; milepostd doctor --help tells them."
  )

  @Argument(parsing: .captureForPassthrough, help: "What milepostd doctor takes.")
  var arguments: [String] = []

  func run() throws { try DaemonProgram.become(["doctor"] + arguments) }
}
