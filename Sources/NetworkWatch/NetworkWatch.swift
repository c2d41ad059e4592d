// SPDX-License-Identifier: Apache-2.0

import CUnix
import Files
import Glibc
package import ServiceContract
import Synchronization

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
  private struct State {
    var hasThread = false
    var isClosed = false
    var waiters: [CheckedContinuation<Void, Never>] = []
    var told: NetworkReading?
  }

  private let bus: String?
  private let sink: @Sendable (MachineEvent) -> Void
  private let state = Mutex(State())
  private let bell: Int32

  /// `bus` is the address of a bus; without one the system's is asked. `sink` is called on the watch's own
  /// thread and must not block.
  package init(bus: String? = nil, sink: @escaping @Sendable (MachineEvent) -> Void) {
    self.bus = bus
    self.sink = sink
    bell = unix_event_descriptor()
  }

  deinit { if bell >= 0 { Glibc.close(bell) } }

  /// Begins; tells what there is, and what cannot be watched. Called once.
  package func start() {
    let routes = unix_route_descriptor()
    guard routes >= 0, bell >= 0 else {
      return complain("no netlink socket: \(SystemError.text())")
    }
    state.withLock { $0.hasThread = true }
    guard !startThread(routes) else { return }
    state.withLock { $0.hasThread = false }
    Glibc.close(routes)
    complain("no thread could be started")
  }

  private func complain(_ words: String) {
    sink(.trouble("whether there is a network is not watched: \(words)"))
  }

  /// Ends the thread. No event follows.
  package func close() async {
    await withCheckedContinuation { waiter in
      let isOver = state.withLock { state in
        state.isClosed = true
        if state.hasThread { state.waiters.append(waiter) }
        return !state.hasThread
      }
      guard !isOver else { return waiter.resume() }
      var one: UInt64 = 1
      _ = write(bell, &one, 8)
    }
  }

  /// What there is now, where it is something else than was told. It may wait for the bus.
  private func look() -> NetworkReading? {
    guard let isUp = RouteTable.hasDefault else { return nil }
    let reading = NetworkReading(isUp: isUp, isMetered: isUp ? MeteredQuestion.answer(bus) : nil)
    return state.withLock { state in
      guard reading != state.told else { return nil }
      state.told = reading
      return reading
    }
  }

  private func tell() {
    if let reading = look() { sink(.network(reading)) }
  }

  // MARK: The thread

  private final class Load {
    let watch: NetworkWatch
    let routes: Int32

    init(_ watch: NetworkWatch, _ routes: Int32) { (self.watch, self.routes) = (watch, routes) }
  }

  private func startThread(_ routes: Int32) -> Bool {
    var thread = pthread_t()
    let load = Unmanaged.passRetained(Load(self, routes))
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let load = Unmanaged<Load>.fromOpaque(context).takeRetainedValue()
        // Watched first, looked at then: nothing can change unseen. The bus may keep it waiting.
        load.watch.tell()
        load.watch.run(load.routes)
        return nil
      }, load.toOpaque())
    guard code == 0 else {
      load.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private func run(_ routes: Int32) {
    var entries = [
      pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
      pollfd(fd: routes, events: Int16(POLLIN), revents: 0),
    ]
    while !state.withLock({ $0.isClosed }) {
      guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      guard entries[1].revents != 0 else { continue }
      Self.empty(routes)
      tell()
    }
    Glibc.close(routes)
    let waiters = state.withLock { state in
      state.hasThread = false
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
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
