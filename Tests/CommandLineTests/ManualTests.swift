// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The manual page")
struct ManualTests {
  @Test(
    "The committed page is what Tools/make-manual makes of the built program",
    arguments: [("milepost", 1), ("milepostd", 8)])
  func page(program: String, section: Int) throws {
    let scratch = try Scratch()
    let tool = Package.root.appendingPathComponent("Tools/make-manual").path
    let made = try Program.shell("'\(tool)' --print \"${MILEPOST%/*}/\(program)\"", in: scratch)
    #expect(made.code == 0, "\(made.errors)")
    let file = Package.root.appendingPathComponent(
      "Sources/Programs/\(program)/Manual/\(program).\(section)")
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(made.output == committed, "run: Tools/make-manual .build/debug/\(program)")
  }
}
