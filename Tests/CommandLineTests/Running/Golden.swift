// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Expected output as text in the repository, reviewed as a diff. `GOLDEN=update swift test` rewrites it; if `CI` is
/// set that is refused.
enum Golden {
  static func expect(
    _ text: String, is name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(text, inFile: "Golden/\(name).txt", sourceLocation: sourceLocation)
  }

  /// The same for a file, named from the folder of these tests.
  static func expect(
    _ text: String, inFile name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = Package.root.appendingPathComponent("Tests/CommandLineTests/\(name)")
    let environment = ProcessInfo.processInfo.environment
    if environment["GOLDEN"] == "update" {
      guard environment["CI"] == nil else {
        Issue.record("GOLDEN=update is refused where CI is set", sourceLocation: sourceLocation)
        return
      }
      try Data(text.utf8).write(to: file)
      return
    }
    let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? "(there is no \(name))"
    #expect(text == expected, "differs from \(name)", sourceLocation: sourceLocation)
  }
}

/// The package that these tests belong to.
enum Package {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func trace(_ name: String) -> String {
    root.appendingPathComponent("Traces/\(name)").path
  }
}
