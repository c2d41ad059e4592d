// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Glibc
import LocationModel
import NIOCore
import NIOPosix
import Servers
import ServiceContract
import Synchronization

@testable import ServiceCore

/// A server with a service that answers at once, and the messages to that service.
final class Site: Sendable {
  let server: StatusServer
  let port: UInt16
  let urlFile: String
  let loop: any EventLoop
  private let folder: URL
  private let events = Events()

  /// The messages to the service.
  var said: [ClientEvent] { events.list.withLock { $0 } }

  init(answers: Bool = true, ground: Bool = false) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    urlFile = folder.appendingPathComponent("web-url").path
    let events = events
    let made = Made()
    loop = MultiThreadedEventLoopGroup.singleton.next()
    let server = StatusServer(on: loop) { event in
      events.list.withLock { $0.append(event) }
      guard answers, case .message(_, let message, let id) = event else { return }
      let answer: ServerMessage =
        switch message {
        case .user(.overview): OverviewDocument.empty.message
        case .user(.history): HistoryDocument(entries: []).message
        default: StatusDocument.empty.message
        }
      made.server.withLock { $0 }?.answer(answer, id: id)
    }
    made.server.withLock { $0 = server }
    let address = try await server.listen(
      .init(
        host: "127.0.0.1", port: 0, urlFile: urlFile,
        surroundings: PageSurroundings(ground: ground, leaflet: nil)))
    self.server = server
    port = UInt16(address.split(separator: ":").last ?? "") ?? 0
  }

  private final class Events: Sendable {
    let list = Mutex<[ClientEvent]>([])
  }

  private final class Made: Sendable {
    let server = Mutex<StatusServer?>(nil)
  }

  /// The token of the address that only the user can read.
  var token: String {
    let text = (try? String(contentsOfFile: urlFile, encoding: .utf8)) ?? ""
    return text.split(separator: "=").last.map { $0.trimmingCharacters(in: .newlines) } ?? ""
  }

  /// Enters with the token; returns the cookie.
  func admitted() throws -> String {
    let answer = try Visitor(port).ask("GET /?token=\(token) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let line = answer.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") } ?? ""
    return String(line.dropFirst(12).prefix { $0 != ";" })
  }

  func stop() async {
    await server.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}

/// One connection, controlled byte by byte by a test.
final class Visitor {
  private let descriptor: Int32

  struct CannotConnect: Error {}

  init(_ port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    address.sin_port = port.bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw CannotConnect() }
    var limit = timeval(tv_sec: 15, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func send(_ text: String) {
    _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  /// The next bytes; empty at the end, or after 15 s without any.
  func receive() -> String {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    return count > 0 ? String(decoding: chunk[..<count], as: UTF8.self) : ""
  }

  /// Everything up to the end.
  func rest() -> String {
    var all = ""
    while true {
      let part = receive()
      guard !part.isEmpty else { return all }
      all += part
    }
  }

  /// Everything until `text` is among it.
  func receive(until text: String) -> String {
    var all = ""
    while !all.contains(text) {
      let part = receive()
      guard !part.isEmpty else { return all }
      all += part
    }
    return all
  }

  func ask(_ request: String) -> String {
    send(request)
    return rest()
  }
}
