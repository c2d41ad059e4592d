// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

private let hasPython = (try? Program.shell("python3 --version", in: Scratch()))?.code == 0

@Suite("Tools/check-meter", .enabled(if: hasPython, "python3 is not installed"))
struct MeterPageTests {
  private static let tool = Package.root.appendingPathComponent("Tools/check-meter").path

  @Test("The page says what the meter says of each published measurement")
  func page() throws {
    let answer = try Program.shell("MILEPOST=\"$MILEPOST\" '\(Self.tool)' --check", in: Scratch())
    #expect(answer.code == 0, "\(answer.errors)")
  }

  @Test("A line by hand: 1 h of a Nexus 5 that tracks and is awake is 4.64 % of its battery")
  func line() throws {
    let answer = try Program.shell("MILEPOST=\"$MILEPOST\" '\(Self.tool)'", in: Scratch())
    // (304.92 + 53.96 + 12.2 + 20.0545) mW × 3,600 s + 3,600 × 20 ms × 718.58 mW = 1,459.8 J of 31,464 J.
    #expect(answer.output.contains("| 5.00 %/h | 4.64 ("))
  }
}
