// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Testing

@Suite("The page about the protocol")
struct PageTests {
  private let page: String

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    page = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/Programs/milepost/Milepost.docc/ControlProtocol.md"), encoding: .utf8)
  }

  @Test("Its examples are what encoder and decoder do, byte by byte")
  func examples() throws {
    let lines = page.split(separator: "\n").filter { $0.hasPrefix("> ?") || $0.hasPrefix("< {") }
    #expect(lines.count > 100)
    var reader = ClientMessageReader()
    var expectedError: ServerMessage?
    for line in lines {
      let text = Array(line.dropFirst(2).utf8) + [0x0A]
      if line.hasPrefix(">") {
        #expect(expectedError == nil, "the error before \(line) is not shown")
        reader.append(text.span)
        let read = reader.next()
        let request = try #require(read)
        switch request.message {
        case .success(let message): #expect(message.encode(id: request.id) == text)
        case .failure(let error): expectedError = error.answer
        }
      } else {
        let object = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any]
        let id = object?["id"] as? String
        let message = try #require(try ServerMessage.decode(text.span), "\(line)")
        if case .document = message {
          #expect(message.encode() == text)
        } else {
          #expect(message.encode(id: id) == text)
        }
        if case .error = message, let expected = expectedError {
          #expect(message == expected)
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
