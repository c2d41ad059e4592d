// SPDX-License-Identifier: Apache-2.0

import Glibc
import MessageBus
package import ServiceContract
import Synchronization
import Threads

// Theory
// ======
//
// One thread, from the first listener to the end. It blocks in `poll` on libdbus' descriptors and on an event
// descriptor by which other threads announce requests. The timeout is the machine's deadline; there is none while a
// modem is followed or without a listener. The machine (`ModemMachine`) decides, the connection (`ModemLine`) executes;
// both live on the thread.
//
// The request is a level and not a queue: switching it on and off before the thread has looked has
// no effect, and nothing can pile up.

/// ModemManager as a source of cell changes.
package final class ModemCells: Sendable {
  private let address: String?
  private let sink: @Sendable (ModemEvent) -> Void
  /// Whether there is a listener.
  private let isWanted = Mutex(false)
  /// Its bell rings when that has changed.
  private let thread = BellThread()

  /// `address` is that of a bus; the default is the system bus. `sink` is called on the source's own thread, in the
  /// order of events, and must not block.
  package init(address: String? = nil, sink: @escaping @Sendable (ModemEvent) -> Void) {
    self.address = address
    self.sink = sink
  }

  /// Begins or ends listening. Without a listener there is no connection, and the modem's previous setup is restored.
  package func listen(_ isOn: Bool) {
    guard !thread.isToEnd else { return }
    isWanted.withLock { $0 = isOn }
    guard isOn else { return thread.bell.ring() }
    do throws(BlockingThread.Missing) {
      try thread.start { self.run() }
      thread.bell.ring()
    } catch {
      sink(.trouble(.refused(error.description)))
    }
  }

  /// Ends everything; the previous setup is restored first, which takes 2 s at most. No event follows.
  package func close() async { await thread.close() }

  // MARK: The thread

  private func run() {
    var line = Line(address: address ?? BusConnection.systemAddress, sink: sink)
    while true {
      let isToEnd = thread.isToEnd
      line.listen(isWanted.withLock(\.self) && !isToEnd)
      if isToEnd && line.isAtRest { break }
      line.wait(thread.bell)
    }
  }
}

/// The machine and its connection, on the thread.
private struct Line {
  let address: String
  let sink: @Sendable (ModemEvent) -> Void
  private var machine = ModemMachine()
  private var connection: ModemLine?

  init(address: String, sink: @escaping @Sendable (ModemEvent) -> Void) {
    self.address = address
    self.sink = sink
  }

  var isAtRest: Bool { machine.state == .resting }

  mutating func listen(_ isOn: Bool) { tell(.listen(isOn)) }

  /// Waits for an event or a deadline, and handles it.
  mutating func wait(_ bell: borrowing Bell) {
    var entries = [bell.entry]
    entries += connection?.awaited ?? []
    let milliseconds = machine.deadline.map {
      max(0, ($0 - BlockingThread.now) * 1_000).rounded(.up)
    }
    let count = poll(
      &entries, nfds_t(entries.count), milliseconds.map { Int32(min($0, 3.6e6)) } ?? -1)
    if count > 0 {
      bell.answer(entries[0])
      exchange(Array(entries.dropFirst()))
    }
    tell(.timePassed)
  }

  private mutating func exchange(_ ready: [pollfd]) {
    guard let connection else { return }
    guard let arrivals = connection.exchange(ready) else {
      return tell(.failed("it ended the connection"))
    }
    for arrival in arrivals {
      // The machine may have given the connection up because of an earlier one.
      guard self.connection === connection else { return }
      switch arrival {
      case .answer(let answer, let call): tell(.answer(answer, to: call))
      case .signal(let signal, let sender): tell(.signal(signal, from: sender))
      }
    }
  }

  private mutating func tell(_ input: ModemMachine.Input) {
    var inputs = [input]
    while !inputs.isEmpty {
      for action in machine.handle(inputs.removeFirst(), at: BlockingThread.now) {
        switch action {
        case .open:
          do {
            connection = try ModemLine(address)
            inputs.append(.opened)
          } catch {
            inputs.append(.failed(error.words))
          }
        case .close: connection = nil
        case .send(let call):
          if connection?.send(call) == false { inputs.append(.failed("out of memory")) }
        case .say(let event): sink(event)
        }
      }
    }
  }
}
