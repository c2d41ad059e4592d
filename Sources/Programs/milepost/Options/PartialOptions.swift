// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Whether a command writes sums that can be added up, adds such sums up, or judges a stream of trips.
struct PartialOptions: ParsableArguments {
  @Flag(
    help:
      "The sums over all of them as one line instead: --merge of the same release adds such lines up to a total."
  )
  var partial = false

  @Flag(
    help:
      "The total of such lines instead, made with the same options, also .gz and .zst; with --partial a line again."
  )
  var merge = false

  // For programs (Fleets-of-traces.md): people's help stays short.
  @Flag(
    help: ArgumentHelp(
      "Trips in frames on standard input instead, a JSON line out for each, and then their sums as --partial writes them.",
      visibility: .hidden))
  var stream = false

  @Option(
    help: ArgumentHelp(
      "With --stream: seconds of the processor that a trip may take; one that takes more has failed.",
      valueName: "seconds", visibility: .hidden),
    transform: { try Number.positive($0) })
  var tripSeconds: Double?

  /// Whether any of them was asked for.
  var isUsed: Bool { partial || merge || stream }

  /// Throws if two exclude each other, or one of the incompatible `others` is requested, or inputs are missing.
  func check(_ files: [String], others: [(name: String, isThere: Bool)]) throws {
    if tripSeconds != nil, !stream {
      throw ValidationError("--trip-seconds is for --stream; leave it out")
    }
    guard isUsed else { return }
    let name = stream ? "--stream" : partial && !merge ? "--partial" : "--merge"
    if stream, partial || merge {
      throw ValidationError("--stream writes its sums at the end; leave --partial and --merge out")
    }
    if let other = others.first(where: \.isThere) {
      throw ValidationError("\(other.name) does not go with \(name); leave it out")
    }
    if stream, let file = files.first {
      throw ValidationError("--stream reads trips from standard input; leave '\(file)' out")
    }
    if merge, files.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input (-) can be read only once")
    }
  }
}
