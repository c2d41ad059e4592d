// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Programs in the places of packages.
@Suite("Installed programs")
struct InstalledTests {
  private let scratch: Scratch
  private var bin: String { root + "/bin" }
  private var apart: String { root + "/libexec/milepost" }
  private let root: String

  init() throws {
    scratch = try Scratch()
    root = scratch.path("usr")
    for folder in ["usr/bin", "usr/libexec/milepost", "state", "run"] {
      try FileManager.default.createDirectory(
        atPath: scratch.path(folder), withIntermediateDirectories: true)
    }
    try put("milepostd", "bin")
  }

  /// A shell makes the file: one that this process had open for writing could be inherited by another
  /// test's child, and would be busy.
  private func put(_ program: String, _ folder: String) throws {
    let (built, there) = (Program.path(of: program), "\(root)/\(folder)/\(program)")
    let answer = try Program.shell(
      "ln '\(built)' '\(there)' || cp '\(built)' '\(there)'", in: scratch)
    #expect(answer.code == 0, "\(answer.errors)")
  }

  /// Starts the service on an impossible control socket: no path may have more than 107 bytes (unix(7)).
  private func serve() throws -> Program.Answer {
    try Program.run(
      [
        "--state", scratch.path("state"), "--runtime", scratch.path("run"), "--socket",
        "/" + String(repeating: "s", count: 120),
      ], at: bin + "/milepostd", in: scratch)
  }

  @Test("Without its keeper the service says where one belongs")
  func nowhere() throws {
    let answer = try serve()
    #expect(answer.code == 2 && answer.output.isEmpty)
    let (beside, apart) = (bin + "/milepost-keeper", apart + "/milepost-keeper")
    #expect(
      answer.errors
        == "milepostd: error: milepost-keeper is neither \(beside) nor \(apart); milepostd needs it: "
        + "swift build makes it, and the package milepostd brings it\n")
  }

  @Test(
    "The keeper lies beside the service, or where packages have it",
    arguments: ["bin", "libexec/milepost"])
  func there(folder: String) throws {
    try put("milepost-keeper", folder)
    let answer = try serve()
    // The next fault.
    #expect(answer.code == 2)
    #expect(answer.errors.contains("/ssss") && !answer.errors.contains("milepost-keeper"))
  }
}
