// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
  @Test("It shows what the program prints, up to the first footnote")
  func output() throws {
    let answer = try Program.run(["Traces/car-commute.gpx"])
    let shown = answer.output
    #expect(shown.contains("→ For the way:"))
    let file = Package.root.appendingPathComponent("README.md")
    let readme = try String(contentsOf: file, encoding: .utf8)
    #expect(readme.contains(shown), "put this into README.md:\n\(shown)")
  }
}
