// SPDX-License-Identifier: Apache-2.0

import Host
package import ServiceContract
import Synchronization

// Theory
// ======
//
// One thread, from the first listener to the end (`BusWork`); the machine (`ModemMachine`) decides, the connection
// (`ModemLine`) executes. There is no deadline while a modem is followed or without a listener.
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
      try thread.start { self.runThread() }
      thread.bell.ring()
    } catch {
      sink(.trouble(.refused(error.description)))
    }
  }

  /// Ends everything; the previous setup is restored first, which takes 2 s at most. No event follows.
  package func close() async { await thread.close() }

  // MARK: The thread

  private func runThread() {
    var work = BusWork<ModemLine>(ModemMachine(), at: address) { [sink] action, line in
      switch action {
      case .open: return .open
      case .close: return .close
      case .send(let call): if line?.send(call: call) == false { return .outOfMemory }
      case .say(let event): sink(event)
      }
      return .done
    }
    while true {
      let isToEnd = thread.isToEnd
      work.giveMachine(.listen(isWanted.withLock(\.self) && !isToEnd))
      if isToEnd && work.machine.state == .resting { break }
      work.wait(thread.bell)
    }
  }
}
