// SPDX-License-Identifier: Apache-2.0

import CUnix
import Files
import Glibc
package import ServiceContract
import Threads

// Theory
// ======
//
// One thread, which blocks in `poll` without a timeout on a netlink socket that hears of every change of a route
// (rtnetlink(7), RTMGRP_IPV4_ROUTE and RTMGRP_IPV6_ROUTE), and on a bell for the end. A change is only a reason
// to look: what is told is what the kernel's table says then, asked for by RTM_GETROUTE, so a burst of messages, a lost
// one (ENOBUFS) and one of no interest all come to the same. The network is *up* where there is a default route in
// any table but the local one: whether anything answers behind it is found out by whoever sends.
//
// Whether the connection is metered NetworkManager knows, and says on the system bus when it is asked
// (`MeteredQuestion`); it is asked when the routes have changed and at the start. A machine without it, or
// without a bus, knows nothing: `nil`. A connection that becomes metered while its route stays is seen at the next
// change of a route.
//
// What reads the same is not told again. A machine whose routes stay is not woken.

/// Watches whether this machine has a way to other machines, and what that costs.
package final class NetworkWatch: Sendable {
  private let bus: String?
  private let sink: @Sendable (MachineEvent) -> Void
  private let thread = BellThread()

  /// `bus` is the address of a bus; without one the system's is asked. `sink` is called on the watch's own
  /// thread and must not block.
  package init(bus: String? = nil, sink: @escaping @Sendable (MachineEvent) -> Void) {
    self.bus = bus
    self.sink = sink
  }

  /// Begins; tells what there is, and what cannot be watched. Called once.
  package func start() {
    let routes = unix_route_descriptor()
    guard routes >= 0 else { return complain("no netlink socket: \(SystemError.text())") }
    do throws(BlockingThread.Missing) {
      try thread.start { self.run(routes) }
    } catch {
      Glibc.close(routes)
      complain(error.description)
    }
  }

  private func complain(_ words: String) {
    sink(.trouble("whether there is a network is not watched: \(words)"))
  }

  /// Ends the thread, also where it waits for the bus. No event follows.
  package func close() async { await thread.close() }

  // MARK: The thread

  private func run(_ routes: Int32) {
    var told: NetworkReading?
    // Watched already, looked at now: nothing can change unseen.
    tell(&told)
    var entries = [thread.bell.entry, pollfd(fd: routes, events: Int16(POLLIN), revents: 0)]
    while !thread.isToEnd {
      guard poll(&entries, nfds_t(entries.count), -1) > 0, entries[1].revents != 0 else { continue }
      Self.empty(routes)
      tell(&told)
    }
    Glibc.close(routes)
  }

  /// Tells what there is now, where it is something else than was told. It may wait for the bus.
  private func tell(_ told: inout NetworkReading?) {
    guard let isUp = RouteTable.hasDefault else { return }
    let isMetered = isUp ? MeteredQuestion.answer(bus, until: thread.bell.entry) : nil
    let reading = NetworkReading(isUp: isUp, isMetered: isMetered)
    // The end cuts the question short: what it answers then is nothing.
    guard !thread.isToEnd, reading != told else { return }
    told = reading
    sink(.network(reading))
  }

  /// Takes all that waits; what it says does not matter.
  private static func empty(_ socket: Int32) {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while true {
      let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      // A full buffer lost some (ENOBUFS), and says so once.
      guard count > 0 || (count < 0 && errno == ENOBUFS) else { return }
    }
  }
}
