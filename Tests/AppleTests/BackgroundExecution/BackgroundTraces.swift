// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The repository's traces, found from where this file was compiled.
enum Traces {
  static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Traces").appendingPathComponent(name).path
  }
}
