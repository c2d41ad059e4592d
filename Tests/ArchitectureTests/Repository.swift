// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The repository as text, found from where this file was compiled.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Names at the top, dotfiles and the ignored `Package.resolved` left out.
  static func topLevel() throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: root.path)
    return Set(names.filter { !$0.hasPrefix(".") && $0 != "Package.resolved" })
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Every file below `folder` whose name ends in one of `endings` (none: every file), sorted.
  static func paths(in folder: String, endingIn endings: [String]) -> [String] {
    let base = root.appendingPathComponent(folder)
    guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
    let names = walk.compactMap { $0 as? String }
    let wanted = names.filter { name in endings.contains { name.hasSuffix($0) } }
    return wanted.sorted().map { folder + "/" + $0 }
  }

  static func swiftFiles(in folder: String) throws -> [SourceFile] {
    try paths(in: folder, endingIn: [".swift"]).map { try SourceFile(path: $0, text: text(of: $0)) }
  }

  /// The files of `Sources`, read once for all tests.
  static let sources = Result { try swiftFiles(in: "Sources") }

  static func manifest() throws -> Manifest { Manifest(text: try text(of: "Package.swift")) }
}

/// One Swift file: its path from the root, its text, and the words of its code.
struct SourceFile {
  let path: String
  let text: String
  let code: Code

  init(path: String, text: String) {
    self.path = path
    self.text = text
    code = Code(text)
  }

  /// `Geodesy` of `Sources/Values/Geodesy/WGS84.swift`.
  var target: String {
    let parts = path.split(separator: "/")
    // Below `Sources` a folder is a ring.
    let place = parts.first == "Sources" ? 2 : 1
    return parts.count > place ? String(parts[place]) : ""
  }

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
}

/// A finding of a check, in the form that editors can jump to.
struct Finding: Equatable, CustomStringConvertible {
  let path: String
  let line: Int
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}
