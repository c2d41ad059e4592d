// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension Live {
  /// Its own tests, in Python, against daemons of their own.
  @Suite("The Python client")
  struct PythonClientTests {
    @Test("Its tests pass, also against a real daemon")
    func tests() throws {
      let python = try #require(Station.which("python3"))
      let client = URL(fileURLWithPath: Station.apps).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/python-client").path
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("milepost-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let log = folder.appendingPathComponent("log").path
      let child = try Child(
        [python, "-m", "unittest", "discover", "-s", "\(client)/tests", "-t", client],
        environment: [
          "MILEPOST_PROGRAMS": ProcessInfo.processInfo.environment["MILEPOST_PROGRAMS"]
            ?? Station.programs,
          "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": NSTemporaryDirectory(),
        ], output: log)
      Waiting.until("the tests end", limit: 300) { !child.isRunning }
      let said = try String(contentsOfFile: log, encoding: .utf8)
      #expect(child.status == 0, "\(said)")
      #expect(said.hasSuffix("OK\n"), "none was left out: \(said)")
    }
  }
}
