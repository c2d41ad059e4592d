// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Glibc
import Host
import JSONText
package import NIOCore
import NIOHTTP1
import NIOPosix
package import ServiceContract
import Synchronization

/// Serves the live page and its data to this machine's user.
package final class StatusServer: Sendable {
  /// The page queries the service as one of its clients; the control socket counts its own from 1. JSON carries this
  /// number exactly, which matters since recordings hold it.
  package static let client = ClientID(1 << 52)

  /// The page's address and resources.
  package struct Setup: Sendable {
    /// An address, and a port; 0 takes a free one.
    package var host: String
    package var port: Int
    /// A name for this machine that browsers may use besides addresses and localhost.
    package var name: String?
    /// The path of a file for the page's address with a token, mode 0600.
    package var urlFile: String
    package var surroundings: PageSurroundings

    package init(
      host: String, port: Int, name: String? = nil, urlFile: String,
      surroundings: PageSurroundings
    ) {
      self.host = host
      self.port = port
      self.name = name
      self.urlFile = urlFile
      self.surroundings = surroundings
    }
  }

  private let loop: any EventLoop
  private let sink: @Sendable (ClientEvent) -> Void
  private let desk = Mutex<NIOLoopBoundBox<StatusDesk>?>(nil)
  private let listener = Mutex<(any Channel)?>(nil)
  private let isWatched = WatchFlag()

  /// `sink` is called on `loop` with the page's requests, and must not block.
  package init(on loop: any EventLoop, sink: @escaping @Sendable (ClientEvent) -> Void) {
    self.loop = loop
    self.sink = sink
  }

  /// Listens; returns the address, `127.0.0.1:8080`. Throws `Complaint`.
  package func listen(_ setup: Setup) async throws -> String {
    let isWatched = isWatched
    let sink = sink
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer(AcceptPause.add)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4_096))
      .childChannelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture { try open(channel: channel) }
      }
    do {
      let bound = try await bootstrap.bind(host: setup.host, port: setup.port).get()
      let port = bound.localAddress?.port ?? setup.port
      let host = setup.host.contains(":") ? "[\(setup.host)]" : setup.host
      let address = "\(host):\(port)"
      let made = loop.submit { [loop] in
        NIOLoopBoundBox(
          try StatusDesk(
            setup, address: address, port: port, on: loop, isWatched: isWatched, sink: sink),
          eventLoop: loop)
      }
      do {
        let box = try await made.get()
        desk.withLock { $0 = box }
      } catch {
        try? await bound.close()
        throw error
      }
      listener.withLock { $0 = bound }
      return address
    } catch let error as Complaint {
      throw error
    } catch {
      let reason = (error as? IOError).map { SystemError.text($0.errnoCode) } ?? "\(error)"
      throw Complaint(
        "\(setup.host):\(setup.port): cannot serve the live page: \(reason); choose another address with "
          + "web in milepostd.yaml, or --web")
    }
  }

  private func open(channel: any Channel) throws {
    guard let desk = desk.withLock({ $0 })?.value, desk.makeRoom() else {
      channel.close(promise: nil)
      return
    }
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(RequestLimit())
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false, withErrorHandling: false)
    try pipeline.addHandler(WebHandler(desk))
  }

  /// Passes on the service's answer to the page's question of that id. Any thread may call it.
  package func answer(_ message: ServerMessage, id: String?) {
    onDesk { $0.answer(message, id) }
  }

  /// Sets the ground of the page's map, as JSON; `nil` if there is none after all. Until then the page asks again. Any
  /// thread may call it.
  package func lay(ground: [UInt8]?) {
    onDesk { $0.lay(ground.map { .laid($0) } ?? .missing) }
  }

  /// Notifies viewers of an event, at most once a second. Any thread may call it; without a viewer it costs one check
  /// of a flag.
  package func stirred() {
    if isWatched.isSet { onDesk { $0.stirred() } }
  }

  /// Closes everything, and removes the file.
  package func stop() async {
    try? await listener.withLock { $0 }?.close()
    guard let desk = desk.withLock({ $0 }) else { return }
    // Its file is gone before the daemon is.
    try? await loop.submit { desk.value.stop() }.get()
  }

  private func onDesk(_ body: @escaping @Sendable (StatusDesk) -> Void) {
    guard let desk = desk.withLock({ $0 }) else { return }
    loop.execute { body(desk.value) }
  }
}

/// Whether there is a viewer; read by any thread.
final class WatchFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set(_ isSet: Bool) { flag.store(isSet, ordering: .relaxed) }
}

/// The file with the page's address and a token, readable only by its user.
struct URLFile: Sendable {
  let path: String

  /// Replaces the file in one step. Throws `Complaint`.
  func writeURL(_ text: String) throws {
    let draft = path + ".new"
    unlink(draft)
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(errno) }
    let result = WholeWrite.write(Array(text.utf8)[...], to: descriptor)
    close(descriptor)
    if let code = result.error { throw failure(code) }
    guard rename(draft, path) == 0 else { throw failure(errno) }
  }

  func remove() { unlink(path) }

  private func failure(_ code: Int32) -> Complaint {
    Complaint(
      "\(path): the live page's address cannot be written: \(SystemError.text(code)); name another "
        + "runtime directory with --runtime, or leave web out")
  }
}
