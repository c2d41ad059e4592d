// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Foundation
import Glibc
import JSONText
import LocationModel
import NIOCore
import NIOPosix
import Servers
import ServiceContract
import Testing

/// Real sockets, one test after the other.
@Suite("Connections", .serialized)
struct ConnectionTests {}

extension ConnectionTests {
  @Suite("The Unix socket")
  struct SocketTests {
    private func mode(_ path: String) -> mode_t {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("The socket is its user's alone, and is removed at the end")
    func modes() async throws {
      let daemon = try Daemon()
      try await daemon.server.listen(path: daemon.path)
      #expect(mode(daemon.path) == 0o600)
      #expect(mode(daemon.directory + "/run") == 0o700)
      await daemon.server.stop()
      #expect(access(daemon.path, F_OK) != 0)
      await daemon.stop()
    }

    @Test("A stale file is replaced, a live one is an error, and what is no socket is left alone")
    func stale() async throws {
      let daemon = try Daemon()
      try await daemon.server.listen(path: daemon.path)
      let second = try Daemon()
      await #expect(
        throws: Complaint(
          "\(daemon.path): another milepostd listens here (process \(getpid())); stop it, or choose "
            + "another path")
      ) { try await second.server.listen(path: daemon.path) }
      #expect(access(daemon.path, F_OK) == 0)

      // A socket that was bound and whose process is gone: the descriptor is closed, the file stays.
      let left = daemon.directory + "/left"
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: left.utf8) }
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(bound == 0)
      Glibc.close(descriptor)
      try await second.server.listen(path: left)
      let client = try ControlClient(path: left)
      client.close()

      let file = daemon.directory + "/file"
      try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
      await #expect(
        throws: Complaint(
          "\(file): there is a file that is no socket, and it is left alone; move it away, or choose "
            + "another path")
      ) { try await second.server.listen(path: file) }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
      await second.stop()
      await daemon.stop()
    }

    @Test("A path that no socket can have is an error")
    func longPath() async throws {
      let daemon = try Daemon()
      // sun_path has 108 bytes, the closing zero included (unix(7)).
      let path = "/" + String(repeating: "x", count: 107)
      await #expect(
        throws: Complaint(
          "\(path): the path of a socket has 1 to 107 bytes, and this has 108; choose a shorter one"
        )
      ) { try await daemon.server.listen(path: path) }
      await daemon.stop()
    }

    @Test("A descriptor that systemd opened is taken over")
    func descriptor() async throws {
      let daemon = try Daemon()
      let path = daemon.directory + "/activated"
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(bound == 0 && listen(descriptor, 5) == 0)
      try await daemon.server.listen(descriptor: descriptor)
      let client = try ControlClient(path: path)
      try client.send(.done)
      #expect(await daemon.waits { $0.count == 2 })
      #expect(daemon.messages == [.done])
      #expect(
        daemon.events.first
          == .connected(.init(1), .socket(pid: getpid(), group: getpgrp(), uid: getuid())))
      // systemd's file is systemd's.
      await daemon.server.stop()
      #expect(access(path, F_OK) == 0)
      await daemon.stop()
    }

    @Test(
      "Own user and root may connect, and nobody else", arguments: [0, 1_000, 1_001] as [UInt32])
    func users(uid: UInt32) {
      #expect(ControlServer.admits(user: uid, own: 1_000) == (uid != 1_001))
    }

    @Test("Another user's process gets one ERROR and is closed")
    func foreigner() async throws {
      let tool = "/usr/bin/setpriv"
      guard getuid() == 0, access(tool, X_OK) == 0, access("/usr/bin/python3", X_OK) == 0 else {
        print("skipped: only root, with setpriv and python3, can connect as another user")
        return
      }
      let daemon = try Daemon()
      try await daemon.server.listen(path: daemon.path)
      for path in [daemon.directory, daemon.directory + "/run", daemon.path] { chmod(path, 0o777) }
      // The files above them belong to others.
      let other = ["--reuid=65534", "--clear-groups"]
      let entered = try Command.run(
        tool, other + ["sh", "-c", "cd \"$1\" && echo in", "sh", daemon.directory + "/run"])
      guard entered == "in\n" else {
        print("skipped: user 65534 cannot enter \(daemon.directory)")
        await daemon.stop()
        return
      }
      let script =
        "import socket,sys;s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1]);"
        + "sys.stdout.write(s.makefile().read())"
      let answer = try Command.run(
        tool, other + ["/usr/bin/python3", "-c", script, daemon.path])
      #expect(
        answer
          == #"{"class":"ERROR","message":"this milepostd belongs to user 0, and you are user "#
          + #"65534; each user runs one","code":"denied"}"# + "\n")
      #expect(daemon.events.isEmpty)
      await daemon.stop()
    }
  }
}
