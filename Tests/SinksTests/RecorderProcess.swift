// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// A real OwnTracks Recorder, over HTTP only, on a free port of the loopback.
final class RecorderProcess {
  /// Where it is on PATH; `nil` where it is not.
  static let installed = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
    .map { "\($0)/ot-recorder" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  let url: String
  private let process = Process()

  init(_ program: String, in folder: String) throws {
    let port = try Self.freePort()
    url = "http://127.0.0.1:\(port)"
    let setUp = try Process.run(
      URL(fileURLWithPath: program), arguments: ["--initialize", "-S", folder])
    setUp.waitUntilExit()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [
      "--port", "0", "--http-host", "127.0.0.1", "--http-port", "\(port)", "--doc-root", folder,
      "-S",
      folder, "--norevgeo", "owntracks/#",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try #require(Self.answers(port), "the Recorder did not listen within its 10 seconds")
  }

  func end() {
    // It inherits the signals that this process blocks, SIGTERM among them.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) + getsockname(descriptor, $0, &length)
      }
    }
    try #require(code == 0)
    return UInt16(bigEndian: address.sin_port)
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return address
  }

  /// Whether somebody listens on the port within ten seconds.
  private static func answers(_ port: UInt16) -> Bool {
    for _ in 0..<200 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      defer { close(descriptor) }
      var address = loopback(port)
      let code = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if code == 0 { return true }
      // It says nothing when it listens.
      poll(nil, 0, 50)
    }
    return false
  }
}
