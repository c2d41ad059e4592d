// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText

/// A program of the machine that makes one file of another, from its standard input to its standard output.
enum FilterProgram {
  /// Whether a program of this name is on `PATH`.
  static func isInstalled(_ name: String) -> Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }

  /// Runs it to its end on an open file; returns a nameless file with its output, positioned at its end.
  ///
  /// Throws what it said if it ends with an error, or writes nothing.
  static func output(
    of words: [String], reading input: Int32, name: String
  ) throws(Complaint) -> Int32 {
    let output = try Spool.namelessFile(for: name)
    do throws(Complaint) {
      let said = try Spool.namelessFile(for: name)
      defer { close(said) }
      let status = try Running(words, files: [input, output, said]).end()
      guard status == 0, lseek(output, 0, SEEK_END) > 0 else {
        throw Complaint("\(name): \(words[0]) could not read it: \(text(of: said))")
      }
    } catch {
      close(output)
      throw error
    }
    return output
  }

  /// One that was started.
  struct Running {
    private let pid: pid_t

    /// `files` become its standard input, output and, if there are three, error.
    init(_ words: [String], files: [Int32]) throws(Complaint) {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for (place, file) in files.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, file, Int32(place))
      }
      var arguments = words.map { strdup($0) } + [nil]
      defer { for argument in arguments { free(argument) } }
      var pid = pid_t()
      let failure = posix_spawnp(&pid, words[0], &actions, nil, &arguments, environ)
      guard failure == 0 else {
        throw Complaint("cannot start \(words[0]): \(SystemError.text(failure))")
      }
      self.pid = pid
    }

    /// Waits for its end; its exit status, or that of a shell if a signal ended it.
    func end() -> Int32 {
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
      return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
  }

  /// The first line of what it said, 200 bytes of it.
  private static func text(of file: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 200)
    let count = pread(file, &bytes, bytes.count, 0)
    let line = bytes.prefix(max(0, count)).split(separator: 0x0A).first ?? []
    return line.isEmpty
      ? "it made nothing of it" : Quoted.plain(String(decoding: line, as: UTF8.self)[...])
  }
}
