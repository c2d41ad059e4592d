// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// The paths of `milepostd`'s files, according to its refusals: none of these starts.
@Suite("Where the service keeps its files")
struct PlacesTests {
  @Test("An option with nothing in it is refused", arguments: ["--state", "--runtime", "--socket"])
  func empty(option: String) throws {
    let answer = try Program.run(["serve", option, ""], of: "milepostd")
    #expect(answer.code == 2)
    #expect(
      answer.errors == "milepostd: error: \(option) is empty; give a path, or leave it out\n")
  }

  @Test("A directory that cannot be made is named for what it is, with what names another one")
  func cannotBeMade() throws {
    let scratch = try Scratch()
    let file = try scratch.write("file", "")
    let other = scratch.path("other")
    let state = try Program.run(
      ["serve", "--state", file + "/a/b", "--runtime", other], of: "milepostd")
    #expect(state.code == 2)
    #expect(
      state.errors
        == "milepostd: error: \(file)/a/b: the state directory cannot be made: \(file): not a "
        + "directory; name another one with --state, STATE_DIRECTORY or XDG_STATE_HOME\n")
    let runtime = try Program.run(
      ["serve", "--state", other, "--runtime", file], of: "milepostd")
    #expect(runtime.code == 2)
    #expect(
      runtime.errors
        == "milepostd: error: \(file): the runtime directory cannot be made: not a directory; name "
        + "another one with --runtime, RUNTIME_DIRECTORY or XDG_RUNTIME_DIR\n")
  }

  @Test("A relative path is one of the folder that the service is started in")
  func relative() throws {
    let scratch = try Scratch()
    let file = try scratch.write("file", "")
    let folder = try #require(realpath(scratch.path(""), nil))
    defer { free(folder) }
    let answer = try Program.shell(
      "cd '\(scratch.path(""))' && '\(Program.path(of: "milepostd"))' serve --state ./file/a",
      in: scratch)
    #expect(answer.code == 2)
    #expect(
      answer.errors.hasPrefix("milepostd: error: \(String(cString: folder))/./file/a: "),
      "\(file): \(answer.errors)")
  }

  /// Only root can take another user's name, and the program must be one that he may run.
  private static func asUser(_ user: Int, _ rest: String) -> String {
    "setpriv --reuid=\(user) --clear-groups \(rest)"
  }

  private static let canBeAnother: Bool = {
    let test = "test -x '\(Program.path(of: "milepostd"))'"
    let answer = try? Program.shell(asUser(65_534, test), in: Scratch())
    return geteuid() == 0 && answer?.code == 0
  }()

  @Test(
    "Without HOME the home is the system's; a user who has none is asked for a place",
    .enabled(if: canBeAnother, "root alone can be another user (setpriv)"))
  func withoutHome() throws {
    let scratch = try Scratch()
    let program = "'\(Program.path(of: "milepostd"))'"
    // nobody, whose home does not exist in any distribution (/nonexistent, /).
    let home = try Program.shell("getent passwd 65534 | cut -d: -f6", in: scratch).output
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let nobody = try Program.shell(Self.asUser(65_534, "\(program) serve"), in: scratch)
    #expect(nobody.code == 2)
    #expect(
      nobody.errors.hasPrefix(
        "milepostd: error: \(home)/.local/state/milepost: the state directory cannot be made: "),
      "\(nobody.errors)")
    let stranger = try Program.shell(Self.asUser(54_321, "\(program) serve"), in: scratch)
    #expect(stranger.code == 2)
    #expect(
      stranger.errors
        == "milepostd: error: there is no place for the state: user 54321 has no home; set HOME or "
        + "give --state\n")
  }
}
