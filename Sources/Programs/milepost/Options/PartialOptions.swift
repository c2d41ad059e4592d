// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc

/// Whether a command writes lines that can be added up, or adds such lines up.
struct PartialOptions: ParsableArguments {
  @Flag(
    help: "One line of sums instead: --merge of the same release adds such lines up to a total.")
  var partial = false

  @Flag(help: "The total of such lines instead: those that --partial wrote with the same options.")
  var merge = false

  /// Throws if both are requested, or one of the incompatible `others`, or if standard input is to be added up.
  func check(_ files: [String], others: [(name: String, isThere: Bool)]) throws {
    guard partial || merge else { return }
    if partial, merge { throw ValidationError("--partial and --merge are two steps; choose one") }
    let name = partial ? "--partial" : "--merge"
    if let other = others.first(where: \.isThere) {
      throw ValidationError("\(other.name) does not go with \(name); leave it out")
    }
    if merge, files.contains("-") {
      throw ValidationError(
        "--merge reads its files twice, so none of them can be standard input (-); save it first")
    }
    if merge, let stream = files.first(where: Self.isStream) {
      throw ValidationError(
        "--merge reads its files twice, and \(stream) can be read only once; save it first")
    }
  }

  /// Whether it can be read only once.
  private static func isStream(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
      && [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }
}
