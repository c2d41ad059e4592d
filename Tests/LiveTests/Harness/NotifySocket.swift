// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Stands in for systemd: a datagram socket that keeps a service's messages (sd_notify(3)).
final class NotifySocket {
  private let descriptor: Int32
  private var text = ""

  struct CannotBind: Error { let code: Int32 }

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    guard result == 0 else { throw CannotBind(code: errno) }
  }

  deinit { close(descriptor) }

  /// All messages so far.
  func received() -> String {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return text }
      text += String(decoding: buffer[..<count], as: UTF8.self) + "\n"
    }
  }
}
