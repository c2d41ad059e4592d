// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText
import Reports
import TraceFiles

/// Standard output and standard error.
enum Console {
  /// Attributes only on a terminal that supports them, and without `NO_COLOR` (no-color.org).
  static var style: TextStyle {
    let refuses = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    let isDumb = getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? false
    return isatty(STDOUT_FILENO) != 0 && !refuses && !isDumb ? .terminal : .plain
  }

  /// Columns of standard output: those of a terminal, or 80.
  static var width: Int {
    isatty(STDOUT_FILENO) == 0 ? AnswerText.usualWidth : min(TerminalScreen.size.width, 160)
  }

  /// Writes data at once; a reader that has gone away is no error.
  static func standardOutput(_ text: String) throws {
    try standardOutput(Array(text.utf8))
  }

  static func standardOutput(_ bytes: [UInt8]) throws {
    try OutputFile.writeWhole(bytes, to: nil)
  }

  /// Shows a report: its line of JSON if there is one, else its text.
  static func show(_ json: [UInt8]?, _ report: @autoclosure () -> Report) throws {
    try standardOutput(json ?? Array(report().text(style).utf8))
  }

  /// `milepost: error: …` on standard error.
  static func complain(_ message: String) { say("milepost: error: \(message)") }

  /// `milepost: …` on standard error: a remark that stops nothing.
  static func remark(_ message: String) { say("milepost: \(message)") }

  /// A message may hold a path as it was typed, and a path may hold any bytes.
  private static func say(_ message: String) {
    standardError(Quoted.plain(message, keeping: "\n\t") + "\n")
  }

  static func standardError(_ text: String) {
    _ = WholeWrite.write(Array(text.utf8)[...], to: STDERR_FILENO)
  }
}

extension OutputFile {
  /// Writes a whole file; `nil` and `-` are standard output.
  static func writeWhole(_ bytes: [UInt8], to path: String?) throws {
    let file = try OutputFile(path: path)
    try file.write(bytes)
    try file.commit()
  }
}
