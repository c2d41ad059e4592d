// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ControlProtocol

@Suite("Binary content in messages")
struct Base64Tests {
  @Test(
    "Base64 is that of RFC 4648, section 10",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func base64(text: String, code: String) throws {
    let manifest = ClientMessage.add(
      .init(file: "f", directory: "/", bytes: Array(text.utf8)))
    let line = String(decoding: manifest.encode(), as: UTF8.self)
    #expect(line == #"?ADD={"file":"f","directory":"/","manifest_base64":"\#(code)"};"# + "\n")
    var reader = ClientMessageReader()
    reader.append(Array(line.utf8).span)
    #expect(try reader.next()?.message.get() == manifest)
  }
}
