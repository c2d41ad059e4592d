// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Foundation
import Glibc
import LocationModel
import Servers
import ServiceContract
import Synchronization
import Testing

extension ConnectionTests {
  @Suite("Messages between a daemon and its clients")
  struct TrafficTests {
    @Test("Messages come in order, answers go back, and the end is told")
    func conversation() async throws {
      let daemon = try Daemon { server, event in
        if case .message(let id, .app(.acknowledge(let number)), _) = event {
          server.send(.lost(count: number), to: id)
        }
      }
      try await daemon.server.listen(path: daemon.path)
      let client = try ControlClient(path: daemon.path)
      for number in 1...100 as ClosedRange<UInt64> { try client.send(.acknowledge(number)) }
      for number in 1...100 as ClosedRange<UInt64> {
        #expect(try client.receive(timeout: 10) == .lost(count: number))
      }
      #expect(daemon.messages == (1...100).map { .acknowledge($0) })
      #expect(try client.receive(timeout: 0) == nil)
      #expect(!client.isAtEnd)
      client.close()
      let id = daemon.clients[0]
      #expect(await daemon.waits { $0.last == .disconnected(id) })
      #expect(!daemon.server.send(.ok, to: id))
      await daemon.stop()
    }

    @Test("A message in pieces, several on one line, and a broken one: the connection goes on")
    func pieces() async throws {
      let daemon = try Daemon()
      try await daemon.server.listen(path: daemon.path)
      let socket = RawSocket(path: daemon.path)
      socket.write("?DO")
      socket.write("NE;?REQUEST;?WATCH={\"enable\":true,\"json\":true}")
      socket.write("nonsense\n?START={\"service\":\"walking\"};\n?DONE\n")
      #expect(
        socket.line()
          == #"{"class":"ERROR","message":"'nonsense' is no message; one is ?NAME; or ?NAME={...}; "#
          + #"as in ?VERSION;","code":"malformed"}"#)
      #expect(
        socket.line()
          == #"{"class":"ERROR","message":"?START: service is \"walking\", not one of standard, "#
          + #"significant, continuous","code":"malformed"}"#)
      #expect(await daemon.waits { $0.count == 7 })
      #expect(daemon.messages == [.done, .requestLocation(), .watch(isOn: true), .done])
      await daemon.stop()
    }

    @Test("A line that is too long is one error, and costs no memory")
    func longLine() async throws {
      var limits = ControlServer.Limits()
      limits.line = 100
      let daemon = try Daemon(limits: limits)
      try await daemon.server.listen(path: daemon.path)
      let socket = RawSocket(path: daemon.path)
      for _ in 0..<100 { socket.write(String(repeating: "y", count: 10_000)) }
      socket.write("\n?DONE;\n")
      #expect(
        socket.line()
          == #"{"class":"ERROR","message":"the message that begins with '"#
          + String(repeating: "y", count: 40)
          + #"…' is longer than 100 bytes; the rest of the line was dropped","code":"too_long"}"#)
      #expect(await daemon.waits { $0.count == 3 })
      #expect(daemon.messages == [.done])
      await daemon.stop()
    }

    @Test("A client that closes before it is answered does no harm")
    func gone() async throws {
      let daemon = try Daemon { server, event in
        if case .message(let id, _, _) = event {
          for _ in 0..<100 { server.send(.ok, to: id) }
        }
      }
      try await daemon.server.listen(path: daemon.path)
      for _ in 0..<20 {
        let socket = RawSocket(path: daemon.path)
        socket.write("?STATUS;")
      }
      #expect(
        await daemon.waits { events in
          events.count { if case .disconnected = $0 { true } else { false } } == 20
        })
      await daemon.stop()
    }

    @Test("What waits is written before a connection is closed")
    func closing() async throws {
      let daemon = try Daemon { server, event in
        if case .message(let id, _, _) = event {
          for number in 1...1_000 as ClosedRange<UInt64> {
            server.send(.lost(count: number), to: id)
          }
          server.closeConnection(of: id)
          #expect(!server.send(.ok, to: id))
        }
      }
      try await daemon.server.listen(path: daemon.path)
      let client = try ControlClient(path: daemon.path)
      try client.send(.status)
      for number in 1...1_000 as ClosedRange<UInt64> {
        #expect(try client.receive(timeout: 10) == .lost(count: number))
      }
      #expect(try client.receive(timeout: 10) == nil)
      #expect(client.isAtEnd)
      await daemon.stop()
    }

    @Test("A client that sends after the daemon has gone gets an error, and no signal")
    func brokenPipe() async throws {
      let daemon = try Daemon()
      try await daemon.server.listen(path: daemon.path)
      let client = try ControlClient(path: daemon.path)
      #expect(await daemon.waits { $0.count == 1 })
      let path = daemon.path
      await daemon.stop()
      // The end of the connection reaches the client in its own time.
      #expect(try client.receive(timeout: 10) == nil)
      #expect(client.isAtEnd)
      #expect(throws: ControlClientError("\(path): milepostd closed the connection")) {
        for _ in 0..<10 { try client.send(.done) }
      }
      #expect(
        throws: ControlClientError(
          "\(path): no milepostd listens here; start it (milepostd), or say where it listens with "
            + "--socket or MILEPOST_SOCKET", isAbsence: true)
      ) { try ControlClient(path: path) }
    }

    @Test("The path is the variable's, or the runtime directory's, or the user's")
    func paths() {
      #expect(
        ControlClient.defaultPath(environment: ["MILEPOST_SOCKET": "/a/b", "XDG_RUNTIME_DIR": "/c"])
          == "/a/b")
      #expect(
        ControlClient.defaultPath(environment: ["MILEPOST_SOCKET": "", "XDG_RUNTIME_DIR": "/c"])
          == "/c/milepost/socket")
      #expect(
        ControlClient.defaultPath(environment: [:]) == "/run/user/\(getuid())/milepost/socket")
    }
  }
}
