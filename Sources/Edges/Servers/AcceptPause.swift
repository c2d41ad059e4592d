// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Pauses a listening channel for a second if a client cannot be accepted.
///
/// Without a free descriptor `accept` fails while the socket stays readable, so that immediate retries never end. NIO's
/// own `AcceptBackoffHandler` only delays the next read: if the first `accept` of a wakeup fails, the previous read is
/// still pending, the channel stays registered, and the loop spins. So reading is switched off here, which takes the
/// channel out of the selector.
///
///     reading ── an accept fails ──▶ resting ── 1 s later ──▶ reading
///
/// Odd cases: a failure while resting (of a wakeup under way) does not prolong the rest; a channel that is closed
/// meanwhile ignores the end of its rest.
package final class AcceptPause: ChannelInboundHandler {
  package typealias InboundIn = any Channel

  private enum State { case reading, resting }

  private var state = State.reading

  /// Adds one to a server's channel; for `ServerBootstrap.serverChannelInitializer`.
  package static func add(to channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(AcceptPause())
    }
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is IOError else { return context.fireErrorCaught(error) }
    guard state == .reading, let options = context.channel.syncOptions else { return }
    do {
      try options.setOption(.autoRead, value: false)
      state = .resting
      context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
        self.state = .reading
        try? options.setOption(.autoRead, value: true)
      }
    } catch {
      context.fireErrorCaught(error)
    }
  }
}
