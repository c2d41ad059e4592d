// SPDX-License-Identifier: Apache-2.0

import JSONText
import Testing

struct JSONValueTests {
  @Test func aDocumentIsReadWithItsMembersInOrder() throws {
    let value = try JSONValue.parse(#" {"a":[1,-2.5e3,true,null],"b":{"c":"d"}} "#)
    #expect(value["a"]?.array == [.number(1), .number(-2_500), .bool(true), .null])
    #expect(value["b"]?["c"]?.string == "d")
    #expect(value.members?.map(\.key) == ["a", "b"])
  }

  @Test func escapesAndSurrogatePairsBecomeCharacters() throws {
    // U+1D11E is D834 DD1E in UTF-16 (RFC 8259, section 7).
    #expect(try JSONValue.parse(#""\uD834\uDD1E\n\/é\u00e9""#) == .string("\u{1D11E}\n/éé"))
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "01", "+1", ".5", "1.", "1e", "-", "nul", "NaN",
    "Infinity", "'a'", "\"\\x\"", "\"a", "1 2", "\"\u{1}\"", #""\uD834""#, #""\uDD1E""#, "1e999",
    "[1 2]", "{1:2}",
  ])
  func whatRFC8259ForbidsIsRefused(text: String) {
    #expect(throws: SyntaxError.self) { try JSONValue.parse(text) }
  }

  @Test func nestingIsBounded() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: SyntaxError.self) { try JSONValue.parse(deep) }
    let fine = String(repeating: "[", count: 63) + String(repeating: "]", count: 63)
    #expect(throws: Never.self) { try JSONValue.parse(fine) }
  }

  @Test func bytesThatAreNotUTF8AreRefused() {
    let bytes: [UInt8] = [0x22, 0xC3, 0x28, 0x22]
    #expect(throws: SyntaxError.self) { try JSONValue.parse(bytes.span) }
  }

  @Test func anErrorNamesTheByte() {
    let error = #expect(throws: SyntaxError.self) { try JSONValue.parse("{\"a\":x}") }
    #expect(error?.offset == 5)
    #expect(error?.message == "a value was expected")
  }
}

struct JSONWriterTests {
  @Test func whatIsWrittenIsOneLineOfJSON() {
    var json = JSONWriter()
    json.object { json in
      json.member("name", "a\"b\\c\u{1}\n")
      json.member("unknown", nil as Double?, decimals: 2)
      json.member("rounded", 2.345, decimals: 1)
      json.key("list")
      json.array { json in
        json.exact(0.1 + 0.2)
        json.integer(3)
        json.bool(false)
      }
    }
    #expect(
      json.text
        == #"{"name":"a\"b\\c\u0001\n","unknown":null,"rounded":2.3,"#
        + #""list":[0.30000000000000004,3,false]}"#)
  }

  @Test func emptyContainersAndNeighboursAreSeparatedRightly() {
    var json = JSONWriter()
    json.array { json in
      json.object { _ in }
      json.array { _ in }
      json.string(nil)
    }
    #expect(json.text == "[{},[],null]")
  }
}
