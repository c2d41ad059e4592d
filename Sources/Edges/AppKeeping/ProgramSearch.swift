// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Searches for the program of a command at its start, and reports the fault if it cannot be run.
///
/// As execvp(3): a name with a slash is a path, relative to the app's directory unless it is absolute; any other is
/// searched in each folder of PATH. The keeper tries `candidates`; the reader of a manifest checks `fault` before, so
/// that the user hears of a missing program before the first event.
package struct ProgramSearch: Sendable, Equatable {
  /// The program as written in the command.
  package let program: String
  /// The app's working directory, an absolute path.
  package let directory: String
  /// The paths where the program may be, in order; relative ones begin at `directory`.
  package let candidates: [String]

  /// The path if there is no PATH.
  package static let usualPath = "/usr/local/bin:/usr/bin:/bin"

  /// `path` is the PATH of the app; `nil` if it has none.
  package init(_ program: String, directory: String, path: String?) {
    self.program = program
    self.directory = directory
    if program.contains("/") {
      candidates = [program]
    } else {
      let folders = (path ?? Self.usualPath).split(separator: ":", omittingEmptySubsequences: false)
      candidates = folders.map { $0.isEmpty ? program : "\($0)/\(program)" }
    }
  }

  /// A file at a path.
  package enum Sight: Sendable, Equatable {
    case nothing
    case folder
    /// A file that may not be run.
    case file
    case program
    /// A folder that may not be entered, or something in one.
    case closed
  }

  /// The reason why the program cannot be run, and the remedy.
  package struct Fault: Error, Sendable, Equatable {
    /// The fact.
    package let text: String
    package let advice: String

    /// Both, as one sentence.
    package var words: String { "\(text); \(advice)" }
  }

  /// The fault; `nil` if a start would find its program. `look` returns the kind of file at an
  /// absolute path.
  package func fault(_ look: (String) -> Sight = Self.look(at:)) -> Fault? {
    switch look(directory) {
    case .folder: break
    case .closed:
      return Fault(
        text: "its directory \(directory) may not be entered",
        advice:
          "chmod +x it and the folders above it, or name another one in the manifest (directory)")
    case .nothing, .file, .program:
      return Fault(
        text: "its directory \(directory) is not there",
        advice: "make it, or name another one in the manifest (directory)")
    }
    var unfit: (path: String, sight: Sight)?
    for candidate in candidates {
      let path = absolute(candidate)
      switch look(path) {
      case .program: return nil
      case .nothing: continue
      case .file, .folder, .closed: unfit = unfit ?? (path, look(path))
      }
    }
    guard let unfit else { return absence(look) }
    if unfit.sight == .closed {
      return Fault(
        text: "its program \(program) is in a folder that may not be entered (\(unfit.path))",
        advice: "chmod +x the folders above it, or mend its path (command in the manifest)")
    }
    if unfit.sight == .folder {
      return Fault(
        text: "its program \(program) is a folder (\(unfit.path))",
        advice: "name the program in it (command in the manifest)")
    }
    return Fault(
      text: "its program \(program) may not be run (\(unfit.path))",
      advice: "chmod +x \(Self.quoted(unfit.path))")
  }

  /// The word as a shell reads it back (POSIX, Shell Command Language, 2.2.2).
  private static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || "/._-+,:@%=".utf8.contains(byte)
    }
    return plain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }

  private func absence(_ look: (String) -> Sight) -> Fault {
    if program.contains("/") {
      let place = absolute(program)
      let places = place == program ? "" : ": \(place) was looked for"
      return Fault(
        text: "its program \(program) is not there\(places)",
        advice: program.hasPrefix("/")
          ? "build or install it, or mend its path (command in the manifest)"
          : "build it, or mend its path (command in the manifest), which begins at the app's directory"
      )
    }
    let beside = absolute(program)
    let folders = candidates.map { String($0.dropLast(program.utf8.count + 1)) }
      .map { $0.isEmpty ? directory : $0 }
    return Fault(
      text: "its program \(program) is not there: \(folders.joined(separator: ", ")) were looked "
        + "through (PATH)",
      advice: look(beside) == .program
        ? "write ./\(program) for the one in \(directory) (command in the manifest)"
        : "install it, or write its path (command in the manifest)")
  }

  private func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// The file at a path, for the user of this process.
  package static func look(at path: String) -> Sight {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == EACCES ? .closed : .nothing }
    if status.st_mode & S_IFMT == S_IFDIR { return access(path, X_OK) == 0 ? .folder : .closed }
    return access(path, X_OK) == 0 ? .program : .file
  }
}
