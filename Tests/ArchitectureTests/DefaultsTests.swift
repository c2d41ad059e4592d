// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("A default over a type of ours is found, and no other one")
struct DefaultsTests {
  private func lines(_ text: String) -> [Int] {
    Checks.defaults(in: SourceFile(path: "Sources/Logic/ServiceCore/Sample.swift", text: text))
      .map(\.line)
  }

  @Test(
    "A case that is named with a dot makes it one of ours, however the pattern is written",
    arguments: [
      ".start:", ".start(let a):", "let .start(a):", "(.on, 3):", ".some(.start)?:",
      ".start where a > 2:", ".start(a: 1), .stop:", "\n    .start:",
    ])
  func ours(pattern: String) {
    let found = lines("switch a {\ncase \(pattern) b()\ndefault: break\n}\n")
    #expect(found == [pattern.hasPrefix("\n") ? 4 : 3])
  }

  @Test(
    "Numbers, texts and bytes need one",
    arguments: [
      "3:", "-1:", "6...:", "\"log\":", "UInt8(ascii: \"0\")...UInt8(ascii: \"9\"):",
      "a where a > 2:",
    ])
  func values(pattern: String) {
    #expect(lines("switch a {\ncase \(pattern) b(.start)\ndefault: c.d()\n}\n").isEmpty)
  }

  @Test("Each switch is judged by its own cases; a default of a dictionary is none")
  func nested() {
    let inner = "switch b {\ncase 1: d(.x)\ndefault: break\n}\n"
    #expect(lines("switch a {\ncase .start:\n\(inner)case .stop: break\n}\n").isEmpty)
    let ours = "switch b {\ncase .one: break\ndefault: break\n}\n"
    #expect(lines("switch a {\ncase 1:\n\(ours)default: break\n}\n") == [5])
    #expect(lines("switch a {\ncase .start: b[.x, default: 0] += 1\n}\n").isEmpty)
  }
}
