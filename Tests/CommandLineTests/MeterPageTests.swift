// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

private let hasPython = (try? Program.shell("python3 --version", in: Scratch()))?.code == 0

@Suite("Tools/check-meter", .enabled(if: hasPython, "python3 is not installed"))
struct MeterPageTests {
  private static let tool = Package.root.appendingPathComponent("Tools/check-meter").path

  @Test("The pages say what the meter says of each published measurement, and one line by hand")
  func page() throws {
    let answer = try Program.shell("MILEPOST=\"$MILEPOST\" '\(Self.tool)' --check", in: Scratch())
    #expect(answer.code == 0, "\(answer.errors)")
    // 1 h of a phone of 2013 that tracks in motion:
    // (304.92 + 53.96 + 158 + 33) mW × 3,600 s + 3,600 × 20 ms × 718.58 mW = 2,031.3 J of 31,464 J.
    let page = "Sources/Programs/milepost/Milepost.docc/How-well-does-Milepost-know-a-phone.md"
    let text = try String(
      contentsOf: Package.root.appendingPathComponent(page), encoding: .utf8)
    #expect(text.contains("| `phone-2013-lte` | 5.00 %/h | 6.46 ("))
  }
}
