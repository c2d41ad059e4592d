// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

@Suite("How deep JSON may be")
struct JSONDepthTests {
  @Test(
    "64 levels are read, 65 are not, and a million cost no more than that",
    arguments: ["[", "{\"a\":"])
  func depth(open: String) throws {
    let (close, inner) = open == "[" ? ("]", "") : ("}", "1")
    func text(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: open, count: depth) + inner + String(repeating: close, count: depth))
          .utf8)
    }
    // The number inside of objects is a level of its own.
    let most = open == "[" ? 64 : 63
    _ = try JSONValue.parse(text(most).span)
    for depth in [most + 1, 1_000_000] {
      let bytes = text(depth)
      let error = #expect(throws: SyntaxError.self) { try JSONValue.parse(bytes.span) }
      #expect(error?.message == "nested too deeply")
    }
  }
}
