// SPDX-License-Identifier: Apache-2.0

import GPSDSource
import NIOCore
import NIOPosix
import ServiceContract
import Testing

/// The source against our own servers, which act in ways that are rare for gpsd.
@Suite("The source on the line", .serialized)
struct GPSDSourceTests {
  static let tpv =
    #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-06-21T10:00:00.000Z","#
    + #""lat":46.75,"lon":7.5,"eph":5.0}"# + "\n"

  func withSource(
    port: Int, device: String? = nil,
    _ body: (GPSDSource, SourceLog) async throws -> Void
  ) async throws {
    let log = SourceLog()
    // The least draw: each wait is the shortest of its range.
    let source = GPSDSource(
      .init(host: "127.0.0.1", port: port, device: device),
      on: MultiThreadedEventLoopGroup.singleton, passesLines: true, random: { 0 }, sink: log.sink)
    do { try await body(source, log) } catch {
      await source.close()
      throw error
    }
    await source.close()
  }

  @Test("A watch greets, asks for one device, and delivers the fix")
  func watches() async throws {
    let server = try await FakeGPSD()
    try await withSource(port: server.port, device: "/dev/a") { source, log in
      source.watch(true)
      try await wait(for: "the command") { server.received.hasSuffix("\n") }
      #expect(
        server.received == #"?WATCH={"enable":true,"json":true,"device":"/dev/a"};"# + "\n")
      server.send(Self.tpv)
      try await wait(for: "a fix") { log.fixes == 1 }
      #expect(
        log.words == [
          "gpsd 3.22 answers (protocol 3.14)", "the watch began: gpsd opens its receivers",
        ])
    }
    try await server.stop()
  }

  @Test("A watch that ends says so to gpsd, hangs up, delivers the open epoch, and can begin again")
  func unwatches() async throws {
    let server = try await FakeGPSD()
    try await withSource(port: server.port) { source, log in
      source.watch(true)
      try await wait(for: "the command") { !server.received.isEmpty }
      server.send(Self.tpv)
      try await wait(for: "the line") {
        log.events.contains { $0 == .line(Array(Self.tpv.dropLast().utf8)) }
      }
      source.watch(false)
      try await wait(for: "the end of the connection") { server.peers == 0 }
      // The source reports it after hanging up, which the server may notice first.
      try await wait(for: "the end of the watch") {
        log.events.last == .link(.watching(false))
      }
      #expect(log.fixes == 1)
      #expect(server.received.hasSuffix(#"?WATCH={"enable":false};"# + "\n"))
      source.watch(true)
      try await wait(for: "the second connection") { server.accepted == 2 && server.peers == 1 }
    }
    try await server.stop()
  }

  @Test("Nobody listening is said in words, tried again, and found when it is there")
  func absent() async throws {
    let port = LoopbackSocket.freePort()
    try await withSource(port: port) { source, log in
      source.watch(true)
      try await wait(for: "the refusal") { !log.words.isEmpty }
      #expect(
        log.words.first
          == "gpsd cannot be reached: nobody listens on 127.0.0.1:\(port); next attempt in 1.0 s")
      let server = try await FakeGPSD(port: port)
      try await wait(for: "the connection") { server.peers == 1 }
      try await server.stop()
    }
  }

  @Test("gpsd gone in mid-stream: what was open is delivered, then it is tried again")
  func lost() async throws {
    let server = try await FakeGPSD()
    try await withSource(port: server.port) { source, log in
      source.watch(true)
      try await wait(for: "the command") { !server.received.isEmpty }
      server.send(Self.tpv + #"{"class":"TPV","dev"#)
      try await wait(for: "the line") { log.events.contains { $0.words == nil } }
      server.drop()
      try await wait(for: "the loss") { log.words.count >= 3 }
      #expect(log.fixes == 1)
      #expect(
        log.words[2] == "gpsd is gone: it closed the connection; next attempt in 1.0 s")
      try await wait(for: "the second connection") { server.accepted >= 2 }
      // With another time: the same one less than a second later would be a late report.
      server.send(Self.tpv.replacing("10:00:00", with: "10:00:05"))
      try await wait(for: "the second fix") { log.fixes == 2 }
    }
    try await server.stop()
  }

  @Test("An endless line is reported at its limit and ends the connection at a mebibyte")
  func endlessLine() async throws {
    let server = try await FakeGPSD()
    try await withSource(port: server.port) { source, log in
      source.watch(true)
      try await wait(for: "the command") { !server.received.isEmpty }
      server.send(String(repeating: "x", count: 70_000))
      try await wait(for: "the report") { log.words.count >= 3 }
      #expect(log.words.last == "gpsd sent a line of more than 65536 bytes; it was skipped")
      server.send(String(repeating: "x", count: 1 << 20))
      try await wait(for: "the end") { log.words.count >= 4 }
      #expect(
        log.words[3] == "gpsd is gone: it sends a line without an end; what listens there is no "
          + "gpsd; next attempt in 1.0 s")
    }
    try await server.stop()
  }

  @Test("After close no event follows")
  func closed() async throws {
    let server = try await FakeGPSD()
    try await withSource(port: server.port) { source, log in
      source.watch(true)
      try await wait(for: "the command") { !server.received.isEmpty }
      await source.close()
      let count = log.count
      source.watch(true)
      try await wait(for: "the end of the connection") { server.peers == 0 }
      #expect(log.count == count)
    }
    try await server.stop()
  }

  @Test("Why there is no way to gpsd", arguments: [("127.0.0.1", ReachFailure.refused)])
  func reach(_ host: String, _ expected: ReachFailure) async throws {
    let address = GPSDSource.Address(host: host, port: LoopbackSocket.freePort())
    let group = MultiThreadedEventLoopGroup.singleton
    #expect(await GPSDSource.reach(address, on: group) == expected)
    let server = try await FakeGPSD()
    #expect(await GPSDSource.reach(.init(host: host, port: server.port), on: group) == nil)
    try await server.stop()
  }

  @Test("Addresses as people write them")
  func addresses() {
    #expect(GPSDSource.Address(text: "pi") == .init(host: "pi", port: 2_947))
    #expect(GPSDSource.Address(text: "pi:4000") == .init(host: "pi", port: 4_000))
    #expect(GPSDSource.Address(text: "[::1]:4000") == .init(host: "::1", port: 4_000))
    for text in ["", ":1", "pi:", "pi:0", "pi:65536", "pi:x", "[::1", "[::1]4000"] {
      #expect(GPSDSource.Address(text: text) == nil, "\(text)")
    }
  }
}
