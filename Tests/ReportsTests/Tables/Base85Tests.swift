// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reports

@Suite("Words as text")
struct Base85Tests {
  @Test("The specification's own example, and the ends of the range")
  func published() {
    // https://rfc.zeromq.org/spec/32: the bytes 86 4F D2 6F B5 59 F7 5B.
    #expect(Base85.text([0x864F_D26F, 0xB559_F75B]) == "HelloWorld")
    #expect(Base85.words("HelloWorld") == [0x864F_D26F, 0xB559_F75B])
    #expect(Base85.words("") == [])
    for word in [0, 1, 84, 85, UInt32.max] { #expect(Base85.words(Base85.text([word])) == [word]) }
  }

  @Test(
    "What no words give is refused: a wrong length, a foreign character, a group above 2³² - 1",
    arguments: ["Hell", "HelloWorl", "Hell ", "Hell\"", "Hellö", "#####", "%nSc1"])
  func refused(text: String) {
    #expect(Base85.words(text) == nil)
  }
}
