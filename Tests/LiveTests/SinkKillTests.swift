// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Testing

extension Live {
  /// `kill -9` of a service while a server is answering, event by event, what had waited.
  @Suite("Kills within a batch")
  struct SinkKillTests {
    private static let kills = 6

    @Test("Each kill brings one event again at most: the one whose answer was not stored")
    func kills() throws {
      let server = try SlowServer()
      defer { server.close() }
      let station = try Station()
      try station.startGPSD()
      try station.startDaemon()
      // Ten events a second, and three answers: several always wait.
      server.answerAfter(0.3)
      try station.add(
        "slow",
        """
        kind: sink
        service: continuous
        modes: [location]
        authorization: always
        sink:
          kind: webhook
          url: http://127.0.0.1:\(server.port)/
        """)
      Waiting.until("events wait behind the first ones") { server.numbers.count > 3 }
      for kill in 1...Self.kills {
        // 0.41, 0.82, …, 2.46 s after the last start: at another moment of an answer each time.
        Waiting.pass(0.41 * Double(kill))
        station.killDaemon()
        let before = server.numbers.count
        try station.startDaemon()
        Waiting.until("the next service goes on (kill \(kill))") {
          server.numbers.count > before + 2
        }
      }
      server.answerAfter(0)
      let pending: () throws -> Int? = {
        try station.document(["apps", "show", "slow"])["pending"] as? Int
      }
      try Waiting.until("what waited is sent", limit: 30) { try pending() ?? .max < 5 }
      station.stopDaemon()

      let numbers = server.numbers
      let last = numbers.max() ?? 0
      #expect(last > 20)
      #expect(Set(numbers) == Set(1...max(1, last)), "none is left out")
      let again = numbers.count - Set(numbers).count
      #expect(again <= Self.kills, "\(again) came again after \(Self.kills) kills: \(numbers)")
      for (number, next) in zip(numbers, numbers.dropFirst()) {
        #expect(next == number + 1 || next == number, "\(next) after \(number)")
      }
    }
  }
}

/// An HTTP server that takes its time for each request, and keeps the numbers of the events that came.
private final class SlowServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private struct State {
    var numbers: [Int] = []
    var delay = 0.0
  }
  private let state = Mutex(State())

  init() throws {
    (listener, port) = try Feed.listen(on: 0)
    Thread { [self] in serve() }.start()
  }

  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
  }

  /// The numbers of the events whose requests came whole, in their order.
  var numbers: [Int] { state.withLock { $0.numbers } }

  /// Waits so many seconds between a request and its answer.
  func answerAfter(_ seconds: Double) { state.withLock { $0.delay = seconds } }

  private func serve() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return }
      while let body = readBody(from: client) {
        let event = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        let delay = state.withLock {
          $0.numbers.append(event?["sequence"] as? Int ?? -1)
          return $0.delay
        }
        Waiting.pass(delay)
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        guard answer.withCString({ send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }) > 0
        else { break }
      }
      Glibc.close(client)
    }
  }

  /// The body of the next request; `nil` at the end.
  private func readBody(from client: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let head = text[..<end.lowerBound].lowercased().components(separatedBy: "\r\n")
        let length = head.first { $0.hasPrefix("content-length:") }
          .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
        let body = Array(text[end.upperBound...].utf8)
        if body.count >= length ?? 0 { return body }
      }
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }
}
