// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOPosix
package import ServiceContract

/// gpsd as a stream of fixes.
///
/// One connection, on one loop. The rules are in three plain structs: `ConnectionMachine` (when to connect, to wait, to
/// give up), `ReportIntake` (bytes to events) and `EpochMerger` (reports to fixes); `GPSDSession` carries out their
/// actions. Without a watch there is no connection and no timer; during a watch, timers run only for an open epoch and
/// for the next attempt.
package final class GPSDSource: Sendable {
  package struct Address: Sendable, Equatable {
    package var host: String
    package var port: Int
    /// The only device to watch; `nil` watches all.
    package var device: String?
    /// gpsd's control socket, through which it is told to close its devices as soon as nothing is watched; without it
    /// (`nil`) gpsd holds them for 60 s.
    package var control: String?
    /// Which receivers are sent to sleep through it.
    package var sleep: ReceiverSleep

    package init(
      host: String = "localhost", port: Int = 2947, device: String? = nil, control: String? = nil,
      sleep: ReceiverSleep = .off
    ) {
      self.host = host
      self.port = port
      self.device = device
      self.control = control
      self.sleep = sleep
    }
  }

  /// The limit of an attempt to connect.
  package static let connectTimeout = TimeAmount.seconds(10)

  private let loop: any EventLoop
  private let session: NIOLoopBoundBox<GPSDSession>

  /// `sink` is called on one of `group`'s loops, in the order of events, and must not block. It also gets gpsd's lines
  /// if `passesLines` is true, and the receiver's sky if `passesSky` is.
  ///
  /// `random` draws the jitter of the waits between attempts.
  package init(
    _ address: Address, on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
    passesLines: Bool, passesSky: Bool = false,
    random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
    sink: @escaping @Sendable (GPSDEvent) -> Void
  ) {
    let loop = group.next()
    self.loop = loop
    session = .makeBoxSendingValue(
      GPSDSession(
        address, on: loop, passesLines: passesLines, passesSky: passesSky,
        random: DrawnNumbers(draw: random), sink: sink),
      eventLoop: loop)
  }

  /// Begins or ends the watch; connects if there is no connection yet. Without a watch the
  /// connection is closed, so that gpsd can switch its devices off, and the receiver sleeps for `sleep` seconds, if it
  /// can; `nil` leaves it awake.
  package func watch(_ isOn: Bool, sleep: RestSpan? = nil) {
    loop.execute { [session] in session.value.watch(isOn, sleep: sleep) }
  }

  /// Ends everything: received data is delivered first, then no event follows. A release under way is awaited.
  package func close() async {
    let end = loop.flatSubmit { [session] in session.value.endSession() }
    // It fails only if the loop is shut down already, and then nothing runs any more.
    _ = try? await end.get()
  }

  /// Connects once and closes again; returns `nil` on success.
  package static func reach(
    _ address: Address, on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
    within timeout: TimeAmount = connectTimeout
  ) async -> ReachFailure? {
    do {
      let channel = try await ClientBootstrap(group: group).connectTimeout(timeout)
        .connect(host: address.host, port: address.port).get()
      try? await channel.close().get()
      return nil
    } catch {
      return ReachFailure(error)
    }
  }
}

/// A generator whose numbers come from outside.
struct DrawnNumbers: RandomNumberGenerator {
  let draw: @Sendable () -> UInt64

  mutating func next() -> UInt64 { draw() }
}
