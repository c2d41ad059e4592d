// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A real browser's findings about a page.
struct BrowserLook {
  static let chromium = Station.which("chromium")

  /// Expressions that stayed false, with their last values.
  let failed: [[Any]]
  /// Violations of the page's policy, failures of its script, and missing resources.
  let log: [String]
  /// The hosts that the page contacted.
  let hosts: [String]

  /// Opens a page in a new browser, and evaluates `expressions` until each is true. `options` are those of
  /// `Apps/look.py`.
  init(
    at address: String, in station: Station, width: Int, scheme: String = "light",
    options: [String] = [], _ expressions: [String]
  ) throws {
    let program = try #require(Self.chromium)
    let output = station.path("look-\(UUID().uuidString)")
    let child = try Child(
      [
        Station.which("python3") ?? "python3", Station.apps + "/look.py", program,
        station.path("profile-\(UUID().uuidString)"), address, "\(width)", scheme,
      ] + options + expressions, environment: ["HOME": station.folder], output: output)
    Waiting.until("the browser has looked", limit: 90) { !child.isRunning }
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
    let said = try #require(
      try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      "it said: \(text)")
    failed = said["failed"] as? [[Any]] ?? []
    log = said["log"] as? [String] ?? []
    hosts = said["hosts"] as? [String] ?? []
  }
}
