// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("The manual page")
struct ManualTests {
  @Test("The committed page is what Tools/make-manual makes of the built program")
  func page() throws {
    let scratch = try Scratch()
    let tool = Package.root.appendingPathComponent("Tools/make-manual").path
    let made = try Program.shell("'\(tool)' --print \"$MILEPOST\"", in: scratch)
    #expect(made.code == 0, "\(made.errors)")
    let file = Package.root.appendingPathComponent("Sources/milepost/Manual/milepost.1")
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(made.output == committed, "run: Tools/make-manual .build/debug/milepost")
  }
}
