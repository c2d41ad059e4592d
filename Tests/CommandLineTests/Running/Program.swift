// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// The built `milepost`, and others by name: in the directory that `MILEPOST_PROGRAMS` names, where
/// Tools/test has the release build, else beside the test bundle.
enum Program {
  struct Answer {
    let output: String
    let errors: String
    /// The exit code; −1 for an end by a signal.
    let code: Int32

    /// The lines of standard output as JSON objects.
    func documents() throws -> [[String: Any]] {
      try output.split(separator: "\n").map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
      }
    }
  }

  struct CannotStart: Error { let code: Int32 }

  static var path: String { path(of: "milepost") }

  /// The path of a built program.
  static func path(of name: String) -> String {
    if let directory = ProcessInfo.processInfo.environment["MILEPOST_PROGRAMS"] {
      return "\(directory)/\(name)"
    }
    let bundle =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: bundle).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }

  /// Runs the program; its output goes through files, so that no pipe can fill up.
  static func run(
    _ arguments: [String], of program: String = "milepost", input: String = "",
    in scratch: Scratch? = nil
  ) throws -> Answer {
    try run(arguments, at: path(of: program), input: input, in: scratch ?? Scratch())
  }

  /// The same with the program at a path, for copies that lie elsewhere.
  static func run(
    _ arguments: [String], at path: String, input: String = "", in scratch: Scratch
  ) throws -> Answer {
    let id = UUID().uuidString
    let names = ["in", "out", "err"].map { scratch.path(".\($0)-\(id)") }
    try Data(input.utf8).write(to: URL(fileURLWithPath: names[0]))
    defer { for name in names { try? FileManager.default.removeItem(atPath: name) } }
    let code = try spawn([path] + arguments, files: names)
    let text = { (index: Int) in
      String(
        decoding: (try? Data(contentsOf: URL(fileURLWithPath: names[index]))) ?? Data(),
        as: UTF8.self)
    }
    return Answer(output: text(1), errors: text(2), code: code)
  }

  /// Runs a shell command in which `$MILEPOST` is the program; returns its exit code and output.
  static func shell(_ script: String, in scratch: Scratch) throws -> Answer {
    let names = ["in", "out", "err"].map { scratch.path(".\($0)-\(UUID().uuidString)") }
    try Data().write(to: URL(fileURLWithPath: names[0]))
    let code = try spawn(["/bin/bash", "-c", script], files: names)
    let text = { (index: Int) in
      (try? String(contentsOfFile: names[index], encoding: .utf8)) ?? ""
    }
    return Answer(output: text(1), errors: text(2), code: code)
  }

  private static func spawn(_ arguments: [String], files: [String]) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, files[0], O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, files[1], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, files[2], O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let environment = ["PATH=/usr/bin:/bin", "LC_ALL=C", "MILEPOST=\(path)"]
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var child = pid_t()
    let failure = posix_spawn(&child, arguments[0], &actions, nil, &words, &variables)
    guard failure == 0 else { throw CannotStart(code: failure) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
  }
}

extension Program {
  /// Expects that `milepost` refuses these arguments with a sentence, and with nothing else.
  static func expect(
    _ arguments: [String], input: String = "", says message: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let answer = try run(arguments, input: input)
    #expect(answer.code == 2, sourceLocation: sourceLocation)
    #expect(answer.output.isEmpty, sourceLocation: sourceLocation)
    #expect(answer.errors == "milepost: error: \(message)\n", sourceLocation: sourceLocation)
  }
}
