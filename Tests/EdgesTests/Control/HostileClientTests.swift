// SPDX-License-Identifier: Apache-2.0

import ControlClient
import ControlProtocol
import Foundation
import Glibc
import LocationModel
import ServiceContract
import Synchronization
import Testing

@testable import Servers

extension ConnectionTests {
  @Suite("Slow and hostile clients")
  struct HostileClientTests {
    private static let long = ServerMessage.noFix(String(repeating: "x", count: 10_000))

    @Test("A client that never reads is bounded, delays nobody, and is writable once it reads")
    func slow() async throws {
      var limits = ControlServer.Limits()
      limits.pendingBytes = 100_000
      let daemon = try Daemon(limits: limits)
      try await daemon.server.listen(path: daemon.path)
      let slow = RawSocket(path: daemon.path)
      let quick = try ControlClient(path: daemon.path)
      #expect(await daemon.waits { $0.count == 2 })
      let ids = daemon.clients
      let size = Self.long.encode().count
      // The kernel takes some: its buffer, and the excess of a last piece; the server takes 100,000 bytes, and then it
      // refuses. It is full when it stays so: the kernel may only be late in taking.
      let most = 2 * slow.sendBuffer + limits.pendingBytes
      var (taken, refusals) = (0, 0)
      while refusals < 20, taken * size <= most {
        if daemon.server.send(Self.long, to: ids[0]) {
          (taken, refusals) = (taken + 1, 0)
        } else {
          refusals += 1
          poll(nil, 0, 10)
        }
      }
      #expect(taken >= 9 && taken * size <= most)
      let writables = daemon.events.count { $0 == .writable(ids[0]) }
      #expect(!daemon.server.send(.ok, to: ids[0]), "once refused, nothing overtakes")
      #expect(daemon.server.send(.ok, to: ids[1]))
      #expect(try quick.receive(timeout: 10) == .ok)
      #expect(slow.drain(taken * size) == taken * size)
      #expect(await daemon.waits { $0.count { $0 == .writable(ids[0]) } > writables })
      #expect(daemon.server.send(.ok, to: ids[0]))
      await daemon.stop()
    }

    @Test("One message is taken where nothing waits, however long it is")
    func oneLong() async throws {
      var limits = ControlServer.Limits()
      limits.pendingBytes = 100
      let daemon = try Daemon(limits: limits)
      try await daemon.server.listen(path: daemon.path)
      let client = try ControlClient(path: daemon.path)
      #expect(await daemon.waits { $0.count == 1 })
      #expect(daemon.server.send(Self.long, to: daemon.clients[0]))
      #expect(try client.receive(timeout: 10) == Self.long)
      await daemon.stop()
    }

    @Test("A flood is read no faster than the bound, and another client is served meanwhile")
    func flood() async throws {
      var limits = ControlServer.Limits()
      limits.messagesPerSecond = 10
      let daemon = try Daemon(limits: limits) { server, event in
        if case .message(let id, .status, _) = event { server.send(.ok, to: id) }
      }
      try await daemon.server.listen(path: daemon.path)
      let flooding = RawSocket(path: daemon.path)
      // Independent of the machine's default (net.core.wmem_default).
      flooding.sendBuffer = 65_536
      let quiet = try ControlClient(path: daemon.path)
      // As much as the kernel takes; the server reads one chunk and no more.
      let lines = Array(String(repeating: "?DONE;\n", count: 100_000).utf8)
      var sent = 0
      while sent < lines.count {
        let count = flooding.writeAtOnce(Array(lines[sent...]))
        guard count > 0 else { break }
        sent += count
      }
      #expect(sent < lines.count, "the kernel's buffer is full: the server does not read")
      try quiet.send(.status)
      #expect(try quiet.receive(timeout: 10) == .ok)
      // 10 s of messages may come at once; further ones take their time.
      let count = daemon.messages.count { $0 == .done }
      #expect(count >= 100 && count < 150)
      await daemon.stop()
    }

    /// The server's answers are 10 kB each, of 100 kB that may wait.
    private static func answering() throws -> Daemon {
      var limits = ControlServer.Limits()
      limits.pendingBytes = 100_000
      return try Daemon(limits: limits) { server, event in
        if case .message(let id, .status, _) = event { server.send(long, to: id) }
        if case .message(let id, .sinks, _) = event { server.send(.ok, to: id) }
      }
    }

    @Test("Who asks and does not read is not answered beyond half its limit, and not heard")
    func unread() async throws {
      let daemon = try Self.answering()
      try await daemon.server.listen(path: daemon.path)
      let deaf = RawSocket(path: daemon.path)
      let quiet = try ControlClient(path: daemon.path)
      #expect(await daemon.waits { $0.count == 2 })
      deaf.write(String(repeating: "?STATUS;\n", count: 900))
      let size = Self.long.encode().count
      // Whatever the kernel takes, and then 50,000 bytes: the answer that exceeds them is the last.
      let least = 50_000 / size + 1
      let most = (2 * deaf.sendBuffer + 50_000) / size + 2
      #expect(await daemon.waits { $0.count { $0.isStatus } >= least })
      // Each answer to the other client is a turn in which the deaf one could have been heard.
      for _ in 0..<100 {
        try quiet.send(.sinks)
        #expect(try quiet.receive(timeout: 10) == .ok)
      }
      let asked = daemon.events.count { $0.isStatus }
      #expect(asked >= least && asked <= most, "\(asked)")
      // The rest of its limit is left for deliveries.
      #expect(daemon.server.send(.ok, to: daemon.clients[0]))
      // It is heard again when it reads, and nothing was lost.
      let all = 900 * size + ServerMessage.ok.encode().count
      #expect(deaf.drain(all) == all)
      #expect(daemon.events.count { $0.isStatus } == 900)
      await daemon.stop()
    }

    /// As many answers wait as fit into what all clients share, whatever each of them might have.
    @Test("Many who ask and do not read share one budget; who reads does not feel them")
    func manyUnread() async throws {
      var limits = ControlServer.Limits()
      (limits.pendingBytes, limits.unreadBytes) = (100_000, 400_000)
      let daemon = try Daemon(limits: limits) { server, event in
        if case .message(let id, .status, _) = event { server.send(Self.long, to: id) }
        if case .message(let id, .sinks, _) = event { server.send(.ok, to: id) }
      }
      try await daemon.server.listen(path: daemon.path)
      let quiet = try ControlClient(path: daemon.path)
      var deaf = (0..<40).map { _ in RawSocket(path: daemon.path) }
      for socket in deaf { socket.write(String(repeating: "?STATUS;\n", count: 900)) }
      // All that can be answered is, when a while brings no more.
      var (last, same) = (-1, 0)
      while same < 20 {
        try quiet.send(.sinks)
        #expect(try quiet.receive(timeout: 10) == .ok)
        let asked = daemon.events.count { $0.isStatus }
        (last, same) = asked == last ? (asked, same + 1) : (asked, 0)
        poll(nil, 0, 20)
      }
      let size = Self.long.encode().count
      let waiting = daemon.server.unread
      #expect(waiting > 100_000 && waiting <= limits.unreadBytes + 40 * size, "\(waiting)")
      // It is all given back when they leave.
      deaf = []
      while daemon.server.unread > 0, same < 1_000 {
        same += 1
        poll(nil, 0, 10)
      }
      #expect(daemon.server.unread == 0)
      await daemon.stop()
    }

    @Test("A budget leaves as much for the next one as each of the greedy ones has")
    func shares() {
      let ends = Mutex(0)
      let budget = UnreadBudget(bytes: 8 << 20) { ends.withLock { $0 += 1 } }
      var held: [Int] = []
      // Each takes all that it may, in pieces of 1 kB.
      for round in 0..<8_192 {
        let client = round % 7
        if held.count <= client { held.append(0) }
        guard held[client] + 1_024 <= budget.share else { continue }
        held[client] += 1_024
        budget.take(bytes: 1_024)
      }
      // A seventh and the share that is left: an eighth each.
      #expect(held == Array(repeating: 1 << 20, count: 7))
      #expect(budget.share == 1 << 20)
      for bytes in held.dropLast(2) { budget.giveBack(bytes) }
      #expect(ends.withLock { $0 } == 0)
      budget.giveBack(held[0])
      #expect(ends.withLock { $0 } == 1, "three quarters are gone")
      budget.giveBack(held[0])
      #expect(ends.withLock { $0 } == 2, "and the rest, which is still 1 MiB")
      #expect(budget.share == 8 << 20)
    }

    @Test("Who asks and goes is not answered, and what it has changed counts")
    func gone() async throws {
      let daemon = try Self.answering()
      try await daemon.server.listen(path: daemon.path)
      var hasty: RawSocket? = RawSocket(path: daemon.path)
      #expect(await daemon.waits { $0.count == 1 })
      let most = (2 * (hasty?.sendBuffer ?? 0) + 50_000) / Self.long.encode().count + 2
      hasty?.write(String(repeating: "?STATUS;\n", count: 800) + "?DONE;\n")
      #expect(await daemon.waits { $0.count { $0.isStatus } > 0 })
      hasty = nil
      #expect(await daemon.waits { $0.last == .disconnected(daemon.clients[0]) })
      #expect(daemon.messages.count { $0 == .status } <= most)
      #expect(daemon.messages.last == .done)
      await daemon.stop()
    }

    @Test("More clients than are served get one ERROR")
    func crowd() async throws {
      var limits = ControlServer.Limits()
      limits.clients = 3
      let daemon = try Daemon(limits: limits)
      try await daemon.server.listen(path: daemon.path)
      var clients: [ControlClient] = []
      for _ in 0..<3 { clients.append(try ControlClient(path: daemon.path)) }
      #expect(await daemon.waits { $0.count == 3 })
      let fourth = try ControlClient(path: daemon.path)
      #expect(
        try fourth.receive(timeout: 10)
          == .error(
            code: .tooMany,
            "3 clients are connected, and more are not served; close some"))
      #expect(try fourth.receive(timeout: 10) == nil)
      clients[0].close()
      #expect(await daemon.waits { $0.count == 4 })
      let fifth = try ControlClient(path: daemon.path)
      #expect(await daemon.waits { $0.count == 5 })
      #expect(try fifth.receive(timeout: 0) == nil && !fifth.isAtEnd)
      await daemon.stop()
    }

    @Test("A client that never reads is closed with the server")
    func stubborn() async throws {
      let daemon = try Daemon()
      try await daemon.server.listen(path: daemon.path)
      let slow = RawSocket(path: daemon.path)
      #expect(await daemon.waits { $0.count == 1 })
      while daemon.server.send(Self.long, to: daemon.clients[0]) {}
      await daemon.server.stop()
      #expect(daemon.events.last == .disconnected(daemon.clients[0]))
      withExtendedLifetime(slow) {}
      await daemon.stop()
    }

    @Test("Random bytes from many clients end no server", arguments: [1, 2, 3] as [UInt64])
    func noise(seed: UInt64) async throws {
      let daemon = try Daemon()
      try await daemon.server.listen(path: daemon.path)
      var generator = SplitMix64(seed: seed)
      for _ in 0..<20 {
        let socket = RawSocket(path: daemon.path)
        for _ in 0..<20 { _ = socket.writeAtOnce(generator.bytes(count: 500)) }
      }
      let client = try ControlClient(path: daemon.path)
      try client.send(.done)
      #expect(
        await daemon.waits {
          $0.contains { if case .message(_, .done, _) = $0 { true } else { false } }
        })
      await daemon.stop()
    }
  }
}

extension SplitMix64 {
  mutating func bytes(count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }
}

extension ClientEvent {
  fileprivate var isStatus: Bool {
    if case .message(_, .status, _) = self { true } else { false }
  }
}
