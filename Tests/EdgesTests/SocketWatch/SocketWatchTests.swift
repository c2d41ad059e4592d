// SPDX-License-Identifier: Apache-2.0

import CUnix
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Host

@Suite("Sockets that apps hand over")
struct SocketWatchTests {
  private final class Told: Sendable {
    private let entries = Mutex<[Int32]>([])
    var take: @Sendable (Int32) -> Void { { group in self.entries.withLock { $0.append(group) } } }
    var groups: [Int32] { entries.withLock { $0 } }
  }

  private struct NoSocket: Error {}

  private static func pair() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw NoSocket() }
    return (ends[0], ends[1])
  }

  private static func path() -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent(
      "mp-\(UUID().uuidString.prefix(8))"
    ).path
  }

  /// Connects to the watch and hands `descriptor` over, or with `nil` sends only a byte; returns the watch's answer.
  private static func hand(_ descriptor: Int32?, to path: String) throws -> String {
    let connection = try connected(to: path)
    defer { close(connection) }
    if let descriptor {
      #expect(unix_send_descriptor(connection, descriptor) == 1)
    } else {
      #expect(send(connection, "\n", 1, 0) == 1)
    }
    var answer = [UInt8](repeating: 0, count: 100)
    let count = recv(connection, &answer, answer.count, 0)
    return String(decoding: answer.prefix(max(0, count)), as: UTF8.self)
  }

  private static func connected(to path: String) throws -> Int32 {
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, length) }
    }
    guard isConnected == 0 else { throw NoSocket() }
    return connection
  }

  private func wait(_ condition: () -> Bool) {
    for _ in 0..<2_000 where !condition() { poll(nil, 0, 5) }
  }

  //  handed over ─ data ─ armed: told ─ data ─ (told once) ─ disarmed ─ data ─ armed: told ─ forgotten: closed
  @Test("What came in is told when the app is frozen, once for each time, and never while it runs")
  func life() async throws {
    let (told, path) = (Told(), Self.path())
    let watch = SocketWatch(sink: told.take)
    #expect(watch.listen(at: path) == nil)
    watch.know(getpgid(0))
    defer { unlink(path) }
    let group = getpgid(0)
    let (mine, other) = try Self.pair()
    #expect(try Self.hand(mine, to: path) == "ok\n")
    close(mine)
    #expect(send(other, "a", 1, 0) == 1)
    poll(nil, 0, 50)
    #expect(told.groups.isEmpty, "an app that runs reads for itself")
    watch.arm(group)
    wait { told.groups.count == 1 }
    #expect(told.groups == [group], "data that came before the freeze is not lost")
    #expect(send(other, "b", 1, 0) == 1)
    poll(nil, 0, 50)
    #expect(told.groups.count == 1)
    watch.disarm(group)
    watch.arm(group)
    wait { told.groups.count == 2 }
    #expect(told.groups.count == 2)
    watch.forget(group: group)
    wait { send(other, "c", 1, Int32(MSG_NOSIGNAL)) < 0 }
    #expect(send(other, "c", 1, Int32(MSG_NOSIGNAL)) < 0, "nobody holds the other end")
    #expect(watch.count == 0)
    close(other)
    await watch.close()
  }

  @Test(
    "A socket that is handed over while its app is being frozen is watched, and its end is told")
  func late() async throws {
    let (told, path) = (Told(), Self.path())
    let watch = SocketWatch(sink: told.take)
    #expect(watch.listen(at: path) == nil)
    watch.know(getpgid(0))
    defer { unlink(path) }
    watch.arm(getpgid(0))
    let (mine, other) = try Self.pair()
    #expect(try Self.hand(mine, to: path) == "ok\n")
    close(mine)
    #expect(told.groups.isEmpty)
    close(other)
    wait { !told.groups.isEmpty }
    #expect(told.groups == [getpgid(0)])
    await watch.close()
  }

  @Test("A second socket takes the first one's place; a byte without one is refused")
  func replaced() async throws {
    let (told, path) = (Told(), Self.path())
    let watch = SocketWatch(sink: told.take)
    #expect(watch.listen(at: path) == nil)
    watch.know(getpgid(0))
    defer { unlink(path) }
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600, "for its user alone")
    #expect(try Self.hand(nil, to: path) == "no descriptor came with it\n")
    let (first, firstOther) = try Self.pair()
    let (second, secondOther) = try Self.pair()
    #expect(try Self.hand(first, to: path) == "ok\n")
    #expect(try Self.hand(second, to: path) == "ok\n")
    #expect(watch.count == 1)
    close(first)
    close(second)
    #expect(send(firstOther, "x", 1, Int32(MSG_NOSIGNAL)) < 0, "the first is closed")
    #expect(send(secondOther, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
    await watch.close()
    #expect(send(secondOther, "x", 1, Int32(MSG_NOSIGNAL)) < 0, "closed with the watch")
    close(firstOther)
    close(secondOther)
  }

  @Test(
    "A socket of nobody that was started is closed after a while; one whose app is known later stays"
  )
  func unknown() async throws {
    for isKnown in [false, true] {
      let path = Self.path()
      let watch = SocketWatch(patience: isKnown ? 2_000 : 50) { _ in }
      #expect(watch.listen(at: path) == nil)
      defer { unlink(path) }
      let (mine, other) = try Self.pair()
      #expect(try Self.hand(mine, to: path) == "ok\n")
      close(mine)
      if isKnown { watch.know(getpgid(0)) }
      poll(nil, 0, isKnown ? 2_500 : 0)
      if !isKnown { wait { watch.count == 0 } }
      #expect(watch.count == (isKnown ? 1 : 0))
      if !isKnown { wait { send(other, "x", 1, Int32(MSG_NOSIGNAL)) < 0 } }
      #expect(send(other, "x", 1, Int32(MSG_NOSIGNAL)) == (isKnown ? 1 : -1))
      close(other)
      await watch.close()
    }
  }

  @Test(
    "A socket that its app takes back is closed, and so is one that has hung up, once that was told"
  )
  func takenBack() async throws {
    let (told, path) = (Told(), Self.path())
    let watch = SocketWatch(sink: told.take)
    #expect(watch.listen(at: path) == nil)
    watch.know(getpgid(0))
    defer { unlink(path) }
    let (mine, other) = try Self.pair()
    #expect(try Self.hand(mine, to: path) == "ok\n")
    close(mine)
    watch.release(getpgid(0))
    wait { send(other, "x", 1, Int32(MSG_NOSIGNAL)) < 0 }
    #expect(watch.count == 0)
    close(other)
    let (second, secondOther) = try Self.pair()
    #expect(try Self.hand(second, to: path) == "ok\n")
    close(secondOther)
    for _ in 0..<3 {
      watch.arm(getpgid(0))
      wait { watch.count == 0 }
      watch.disarm(getpgid(0))
    }
    poll(nil, 0, 50)
    #expect(told.groups == [getpgid(0)], "at the first freeze, and not at each")
    close(second)
    await watch.close()
  }

  @Test(
    "Connections that say nothing keep nobody out: the oldest goes for a new one, all go in the end"
  )
  func silent() async throws {
    let path = Self.path()
    let watch = SocketWatch(patience: 1_000) { _ in }
    #expect(watch.listen(at: path) == nil)
    watch.know(getpgid(0))
    defer { unlink(path) }
    let silent = try (0..<70).map { _ in try Self.connected(to: path) }
    let (mine, other) = try Self.pair()
    #expect(try Self.hand(mine, to: path) == "ok\n")
    var byte: UInt8 = 0
    wait { recv(silent[0], &byte, 1, Int32(MSG_DONTWAIT)) == 0 }
    #expect(recv(silent[0], &byte, 1, Int32(MSG_DONTWAIT)) == 0, "the oldest is closed")
    wait { recv(silent[69], &byte, 1, Int32(MSG_DONTWAIT)) == 0 }
    #expect(recv(silent[69], &byte, 1, Int32(MSG_DONTWAIT)) == 0, "so is the youngest")
    for descriptor in silent + [mine, other] { close(descriptor) }
    await watch.close()
  }

  @Test("Why it cannot listen, word for word")
  func refused() {
    let watch = SocketWatch { _ in }
    #expect(
      watch.listen(at: "/nonexistent/socket") == "/nonexistent/socket: No such file or directory")
    let long = "/" + String(repeating: "x", count: 107)
    #expect(
      watch.listen(at: long) == "\(long): longer than the 107 bytes that a socket's path may have")
  }
}
