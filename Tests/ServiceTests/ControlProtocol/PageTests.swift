// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@testable import ControlProtocol

@Suite("The page about the protocol")
struct PageTests {
  private let page: String

  init() throws {
    page = try Self.text(of: "Programs/milepost/Milepost.docc/ControlProtocol.md")
  }

  private static func text(of path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent("Sources/" + path), encoding: .utf8)
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
    for form in ClientMessage.forms { #expect(page.contains("?\(form.word)"), "\(form.word)") }
    for form in ServerMessage.forms {
      #expect(page.contains("\"class\":\"\(form.word)\""), "\(form.word)")
    }
    for code in ServerMessage.ErrorCode.allCases { #expect(page.contains("`\(code.rawValue)`")) }
  }

  @Test("The client in Python knows each message to an app, and each reason to wake one")
  func python() throws {
    // What gpsd's clients and the user are told, and the answer that it waits for in another place.
    let others: Set = ["DEVICES", "POLL", "SKY", "TPV", "WATCH", "OK"]
    let messages = try Self.text(of: "python-client/milepost/messages.py")
    let words = ServerMessage.forms.map(\.word).filter { !others.contains($0) }
    #expect(words.filter { !messages.contains("\"\($0)\":") } == [])
    let values = try Self.text(of: "python-client/milepost/values.py")
    #expect(WakeReason.allCases.filter { !values.contains(" = \"\($0.rawValue)\"") } == [])
  }
}
