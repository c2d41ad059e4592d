// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Programs of Tools/, run if there is a Python.
enum Python {
  static let isThere: Bool = {
    (try? run(["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]))?.code == 0
  }()

  private static let tools = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Tools")

  static func tool(_ name: String, _ arguments: [String]) throws -> (code: Int32, output: Data) {
    try run([tools.appending(path: name).path] + arguments)
  }

  private static func run(_ arguments: [String]) throws -> (code: Int32, output: Data) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }
}
