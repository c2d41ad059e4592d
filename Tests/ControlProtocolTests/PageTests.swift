// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Testing

@Suite("The page about the protocol")
struct PageTests {
  private let page: String

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    page = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/milepost/Milepost.docc/ControlProtocol.md"), encoding: .utf8)
  }

  @Test("Its session is what encoder and decoder do, byte by byte")
  func session() throws {
    let lines = page.split(separator: "\n").filter { $0.hasPrefix("> ?") || $0.hasPrefix("< {") }
    #expect(lines.count == 17)
    var reader = ClientMessageReader()
    var expectedError: ServerMessage?
    for line in lines {
      let text = Array(line.dropFirst(2).utf8) + [0x0A]
      if line.hasPrefix(">") {
        reader.append(text.span)
        let read = reader.next()
        switch try #require(read) {
        case .success(let message): #expect(message.encode() == text)
        case .failure(let error): expectedError = error.answer
        }
      } else {
        let message = try #require(try ServerMessage.decode(text.span))
        #expect(message.encode() == text)
        if case .error = message {
          #expect(message == expectedError)
          expectedError = nil
        }
      }
    }
    #expect(expectedError == nil)
  }

  @Test("It names every message and every code")
  func complete() {
    for (message, _) in ClientMessageTests.messages { #expect(page.contains(message.name)) }
    for code in ServerMessage.ErrorCode.allCases { #expect(page.contains("`\(code.rawValue)`")) }
  }
}
