// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A separate folder for each test, removed at its end.
final class Scratch {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "milepost-cli-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file and returns its path.
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// The option for a world file with these lines.
  func world(_ keys: String) throws -> [String] {
    ["--world", try write("world.yaml", keys + "\n")]
  }
}
