// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
package import LocationModel
package import ServiceContract
import Synchronization

// Theory
// ======
//
// One thread, from `start` to the end (`BusWork`); the machine (`GeoClueMachine`) decides, the line (`GeoClueLine`)
// executes. There is no deadline while there is a bus. While the thread is busy, only the newest position for each client
// is kept.

/// Answers programs that use GeoClue, on the system bus, in place of GeoClue.
package final class GeoClueBus: Sendable {
  private let address: String?
  private let user: UInt32
  private let sink: @Sendable (GeoClueEvent) -> Void
  private let positions = Mutex<[GeoClueClient: Fix]>([:])
  private let thread = BellThread()

  /// `address` is that of a bus; the default is the system bus. Only `user` is answered. `sink` is called on a separate
  /// thread, in the order of events, and must not block.
  package init(
    address: String? = nil, user: UInt32 = geteuid(),
    sink: @escaping @Sendable (GeoClueEvent) -> Void
  ) {
    self.address = address
    self.user = user
    self.sink = sink
  }

  /// Begins to answer. Called once.
  package func start() {
    do throws(BlockingThread.Missing) {
      try thread.start { self.runThread() }
    } catch {
      sink(.answering(false, "programs that ask GeoClue are not answered: \(error)"))
    }
  }

  /// Sends a client the device's position; does not wait.
  package func sendFix(to client: GeoClueClient, _ fix: Fix) {
    positions.withLock { $0[client] = fix }
    thread.bell.ring()
  }

  /// Ends everything. No event follows.
  package func close() async { await thread.close() }

  private func runThread() {
    var work = BusWork<GeoClueLine>(GeoClueMachine(user: user), at: address) {
      [sink] action, line in
      switch action {
      case .open: return .open
      case .close: return .close
      case .ask(let question): if line?.ask(question) == false { return .outOfMemory }
      case .answer(let token, let values): line?.answer(token, values)
      case .refuse(let token, let refusal): line?.refuse(token, refusal)
      case .drop(let token): line?.drop(token)
      case .signal(let path, let interface, let member, let values, let to):
        line?.signal(path, interface, member, values, to: to)
      case .say(let event): sink(event)
      }
      return .done
    }
    work.giveMachine(.begin)
    while !thread.isToEnd {
      let positions = self.positions.withLock { positions in
        defer { positions = [:] }
        return positions
      }
      for (client, fix) in positions.sorted(by: { $0.key.number < $1.key.number }) {
        work.giveMachine(.told(client, fix))
      }
      work.wait(thread.bell)
    }
  }
}
