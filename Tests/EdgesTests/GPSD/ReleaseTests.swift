// SPDX-License-Identifier: Apache-2.0

import Foundation
import GPSDSource
import NIOCore
import NIOPosix
import ServiceContract
import Synchronization
import Testing

/// gpsd's control socket, which answers only after a while that a device was closed.
private final class SlowControl: Sendable {
  let path = FileManager.default.temporaryDirectory.path + "/control-\(UUID().uuidString)"
  private let heard = Mutex("")
  private let listener = Mutex<(any Channel)?>(nil)

  /// The commands so far, a line each.
  var commands: String { heard.withLock { $0 } }

  func listen() async throws {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Answering(self))
        }
      }
      .bind(unixDomainSocketPath: path).get()
    listener.withLock { $0 = channel }
  }

  func stop() async throws {
    let channel = listener.withLock { $0 }
    try await channel?.close().get()
    unlink(path)
  }

  private final class Answering: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let control: SlowControl

    init(_ control: SlowControl) { self.control = control }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let command = String(buffer: unwrapInboundIn(data))
      control.heard.withLock { $0 += command }
      let channel = context.channel
      context.eventLoop.scheduleTask(in: .milliseconds(command.hasPrefix("-") ? 500 : 0)) {
        channel.writeAndFlush(ByteBuffer(string: "OK\n"), promise: nil)
      }
    }
  }
}

@Suite("A receiver that is being released when the service stops")
struct ReleaseTests {
  @Test("gpsd has it back before the source is closed")
  func stopped() async throws {
    let control = SlowControl()
    try await control.listen()
    let server = try await FakeGPSD()
    let log = SourceLog()
    let source = GPSDSource(
      .init(host: "127.0.0.1", port: server.port, control: control.path),
      on: MultiThreadedEventLoopGroup.singleton, passesLines: false, random: { 0 }, sink: log.sink)
    source.watch(true)
    try await wait(for: "the command") { server.received.hasSuffix("\n") }
    server.send(#"{"class":"DEVICE","path":"/dev/a","activated":1.0}"# + "\n")
    try await wait(for: "the device") { log.words.contains("gpsd opened /dev/a") }
    source.watch(false)
    try await wait(for: "the release") { control.commands.hasPrefix("-/dev/a\n") }
    await source.close()
    #expect(control.commands == "-/dev/a\n+/dev/a\n")
    try await server.stop()
    try await control.stop()
  }
}
