// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Testing

/// Accepts one connection and forwards it to a port of 127.0.0.1.
enum Relay {
  /// A port of 127.0.0.2: a broker listens only on 127.0.0.1, and the name requested by a client counts.
  static func port(to port: Int) throws -> Int {
    let (listener, own) = try listening(on: 0x7F00_0002)
    let thread = Thread {
      let peer = accept(listener, nil, nil)
      if let other = Loopback.connected(to: port) { carry(peer, other) }
      for descriptor in [listener, peer] { close(descriptor) }
    }
    thread.start()
    return own
  }

  /// The port of a SOCKS5 proxy without authentication (RFC 1928) on 127.0.0.1, which forwards every request to `port`,
  /// and reports its target: `host:port`.
  static func proxy(to port: Int, asked: @escaping @Sendable (String) -> Void) throws -> Int {
    let (listener, own) = try listening(on: 0x7F00_0001)
    let thread = Thread {
      let peer = accept(listener, nil, nil)
      defer { for descriptor in [listener, peer] { close(descriptor) } }
      // Version, number of methods, methods; method 0 is chosen.
      guard let greeting = bytes(peer, 2), bytes(peer, Int(greeting[1])) != nil else { return }
      _ = send(peer, [5, 0] as [UInt8], 2, 0x4000)
      // Version, CONNECT, reserved, kind of address: 1 IPv4, 3 a name.
      guard let request = bytes(peer, 4), request[1] == 1 else { return }
      var host = ""
      if request[3] == 3, let length = bytes(peer, 1), let name = bytes(peer, Int(length[0])) {
        host = String(decoding: name, as: UTF8.self)
      } else if request[3] == 1, let address = bytes(peer, 4) {
        host = address.map { String($0) }.joined(separator: ".")
      }
      guard let digits = bytes(peer, 2) else { return }
      asked("\(host):\(Int(digits[0]) << 8 | Int(digits[1]))")
      guard let other = Loopback.connected(to: port) else { return }
      _ = send(peer, [5, 0, 0, 1, 0, 0, 0, 0, 0, 0] as [UInt8], 10, 0x4000)
      carry(peer, other)
    }
    thread.start()
    return own
  }

  private static func listening(on host: UInt32) throws -> (Int32, Int) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = host.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) | listen(listener, 4) | getsockname(listener, $0, &length)
      }
    }
    try #require(code == 0)
    return (listener, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Until either side ends, and at most 10 s of silence.
  private static func carry(_ peer: Int32, _ other: Int32) {
    defer { close(other) }
    var entries = [
      pollfd(fd: peer, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&entries, 2, 10_000) > 0 {
      for (from, to) in [(0, 1), (1, 0)] where entries[from].revents != 0 {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(entries[from].fd, &bytes, bytes.count, 0)
        guard count > 0 else { return }
        _ = send(entries[to].fd, bytes, count, 0x4000)
      }
    }
  }

  private static func bytes(_ peer: Int32, _ count: Int) -> [UInt8]? {
    var all = [UInt8](repeating: 0, count: count)
    return recv(peer, &all, count, Int32(MSG_WAITALL)) == count ? all : nil
  }
}
