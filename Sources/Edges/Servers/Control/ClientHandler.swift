// SPDX-License-Identifier: Apache-2.0

import CUnix
import ControlProtocol
import Glibc
import NIOCore
import ServiceContract

// Theory
// ======
//
// The reading side of one client, on its event loop.
//
//        admitted                no token left, or 10 s of messages at once
//     ┌───────────▶ reading ───────────────────────────────▶ throttled
//     │                ▲                                         │
//   new                └──────────── a tenth of a second's ──────┘
//     │                ▲  │          messages may come
//     │                │  ├─ a question was passed on ──▶ asking ──┐ the daemon has had its turn
//     │                │  └─ its answers are unread ──▶ unheard ──┤ it has read
//     │                └──────────────────────────────────────────┘
//     └───────────▶ refused: one ERROR, closed, nothing of it is read
//        other user, no place (Admission)
//
// While throttled, asking or unheard nothing is read, so the kernel's buffer fills and the client waits. Bytes already
// read stay in the reader, which holds no more than one line and one chunk. A malformed message costs a token too, and is
// passed on as such, so that its answer comes in order.
//
// A question is answered by a document, which costs the more the more apps there are. So only one at a time is passed
// on: the next one follows when the answer is queued, and if the client reads its answers (`Connection.mayBeHeard`).
// Other messages are passed on together, for the store writes them together. A client that has gone is not answered;
// its last messages other than questions still count.

/// Decodes a client's messages, within the limits.
final class ClientHandler: ChannelInboundHandler, ChannelOutboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case new
    case refused
    case reading(Connection)
    case throttled(Connection, Scheduled<Void>)
    case asking(Connection)
    case unheard(Connection)
    case ended
  }

  private let server: ControlServer
  /// `nil` for the Unix socket.
  private let port: Int?
  private var phase = Phase.new
  private var reader: ClientMessageReader
  private var bucket: TokenBucket
  /// Whether a read was requested while nothing is read.
  private var mustRead = false
  private var hasSpoken = false

  init(server: ControlServer, port: Int?) {
    self.server = server
    self.port = port
    reader = ClientMessageReader(limit: server.limits.line)
    bucket = TokenBucket(
      perSecond: server.limits.messagesPerSecond, at: NIODeadline.now().uptimeNanoseconds)
  }

  // The channel's life ---------------------------------------------------------------------------

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    if let port { return admit(.gpsdPort(port), context) }
    guard let socket = context.channel as? any SocketOptionProvider else {
      return refuse(.denied, "this connection has no peer that the kernel knows", context)
    }
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let boundContext = NIOLoopBound(context, eventLoop: context.eventLoop)
    let credentials: EventLoopFuture<peer_credentials> = socket.unsafeGetSocketOption(
      level: .socket, name: .init(rawValue: SO_PEERCRED))
    // The option is available at once, so that nothing is read before.
    credentials.whenComplete { result in
      bound.value.check(result, boundContext.value)
    }
  }

  private func check(
    _ result: Result<peer_credentials, any Error>, _ context: ChannelHandlerContext
  ) {
    switch result {
    case .failure:
      refuse(.denied, "the kernel does not say whose connection this is", context)
    case .success(let peer):
      guard ControlServer.admits(user: peer.uid, own: geteuid()) else {
        return refuse(
          .denied,
          "this milepostd belongs to user \(geteuid()), and you are user \(peer.uid); each user runs one",
          context)
      }
      let group = getpgid(peer.pid)
      admit(.socket(pid: peer.pid, group: group < 0 ? nil : group, uid: peer.uid), context)
    }
  }

  private func admit(_ origin: ClientEvent.Origin, _ context: ChannelHandlerContext) {
    let peer: Admission.Peer =
      switch origin {
      case .socket(let pid, _, _): .process(pid)
      case .gpsdPort: .gpsdClient
      }
    switch server.register(context.channel, peer) {
    case .failure(let refusal): refuse(.tooMany, refusal.words(server.limits), context)
    case .success(let connection):
      phase = .reading(connection)
      server.report(event: .connected(connection.id, origin))
    }
  }

  private func refuse(
    _ code: ServerMessage.ErrorCode, _ message: String, _ context: ChannelHandlerContext
  ) {
    phase = .refused
    let bytes = ServerMessage.error(code: code, message).encode()
    let channel = context.channel
    channel.writeAndFlush(channel.allocator.buffer(bytes: bytes)).whenComplete { _ in
      channel.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    switch phase {
    case .new, .refused, .ended: break
    case .reading(let connection): end(connection: connection)
    case .asking(let connection), .unheard(let connection):
      takeLastMessages(of: connection)
      end(connection: connection)
    case .throttled(let connection, let timer):
      timer.cancel()
      takeLastMessages(of: connection)
      end(connection: connection)
    }
    phase = .ended
    context.fireChannelInactive()
  }

  private func end(connection: Connection) {
    connection.endConnection()
    server.forget(connection: connection)
    server.report(event: .disconnected(connection.id))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A reset or a broken pipe: the client is gone, and `channelInactive` follows.
    context.close(promise: nil)
  }

  // Reading --------------------------------------------------------------------------------------

  func read(context: ChannelHandlerContext) {
    switch phase {
    case .throttled, .asking, .unheard: mustRead = true
    case .new, .reading: context.read()
    case .refused, .ended: break
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch phase {
    case .refused, .ended: return
    case .new, .reading, .throttled, .asking, .unheard: break
    }
    let buffer = unwrapInboundIn(data)
    reader.append(buffer.readableBytesUInt8Span)
    takeMessages(context)
  }

  private func takeMessages(_ context: ChannelHandlerContext) {
    guard case .reading(let connection) = phase else { return }
    let now = NIODeadline.now().uptimeNanoseconds
    while bucket.refill(at: now) {
      guard connection.mayBeHeard else { return phase = .unheard(connection) }
      guard let request = reader.next() else { return }
      bucket.spend()
      handle(request: request, from: connection)
      guard !request.isQuestion else { return holdUp(connection, context) }
    }
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let boundContext = NIOLoopBound(context, eventLoop: context.eventLoop)
    let timer = context.eventLoop.scheduleTask(in: .nanoseconds(bucket.delay)) {
      bound.value.goOn(boundContext.value)
    }
    phase = .throttled(connection, timer)
  }

  /// Goes on after the daemon's turn, which the question has scheduled.
  private func holdUp(_ connection: Connection, _ context: ChannelHandlerContext) {
    phase = .asking(connection)
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let boundContext = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.eventLoop.execute { bound.value.goOn(boundContext.value) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard event is MayBeHeard else { return context.fireUserInboundEventTriggered(event) }
    if case .unheard = phase { goOn(context) }
  }

  /// Takes the messages of a client that has gone, except questions.
  private func takeLastMessages(of connection: Connection) {
    while let request = reader.next() {
      if !request.isQuestion { handle(request: request, from: connection) }
    }
  }

  private func goOn(_ context: ChannelHandlerContext) {
    switch phase {
    case .throttled(let connection, _), .asking(let connection), .unheard(let connection):
      phase = .reading(connection)
    case .new, .refused, .reading, .ended: return
    }
    takeMessages(context)
    if case .reading = phase, mustRead {
      mustRead = false
      context.read()
    }
  }

  private static func unanswered(_ name: String) -> ProtocolError {
    ProtocolError(
      "?\(name) is not answered on a gpsd port, which knows ?VERSION, ?DEVICES, ?WATCH and "
        + "?POLL; apps and commands use the Unix socket", code: .denied)
  }

  private func handle(request: ClientMessageReader.Request, from connection: Connection) {
    if !hasSpoken, connection.place == .forCommands { server.spoke(connection) }
    hasSpoken = true
    switch request.message {
    case .failure(var error):
      if port != nil, let name = error.unknownName { error = Self.unanswered(name) }
      server.report(event: .malformed(connection.id, error.answer, id: request.id))
    case .success(let message):
      guard port == nil || message.isForGPSDClients else {
        let error = Self.unanswered(message.name)
        return server.report(event: .malformed(connection.id, error.answer, id: request.id))
      }
      if case .hello = message, connection.place == .forCommands {
        let words = Admission.Refusal.lastPlaces.words(server.limits)
        let error = ServerMessage.error(code: .tooMany, words)
        _ = connection.send(bytes: error.encode(id: request.id, asGPSD: false))
        return connection.close(within: 5)
      }
      server.report(event: .message(connection.id, message, id: request.id))
    }
  }
}

extension ClientMessageReader.Request {
  fileprivate var isQuestion: Bool {
    if case .success(let message) = message { message.isQuestion } else { false }
  }
}
