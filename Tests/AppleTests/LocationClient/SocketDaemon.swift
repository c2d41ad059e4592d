// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Dispatch
import Foundation
import Glibc
import LocationClient

/// The daemon in memory behind a Unix socket: lines in, lines out, plain system calls on threads.
///
/// `lock` guards the descriptors, so `Sendable` is safe.
final class SocketDaemon: @unchecked Sendable {
  let path: String
  private let directory: URL
  private let daemon: FakeDaemon
  private let listening: Int32
  private let lock = NSLock()
  private var open: Set<Int32> = []

  struct Failed: Error {
    let call: String
    let code: Int32
  }

  init(_ daemon: FakeDaemon) throws {
    self.daemon = daemon
    directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("milepost-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    path = directory.appendingPathComponent("socket").path
    listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard listening >= 0 else { throw Failed(call: "socket", code: errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let text = path
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let descriptor = listening
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard bound == 0, listen(listening, 8) == 0 else { throw Failed(call: "bind", code: errno) }
    Thread { [self] in acceptAll() }.start()
  }

  /// Closes everything and removes its files.
  func end() {
    shutdown(listening, Int32(SHUT_RDWR))
    lock.withLock { for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    try? FileManager.default.removeItem(at: directory)
  }

  private func acceptAll() {
    while true {
      let descriptor = accept(listening, nil, nil)
      guard descriptor >= 0 else { break }
      guard let line = try? daemon.connect() else {
        close(descriptor)
        continue
      }
      lock.withLock { _ = open.insert(descriptor) }
      let written = DispatchSemaphore(value: 0)
      Thread { [self] in
        read(descriptor, line)
        line.close()
        // The descriptor is closed when it is no longer used.
        written.wait()
        lock.withLock { _ = open.remove(descriptor) }
        close(descriptor)
      }.start()
      Thread { [self] in
        write(descriptor, line)
        shutdown(descriptor, Int32(SHUT_RDWR))
        written.signal()
      }.start()
    }
    close(listening)
  }

  private func read(_ descriptor: Int32, _ line: any DaemonConnection) {
    var reader = ClientMessageReader()
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      reader.append(chunk.span.extracting(0..<count))
      while let request = reader.next() {
        guard let message = try? request.message.get(), (try? line.send(message)) != nil else {
          break
        }
      }
    }
  }

  private func write(_ descriptor: Int32, _ line: any DaemonConnection) {
    while let message = try? line.receiveNext() {
      let bytes = message.encode()
      guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
    }
  }
}
