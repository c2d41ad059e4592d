// SPDX-License-Identifier: Apache-2.0

import Glibc
package import LocationModel
import MessageBus
package import ServiceContract
import Synchronization
import Threads

// Theory
// ======
//
// One thread, from `start` to the end, which blocks in `poll` on libdbus' descriptors and on a bell; the timeout is the
// machine's deadline, and there is none while there is a bus. The machine (`GeoClueMachine`) decides, the line
// (`GeoClueLine`) executes. While the thread is busy, only the newest position for each client is kept.

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
      try thread.start { self.run() }
    } catch {
      sink(.answering(false, "programs that ask GeoClue are not answered: \(error)"))
    }
  }

  /// Sends a client the device's position; does not wait.
  package func tell(_ client: GeoClueClient, _ fix: Fix) {
    positions.withLock { $0[client] = fix }
    thread.bell.ring()
  }

  /// Ends everything. No event follows.
  package func close() async { await thread.close() }

  private func run() {
    var work = Work(
      address: address ?? BusConnection.systemAddress, user: user, sink: sink)
    work.tell(.begin)
    while !thread.isToEnd {
      let positions = self.positions.withLock { positions in
        defer { positions = [:] }
        return positions
      }
      for (client, fix) in positions.sorted(by: { $0.key.number < $1.key.number }) {
        work.tell(.told(client, fix))
      }
      work.wait(thread.bell)
    }
  }
}

/// The machine and its line, on the thread.
private struct Work {
  let address: String
  let sink: @Sendable (GeoClueEvent) -> Void
  private var machine: GeoClueMachine
  private var line: GeoClueLine?

  init(address: String, user: UInt32, sink: @escaping @Sendable (GeoClueEvent) -> Void) {
    self.address = address
    self.sink = sink
    machine = GeoClueMachine(user: user)
  }

  /// Waits for an event or a deadline, and handles it.
  mutating func wait(_ bell: borrowing Bell) {
    var entries = [bell.entry] + (line?.awaited ?? [])
    let milliseconds = machine.deadline.map {
      max(0, ($0 - BlockingThread.now) * 1_000).rounded(.up)
    }
    let count = poll(&entries, nfds_t(entries.count), milliseconds.map { Int32($0) } ?? -1)
    if count > 0 {
      bell.answer(entries[0])
      exchange(Array(entries.dropFirst()))
    }
    tell(.timePassed)
  }

  private mutating func exchange(_ ready: [pollfd]) {
    guard let line else { return }
    guard let inputs = line.exchange(ready) else { return tell(.failed("it ended the connection")) }
    for input in inputs {
      // The machine may have given the connection up because of an earlier one.
      guard self.line === line else { return }
      tell(input)
    }
  }

  mutating func tell(_ input: GeoClueMachine.Input) {
    var inputs = [input]
    while !inputs.isEmpty {
      for action in machine.handle(inputs.removeFirst(), at: BlockingThread.now) {
        if let failure = perform(action) { inputs.append(failure) }
      }
    }
  }

  private mutating func perform(_ action: GeoClueMachine.Action) -> GeoClueMachine.Input? {
    switch action {
    case .open:
      do throws(BusConnection.Failure) {
        line = try GeoClueLine(address)
        return .opened
      } catch {
        return .failed(error.words)
      }
    case .close: line = nil
    case .ask(let question):
      if line?.ask(question) == false { return .failed("out of memory") }
    case .answer(let token, let values): line?.answer(token, values)
    case .refuse(let token, let refusal): line?.refuse(token, refusal)
    case .drop(let token): line?.drop(token)
    case .signal(let path, let interface, let member, let values, let to):
      line?.signal(path, interface, member, values, to: to)
    case .say(let event): sink(event)
    }
    return nil
  }
}
