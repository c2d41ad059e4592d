// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Host

/// gpsd's process on this machine: its rights and its assigned devices.
///
/// gpsd does not report a device that it cannot open: `devices` is then empty, as if none were assigned. Its command
/// line holds the assigned devices; its right to open them depends on the user and the groups that remain after it gave
/// up root's rights.
package struct GPSDProcess: Sendable, Equatable {
  package var user: UInt32
  package var groups: [UInt32]
  package var devices: [String]
  /// Its control socket (`-F`); `nil` if the option is missing, as when systemd opens it.
  package var control: String?
  /// Whether it opens its devices at once and never closes them (`-n`).
  package var isAlwaysOpen = false

  /// `arguments` without the program, and the text of `/proc/PID/status`; `nil` if it serves another port, or if the
  /// text names no user.
  package init?(arguments: [String], status: String, port: Int) {
    var rest = arguments[...]
    var served = "2947"
    devices = []
    while let word = rest.popFirst() {
      if word.hasPrefix("-S") {
        served = word == "-S" ? rest.popFirst() ?? "" : String(word.dropFirst(2))
      } else if word.hasPrefix("-F") {
        control = word == "-F" ? rest.popFirst() : String(word.dropFirst(2))
      } else if ["-D", "-P", "-f", "-s"].contains(word) {
        rest = rest.dropFirst()
      } else if word == "--nowait" || ["-n", "-Nn", "-nN"].contains(word) {
        isAlwaysOpen = true
      } else if !word.hasPrefix("-") {
        devices.append(word)
      }
    }
    // The second number is the effective user (proc(5)).
    guard served == String(port), let users = Self.numbers("Uid:", in: status), users.count > 1
    else { return nil }
    user = users[1]
    groups =
      (Self.numbers("Gid:", in: status) ?? []).dropFirst().prefix(1)
      + (Self.numbers("Groups:", in: status) ?? [])
  }

  private static func numbers(_ key: String, in status: String) -> [UInt32]? {
    status.split(separator: "\n").first { $0.hasPrefix(key) }?
      .dropFirst(key.count).split { $0 == " " || $0 == "\t" }.compactMap { UInt32($0) }
  }

  /// The process that serves `port` here; `nil` if none is seen.
  static func serving(_ port: Int) -> GPSDProcess? {
    for name in Directory.names(in: "/proc") {
      guard Int32(name) != nil,
        let line = SmallFile.text(of: "/proc/\(name)/cmdline")
      else { continue }
      let words = line.split(separator: "\0", omittingEmptySubsequences: true).map(String.init)
      guard let program = words.first, program.split(separator: "/").last == "gpsd",
        let status = SmallFile.text(of: "/proc/\(name)/status"),
        let process = GPSDProcess(
          arguments: Array(words.dropFirst()), status: status, port: port)
      else { continue }
      return process
    }
    return nil
  }

  /// The setting of Debian's `/etc/default/gpsd`: the paths of `DEVICES="..."`.
  package static func devices(inDefaults text: String) -> [String] {
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    guard let line = lines.last(where: { $0.hasPrefix("DEVICES=") }) else { return [] }
    return line.dropFirst("DEVICES=".count).split { " \t\"'".contains($0) }.map(String.init)
  }
}
