// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOCore
import ServiceContract
import Synchronization

// Theory
// ======
//
// Bytes that wait for a client are counted from `send` until the kernel has taken them. A message that would exceed the
// limit is refused, and so is each further one; when half of the limit is free again the client is `writable`. While at
// most half is used, one message of any length is accepted: else it could never be sent. So a client that never reads
// costs the limit and one message, and delays no other client. The limit is its share of what may wait for all clients
// of its kind (`UnreadBudget`), so it falls as others read nothing either.
//
//              send, fits           send, does not fit: false
//            ┌───┐                ┌───────────────────────▶┐
//            ▼   │                │                        ▼
//           open ┴────────────────┘                     refusing ──┐ send: false
//            ▲                                             │  ▲    │
//            └───────── half is free: `writable` ──────────┘  └────┘
//
// A client with more than half of the limit is not heard: its messages stay unread until it has read (`mayBeHeard`).
// So answers are made for a client that reads them, and the rest of the limit is for deliveries.
//
// `close` refuses further messages, allows some seconds to write the waiting ones, and closes.
//
// Waiting bytes go straight to the kernel, which nearly always takes all of them: that saves a buffer and a promise of the
// channel. The rest is the channel's; what follows waits here until that is written, since many small pieces would cost
// the channel a buffer and a promise each.

/// The writing side of one client; any thread may call it.
final class Connection: Sendable {
  let id: ClientID
  let peer: Admission.Peer
  let place: Admission.Place
  let channel: any Channel
  /// The channel's socket, valid while that is active; `nil` if it has none.
  private let descriptor: Int32?
  private let queue: FlushQueue
  private let limit: Int
  private let budget: UnreadBudget
  private let isWritable: @Sendable (ClientID) -> Void
  private let outbox = Mutex(Outbox())

  private struct Outbox {
    /// Bytes that the event loop has not taken yet.
    var waiting: [UInt8] = []
    /// Those, and the bytes that the kernel has not taken yet.
    var pending = 0
    /// Whether the channel has some of them.
    var isInChannel = false
    /// Whether the loop is scheduled to flush.
    var isQueued = false
    /// Whether a message was refused, with no `writable` since.
    var isRefusing = false
    /// Whether the reading side waits until half is free.
    var isUnheard = false
    var isClosing = false

    /// Returns the number of bytes that waited and do no longer.
    mutating func release(_ count: Int) -> Int {
      let released = min(pending, count)
      pending -= released
      return released
    }

    /// Whether the caller must tell the queue.
    mutating func queue() -> Bool {
      defer { isQueued = true }
      return !isQueued
    }
  }

  /// Called on the channel's event loop.
  init(
    id: ClientID, peer: Admission.Peer, place: Admission.Place, channel: any Channel,
    queue: FlushQueue, limit: Int, budget: UnreadBudget,
    isWritable: @escaping @Sendable (ClientID) -> Void
  ) {
    self.id = id
    self.peer = peer
    self.place = place
    self.channel = channel
    descriptor =
      (try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
        of: NIOBSDSocket.Handle.self
      ) { $0 }) ?? nil
    self.queue = queue
    self.limit = limit
    self.budget = budget
    self.isWritable = isWritable
  }

  /// Whether it expects gpsd's protocol.
  var isGPSDClient: Bool { peer == .gpsdClient }

  /// The most bytes that may wait for it now.
  private var share: Int { min(limit, budget.share) }

  func send(bytes: [UInt8]) -> Bool {
    let (isTaken, mustQueue) = outbox.withLock { outbox -> (Bool, Bool) in
      guard !outbox.isClosing else { return (false, false) }
      let share = share
      if outbox.isRefusing || outbox.pending > share / 2 && outbox.pending + bytes.count > share {
        outbox.isRefusing = true
        return (false, false)
      }
      budget.take(bytes: bytes.count)
      if outbox.waiting.isEmpty { outbox.waiting = bytes } else { outbox.waiting += bytes }
      outbox.pending += bytes.count
      return (true, outbox.queue())
    }
    if mustQueue { queue.add(connection: self) }
    return isTaken
  }

  /// Whether the client reads what it gets. If not, the channel is sent the event `MayBeHeard` when it has; on the event
  /// loop.
  var mayBeHeard: Bool {
    outbox.withLock { outbox in
      outbox.isUnheard = outbox.pending > share / 2
      return !outbox.isUnheard
    }
  }

  /// Closes once everything was written, or after `seconds`.
  func close(within seconds: Int64) {
    let (isFirst, mustQueue) = outbox.withLock { outbox -> (Bool, Bool) in
      guard !outbox.isClosing else { return (false, false) }
      outbox.isClosing = true
      return (true, outbox.queue())
    }
    guard isFirst else { return }
    if mustQueue { queue.add(connection: self) }
    let channel = channel
    let timer = channel.eventLoop.scheduleTask(in: .seconds(seconds)) {
      channel.close(promise: nil)
    }
    channel.closeFuture.whenComplete { _ in timer.cancel() }
  }

  /// Ends it: the channel is closed, and nothing is kept for it.
  func endConnection() {
    let released = outbox.withLock { outbox in
      outbox.isClosing = true
      outbox.waiting = []
      return outbox.release(outbox.pending)
    }
    budget.giveBack(released)
  }

  /// Writes the waiting bytes; on the event loop.
  func flush() {
    let (bytes, isClosing) = outbox.withLock { outbox -> ([UInt8], Bool) in
      outbox.isQueued = false
      guard !outbox.isInChannel else { return ([], false) }
      defer { outbox.waiting = [] }
      return (outbox.waiting, outbox.isClosing)
    }
    let count = write(bytes)
    if count > 0 { took(count) }
    if count < bytes.count || isClosing { pass(bytes[count...], thenCloses: isClosing) }
  }

  /// Returns the number of bytes that the kernel has taken. A fault is left to the channel, which meets it too.
  private func write(_ bytes: [UInt8]) -> Int {
    guard let descriptor, !bytes.isEmpty, channel.isActive else { return 0 }
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    return max(0, Glibc.send(descriptor, bytes, bytes.count, flags))
  }

  private func pass(_ bytes: ArraySlice<UInt8>, thenCloses: Bool) {
    outbox.withLock { $0.isInChannel = true }
    let (channel, count) = (channel, bytes.count)
    let written = channel.eventLoop.makePromise(of: Void.self)
    written.futureResult.whenComplete { _ in
      self.outbox.withLock { $0.isInChannel = false }
      self.took(count)
      if thenCloses { channel.close(promise: nil) } else { self.flush() }
    }
    channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: written)
  }

  private func took(_ count: Int) {
    budget.giveBack(outbox.withLock { $0.release(count) })
    let (isFree, isHeard) = outbox.withLock { outbox -> (Bool, Bool) in
      guard !outbox.isClosing, outbox.pending <= share / 2 else { return (false, false) }
      defer { (outbox.isRefusing, outbox.isUnheard) = (false, false) }
      return (outbox.isRefusing, outbox.isUnheard)
    }
    if isFree { isWritable(id) }
    if isHeard { channel.pipeline.fireUserInboundEventTriggered(MayBeHeard()) }
  }
}

/// Half of the limit is free again for a client that was not heard.
struct MayBeHeard {}
