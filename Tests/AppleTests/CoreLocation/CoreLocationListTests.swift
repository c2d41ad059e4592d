// SPDX-License-Identifier: Apache-2.0

import CoreLocation
import Testing

@Suite("The list of uses is as long as the page says")
struct CoreLocationListTests {
  private static let here = URL(filePath: #filePath).deletingLastPathComponent()

  @Test("Numbers go from 1 on without a gap, and the page tells how many there are")
  func count() throws {
    let file = Self.here.appending(path: "CoreLocationUsesTests.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    let numbers = text.matches(of: /\/\/ (\d+)$/.anchorsMatchLineEndings()).compactMap {
      Int($0.1)
    }
    #expect(numbers == Array(1...numbers.count))
    let page = Self.here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/Programs/milepost/Milepost.docc/Core-Location-on-Linux.md")
    let says = try String(contentsOf: page, encoding: .utf8)
    let left = says.matches(of: /\n\| (\d+) \| `/).compactMap { Int($0.1) }
    #expect(left == Array(1...left.count))
    #expect(says.contains("Of \(numbers.count + left.count) typical uses \(numbers.count) compile"))
  }
}
