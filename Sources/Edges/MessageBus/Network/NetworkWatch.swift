// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Host
package import ServiceContract

// Theory
// ======
//
// One thread, which blocks in `poll` without a timeout on a netlink socket that hears of every change of a route
// (rtnetlink(7), RTMGRP_IPV4_ROUTE and RTMGRP_IPV6_ROUTE), and on a bell for the end. A change only causes a look: the
// report is the kernel's table at that time, read by RTM_GETROUTE, so a burst of messages, a lost one (ENOBUFS) and an
// irrelevant one have the same effect. The network is *up* if there is a default route in any table but the local one:
// the sender finds out whether anything answers behind it.
//
// NetworkManager knows whether the connection is metered, and over which Wi-Fi network it goes, and answers on the system
// bus (`ConnectionQuestion`); it is asked at the start and when the routes have changed, and once more two seconds later,
// for it may change a route before it says so. Without NetworkManager or a bus nothing is known of either. A connection
// that becomes metered while its route stays is noticed at the next change of a route.
//
// An equal reading is not reported again. A machine whose routes stay is not woken.

/// Watches whether this machine has a route to other machines, whether it is metered, and over which Wi-Fi it goes.
package final class NetworkWatch: Sendable {
  private let bus: String?
  private let sink: @Sendable (MachineEvent) -> Void
  private let thread = BellThread()

  /// `bus` is the address of a bus; the default is the system bus. `sink` is called on the watch's own thread and must
  /// not block.
  package init(bus: String? = nil, sink: @escaping @Sendable (MachineEvent) -> Void) {
    self.bus = bus
    self.sink = sink
  }

  /// Begins; reports the network, and what cannot be watched. Called once.
  package func start() {
    let routes = unix_route_descriptor()
    guard routes >= 0 else { return complain("no netlink socket: \(SystemError.text())") }
    do throws(BlockingThread.Missing) {
      try thread.start { self.runThread(routes) }
    } catch {
      Glibc.close(routes)
      complain(error.description)
    }
  }

  private func complain(_ words: String) {
    sink(.trouble("whether there is a network is not watched: \(words)"))
  }

  /// Ends the thread, even while it waits for the bus. No event follows.
  package func close() async { await thread.close() }

  // MARK: The thread

  private func runThread(_ routes: Int32) {
    var told = Told()
    // It is watched before this look: no change can be missed.
    reportNetwork(&told)
    var entries = [thread.bell.entry, pollfd(fd: routes, events: Int16(POLLIN), revents: 0)]
    var isSettled = true
    while !thread.isToEnd {
      let count = poll(&entries, nfds_t(entries.count), isSettled ? -1 : Self.settling)
      guard count == 0 || (count > 0 && entries[1].revents != 0) else { continue }
      isSettled = count == 0
      Self.empty(routes)
      reportNetwork(&told)
    }
    Glibc.close(routes)
  }

  /// Milliseconds after the last change of a route until NetworkManager is asked again [ours].
  private static let settling: Int32 = 2_000

  /// The last reports.
  private struct Told {
    var network: NetworkReading?
    var connection: ConnectionQuestion.Answer?
  }

  /// Reports what differs from the last report. It may wait for the bus.
  private func reportNetwork(_ told: inout Told) {
    guard let isUp = RouteTable.hasDefault else { return }
    let answer = ConnectionQuestion.answer(bus, until: thread.bell.entry)
    // The end interrupts the question: its answer is then void.
    guard !thread.isToEnd else { return }
    let reading = NetworkReading(isUp: isUp, isMetered: isUp ? answer?.isMetered : nil)
    if reading != told.network {
      told.network = reading
      sink(.network(reading))
    }
    guard let answer else { return }
    if told.connection?.wifi != answer.wifi || told.connection == nil { sink(.wifi(answer.wifi)) }
    told.connection = answer
  }

  /// Reads all waiting messages; their content does not matter.
  private static func empty(_ socket: Int32) {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    while true {
      let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      // A full buffer lost some (ENOBUFS), and reports it once.
      guard count > 0 || (count < 0 && errno == ENOBUFS) else { return }
    }
  }
}
