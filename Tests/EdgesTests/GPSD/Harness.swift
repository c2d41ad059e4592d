// SPDX-License-Identifier: Apache-2.0

import Foundation
import GPSDSource
import NIOCore
import NIOPosix
import ServiceContract
import Synchronization

/// The events of a source, with their instants (uptime, seconds).
final class SourceLog: Sendable {
  private let entries = Mutex<[(event: GPSDEvent, at: Double)]>([])

  var sink: @Sendable (GPSDEvent) -> Void {
    { event in
      let now = Double(NIODeadline.now().uptimeNanoseconds) / 1e9
      self.entries.withLock { $0.append((event, now)) }
    }
  }

  var timed: [(event: GPSDEvent, at: Double)] { entries.withLock { $0 } }
  var events: [GPSDEvent] { timed.map(\.event) }
  var count: Int { entries.withLock { $0.count } }
  var fixes: Int {
    events.count { if case .fix = $0 { true } else { false } }
  }
  var words: [String] { events.compactMap(\.words) }
}

struct WaitedInVain: Error, CustomStringConvertible {
  let what: String
  var description: String { "waited in vain for: \(what)" }
}

/// Waits until `condition` holds, at most `seconds`.
func wait(
  for what: String, seconds: Double = 30, until condition: () async throws -> Bool
) async throws {
  let end = NIODeadline.now() + .milliseconds(Int64(seconds * 1_000))
  let loop = MultiThreadedEventLoopGroup.singleton.next()
  while NIODeadline.now() < end {
    if try await condition() { return }
    try await loop.scheduleTask(in: .milliseconds(5)) {}.futureResult.get()
  }
  // On a busy machine this task may sleep through its own deadline.
  if try await condition() { return }
  throw WaitedInVain(what: what)
}

/// A stand-in for gpsd, for behaviour that gpsd itself would not show.
final class FakeGPSD: Sendable {
  private struct State {
    var listener: (any Channel)?
    var peers: [any Channel] = []
    var received = ""
    var accepted = 0
  }

  static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

  let port: Int
  private let state = Mutex(State())
  private let greeting: String?

  /// Listens; greets each client with `greeting` and a line's end.
  init(port: Int = 0, greeting: String? = FakeGPSD.version) async throws {
    self.greeting = greeting
    let shared = SharedState()
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Peer(shared))
        }
      }
      .bind(host: "127.0.0.1", port: port).get()
    self.port = listener.localAddress?.port ?? 0
    state.withLock { $0.listener = listener }
    shared.server.withLock { $0 = self }
  }

  /// The bytes that clients sent.
  var received: String { state.withLock { $0.received } }
  var peers: Int { state.withLock { $0.peers.count } }
  var accepted: Int { state.withLock { $0.accepted } }

  func send(_ text: String) {
    for peer in state.withLock({ $0.peers }) {
      peer.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }
  }

  /// Closes the connections and goes on listening.
  func drop() { state.withLock { $0.peers }.forEach { $0.close(promise: nil) } }

  func stop() async throws {
    drop()
    let listener = state.withLock { state in
      defer { state.listener = nil }
      return state.listener
    }
    try await listener?.close().get()
  }

  private final class SharedState: Sendable {
    let server = Mutex<FakeGPSD?>(nil)
  }

  private final class Peer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let shared: SharedState

    init(_ shared: SharedState) { self.shared = shared }

    func channelActive(context: ChannelHandlerContext) {
      let channel = context.channel
      guard let server = shared.server.withLock({ $0 }) else { return }
      server.state.withLock {
        $0.peers.append(channel)
        $0.accepted += 1
      }
      if let greeting = server.greeting { server.send(greeting + "\n") }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let text = String(buffer: unwrapInboundIn(data))
      shared.server.withLock { $0 }?.state.withLock { $0.received += text }
    }

    func channelInactive(context: ChannelHandlerContext) {
      let channel = context.channel
      shared.server.withLock { $0 }?.state.withLock { $0.peers.removeAll { $0 === channel } }
    }
  }
}
