// SPDX-License-Identifier: Apache-2.0

import CUnix
package import ControlProtocol
import Glibc
import Host
import JSONText
package import NIOCore
import NIOPosix
package import ServiceContract
import Synchronization

/// Listens for apps, for the user's commands and for ordinary gpsd clients.
package final class ControlServer: Sendable {
  let limits: Limits
  private let group: any EventLoopGroup
  private let sink: @Sendable (ClientEvent) -> Void
  private let state = Mutex(State())
  private let budget: UnreadBudget
  private let gpsdBudget: UnreadBudget
  /// The texts of the last position, reused for the next client that gets the same.
  private let latest = Mutex(LatestTexts())

  private struct State {
    var lastNumber: UInt64 = 0
    var clients: [ClientID: Connection] = [:]
    var admission = Admission()
    var queues: [ObjectIdentifier: FlushQueue] = [:]
    var listeners: [any Channel] = []
    var files: [SocketFile] = []
    var isStopped = false
  }

  /// `sink` is called in order for each client and must not block.
  package init(
    on group: any EventLoopGroup, limits: Limits = Limits(),
    sink: @escaping @Sendable (ClientEvent) -> Void
  ) {
    self.group = group
    self.limits = limits
    self.sink = sink
    // A moment later: what the channels of clients that left have held is free then, too.
    let giveBack: @Sendable () -> Void = {
      _ = group.next().scheduleTask(in: .seconds(1)) { malloc_trim(0) }
    }
    budget = UnreadBudget(bytes: limits.unreadBytes, floodEnded: giveBack)
    gpsdBudget = UnreadBudget(bytes: limits.gpsdUnreadBytes, floodEnded: giveBack)
  }

  // Listening ------------------------------------------------------------------------------------

  /// Listens on a Unix socket, mode 0600; a stale file is replaced, a live one is an error
  /// (`Complaint`). A missing directory is made, mode 0700.
  package func listen(path: String) async throws {
    let (file, descriptor) = try SocketFile.listen(at: path)
    state.withLock { $0.files.append(file) }
    try await listen(descriptor: descriptor)
  }

  /// Takes over a listening Unix socket that systemd opened.
  package func listen(descriptor: Int32) async throws {
    let listener = try await bootstrap(port: nil).withBoundSocket(descriptor).get()
    await keep(listener)
  }

  /// Listens on 127.0.0.1 and ::1 for gpsd clients, as gpsd does: some of them try only the first address of
  /// `localhost`. Returns the port (0 requests a free one).
  package func listen(gpsdPort: Int) async throws -> Int {
    guard let port = try await listen(gpsdPort: gpsdPort, at: "127.0.0.1", unless: []) else {
      return gpsdPort
    }
    // A machine may have no IPv6.
    _ = try await listen(gpsdPort: port, at: "::1", unless: [EADDRNOTAVAIL, EAFNOSUPPORT])
    return port
  }

  /// Returns the port; `nil` if the system fails with one of `reasons`.
  private func listen(
    gpsdPort: Int, at host: String, unless reasons: [Int32]
  ) async throws -> Int? {
    do {
      let listener = try await bootstrap(port: gpsdPort).bind(host: host, port: gpsdPort).get()
      await keep(listener)
      return listener.localAddress?.port ?? gpsdPort
    } catch let error as IOError {
      guard !reasons.contains(error.errnoCode) else { return nil }
      let place = host.contains(":") ? "[\(host)]" : host
      throw Complaint(
        "\(place):\(gpsdPort): cannot listen for gpsd clients: "
          + "\(SystemError.text(error.errnoCode)); choose another port")
    }
  }

  private func bootstrap(port: Int?) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 512)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: port == nil ? 0 : 1)
      .serverChannelInitializer(AcceptPause.add)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 8_192)
      )
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let port {
            try channel.syncOptions?.setOption(.tcpOption(.tcp_nodelay), value: 1)
            // Else the kernel takes up to 4 MB for one that does not read (tcp(7), tcp_wmem).
            try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: 65_536)
            let bound = channel.localAddress?.port ?? port
            try channel.pipeline.syncOperations.addHandler(ClientHandler(server: self, port: bound))
          } else {
            try channel.pipeline.syncOperations.addHandler(ClientHandler(server: self, port: nil))
          }
        }
      }
  }

  private func keep(_ listener: any Channel) async {
    let isStopped = state.withLock { state in
      if !state.isStopped { state.listeners.append(listener) }
      return state.isStopped
    }
    if isStopped { try? await listener.close() }
  }

  /// Closes everything and removes the socket's file; writing the waiting bytes may take a second.
  package func stop() async {
    let (listeners, files, clients) = state.withLock { state in
      state.isStopped = true
      defer {
        state.listeners = []
        state.files = []
      }
      return (state.listeners, state.files, Array(state.clients.values))
    }
    for listener in listeners { try? await listener.close() }
    for file in files { file.remove() }
    for client in clients { client.close(within: 1) }
    for client in clients { try? await client.channel.closeFuture.get() }
  }

  // Clients --------------------------------------------------------------------------------------

  /// Sends one message; returns `false` if the client is gone or has too much to read already. The message was then not
  /// sent, and `writable` follows when it can be.
  @discardableResult
  package func send(_ message: ServerMessage, to client: ClientID, id: String? = nil) -> Bool {
    guard let connection = state.withLock({ $0.clients[client] }) else { return false }
    let line = latest.withLock {
      message.encode(id: id, asGPSD: connection.isGPSDClient, after: &$0)
    }
    return connection.send(bytes: line)
  }

  /// Sends the waiting bytes, then closes the connection; after 5 s it is closed anyway.
  package func closeConnection(of client: ClientID) {
    state.withLock { $0.clients[client] }?.close(within: 5)
  }

  /// Whether a process of `user` may connect: the daemon's own user and root.
  package static func admits(user: UInt32, own: UInt32) -> Bool { user == own || user == 0 }

  /// The bytes that wait for clients of the Unix socket.
  var unread: Int { budget.bytes }

  func report(event: ClientEvent) { sink(event) }

  /// Registers a client, or returns the reason for refusal. A stopped server has no room.
  func register(
    _ channel: any Channel, _ peer: Admission.Peer
  ) -> Result<Connection, Admission.Refusal> {
    let now = NIODeadline.now().uptimeNanoseconds
    let (answer, silent) = state.withLock {
      state -> (Result<Connection, Admission.Refusal>, Connection?) in
      guard !state.isStopped else { return (.failure(.full), nil) }
      let id = ClientID(state.lastNumber + 1)
      let entry: Admission.Entry
      switch state.admission.enter(peer, as: id, at: now, limits) {
      case .success(let found): entry = found
      case .failure(let refusal): return (.failure(refusal), nil)
      }
      state.lastNumber += 1
      let loop = channel.eventLoop
      let queue = state.queues[ObjectIdentifier(loop)] ?? FlushQueue(on: loop)
      state.queues[ObjectIdentifier(loop)] = queue
      let connection = Connection(
        id: id, peer: peer, place: entry.place, channel: channel, queue: queue,
        limit: limits.pendingBytes, budget: budget(of: peer),
        isWritable: { [sink] in sink(.writable($0)) })
      budget(of: peer).entered()
      state.clients[id] = connection
      return (.success(connection), entry.silent.flatMap { state.clients.removeValue(forKey: $0) })
    }
    if let silent {
      let words = Admission.silentWords(limits)
      _ = silent.send(bytes: ServerMessage.error(code: .tooMany, words).encode(asGPSD: false))
      silent.close(within: 1)
    }
    return answer
  }

  /// Notes the first message of a client on one of the last places.
  func spoke(_ connection: Connection) {
    state.withLock { $0.admission.spoke(connection.id) }
  }

  func forget(connection: Connection) {
    budget(of: connection.peer).left()
    state.withLock { state in
      guard state.clients.removeValue(forKey: connection.id) != nil else { return }
      state.admission.leave(connection.peer, connection.id)
    }
  }

  private func budget(of peer: Admission.Peer) -> UnreadBudget {
    peer == .gpsdClient ? gpsdBudget : budget
  }
}
