// SPDX-License-Identifier: Apache-2.0

import CUnix
import Files
import Glibc
package import ServiceContract
import Synchronization
import Threads

// One thread, which blocks in `poll` on the kernel's uevents and on a bell for the end: a supply that is plugged in
// or out is told by the kernel. A machine without supplies that tell has no thread, and is never woken.

/// Watches whether this machine is on external power.
package final class PowerWatch: Sendable {
  private let supplies: String
  private let sink: @Sendable (MachineEvent) -> Void
  private let told = Mutex<Bool?>(nil)
  private let thread = BellThread()

  /// `sink` is called on the watch's own thread and must not block; `supplies` is another folder in tests.
  package init(
    supplies: String = PowerSupply.folder, sink: @escaping @Sendable (MachineEvent) -> Void
  ) {
    self.supplies = supplies
    self.sink = sink
  }

  /// Tells how it is, and of every change from then on. Called once.
  package func start() {
    guard tellFirst() else { return }
    let uevents = unix_uevent_descriptor()
    guard uevents >= 0 else {
      sink(.trouble("changes of external power are not told: \(SystemError.text())"))
      return
    }
    start(uevents: uevents)
  }

  /// Answers whether this machine tells at all.
  func tellFirst() -> Bool {
    let isOn = ExternalPower.reading(in: supplies)
    told.withLock { $0 = isOn }
    sink(.externalPower(isOn))
    return isOn != nil
  }

  /// Watches this descriptor, which it closes.
  func start(uevents: Int32) {
    do throws(BlockingThread.Missing) {
      try thread.start { self.run(uevents) }
    } catch {
      Glibc.close(uevents)
      sink(.trouble("changes of external power are not told: \(error)"))
    }
  }

  /// Ends the thread. No event follows.
  package func close() async { await thread.close() }

  private func run(_ uevents: Int32) {
    var entries = [thread.bell.entry, pollfd(fd: uevents, events: Int16(POLLIN), revents: 0)]
    while !thread.isToEnd {
      guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      if entries[1].revents & Int16(POLLHUP | POLLNVAL) != 0 { entries[1].fd = -1 }
      if entries[1].revents != 0, Uevent.takeAll(from: uevents) { look() }
    }
    Glibc.close(uevents)
  }

  private func look() {
    let isOn = ExternalPower.reading(in: supplies)
    let isNews = told.withLock { told in
      defer { told = isOn }
      return told != isOn
    }
    if isNews { sink(.externalPower(isOn)) }
  }
}
