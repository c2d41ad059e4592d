// SPDX-License-Identifier: Apache-2.0

import CUnix
import Files
import Glibc
package import ServiceContract
import Synchronization
import Threads

// Theory
// ======
//
// One thread, which blocks in `poll` without a timeout: on the kernel's pressure trigger, on its uevents where
// there is a battery, and on a bell for the end. The kernel tells of pressure once per window for as long as it
// lasts, and of a battery when it is plugged in or its driver sees a change. Not every driver tells of every
// per cent, so the charge is read again where the daemon is awake anyway (`look`), once a minute at most. A
// machine without pressure and without news of its battery is not woken by this.
//
// Nothing is decided here: what was read is told. A battery that reads the same whole per cent is not told
// again.

/// Watches this machine's memory and battery.
package final class DeviceWatch: Sendable {
  /// Where things are looked at; another place in tests.
  package struct Places: Sendable {
    package var pressure = MemoryPressure.file
    package var memory = "/proc/meminfo"
    package var supplies = PowerSupply.folder

    package init() {}
  }

  private struct State {
    var told: BatteryReading?
    var lookedAt = -Double.infinity
  }

  private let places: Places
  private let hasBattery: Bool
  private let watchesMemory: Bool
  private let sink: @Sendable (MachineEvent) -> Void
  private let state = Mutex(State())
  private let thread = BellThread()

  /// Seconds between two looks at a battery that nobody told of.
  private static let pause = 60.0

  /// `sink` is called on the watch's own thread and must not block.
  package init(
    memory: Bool, battery: Bool, places: Places = Places(),
    sink: @escaping @Sendable (MachineEvent) -> Void
  ) {
    watchesMemory = memory
    hasBattery = battery && PowerSupply.reading(in: places.supplies) != nil
    self.places = places
    self.sink = sink
  }

  /// Begins; tells of the battery, and of what cannot be watched. Called once.
  package func start() {
    let pressure = watchesMemory ? openPressure() : -1
    var uevents: Int32 = -1
    if hasBattery {
      if let reading = look(at: BlockingThread.now, always: true) { sink(.battery(reading)) }
      uevents = unix_uevent_descriptor()
      if uevents < 0 {
        sink(
          .trouble(
            "the battery is looked at only when the service is awake: \(SystemError.text())"))
      }
    }
    start(pressure: pressure, uevents: uevents)
  }

  /// Watches these descriptors, which it closes; one below 0 is none.
  func start(pressure: Int32, uevents: Int32) {
    guard pressure >= 0 || uevents >= 0 else { return }
    do throws(BlockingThread.Missing) {
      try thread.start { self.run(pressure, uevents) }
    } catch {
      for descriptor in [pressure, uevents] where descriptor >= 0 { Glibc.close(descriptor) }
      sink(.trouble("memory and battery are not watched: \(error)"))
    }
  }

  /// The battery, where it has changed since it was told, and was not looked at for a minute.
  package func look() -> BatteryReading? {
    hasBattery ? look(at: BlockingThread.now, always: false) : nil
  }

  /// Ends the thread. No event follows.
  package func close() async { await thread.close() }

  private func openPressure() -> Int32 {
    switch MemoryPressure.descriptor(places.pressure) {
    case .success(let descriptor): return descriptor
    case .failure(let trouble):
      sink(.trouble("memory pressure is not watched: \(trouble.words)"))
      return -1
    }
  }

  /// `now` are seconds of a clock that only goes forwards.
  func look(at now: Double, always: Bool) -> BatteryReading? {
    let isDue = state.withLock { state in
      guard always || now - state.lookedAt >= Self.pause else { return false }
      state.lookedAt = now
      return true
    }
    guard isDue, let reading = PowerSupply.reading(in: places.supplies) else { return nil }
    return state.withLock { state in
      guard reading != state.told else { return nil }
      state.told = reading
      return reading
    }
  }

  // MARK: The thread

  private func run(_ pressure: Int32, _ uevents: Int32) {
    // poll(2) leaves an entry with a descriptor below 0 alone.
    var entries = [
      thread.bell.entry,
      pollfd(fd: pressure, events: Int16(POLLPRI), revents: 0),
      pollfd(fd: uevents, events: Int16(POLLIN), revents: 0),
    ]
    while !thread.isToEnd {
      guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      if entries[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
        entries[1].fd = -1
        sink(.trouble("memory pressure is not watched any more: the kernel took the trigger back"))
      } else if entries[1].revents & Int16(POLLPRI) != 0 {
        tellOfMemory()
      }
      if entries[2].revents != 0 { takeUevents(uevents) }
    }
    for descriptor in [pressure, uevents] where descriptor >= 0 { Glibc.close(descriptor) }
  }

  private func tellOfMemory() {
    guard let reading = SmallFile.text(of: places.memory).flatMap(MemoryPressure.reading) else {
      return
    }
    sink(.memoryIsShort(reading))
  }

  /// Any of them is a reason to look, where one is about a power supply.
  private func takeUevents(_ descriptor: Int32) {
    if Uevent.takeAll(from: descriptor), let reading = look(at: BlockingThread.now, always: true) {
      sink(.battery(reading))
    }
  }
}

/// The kernel's messages of changes: texts that end in zero bytes, `SUBSYSTEM=…` among them.
enum Uevent {
  static func isOfPower(_ message: ArraySlice<UInt8>) -> Bool {
    message.split(separator: 0).contains { $0.elementsEqual("SUBSYSTEM=power_supply".utf8) }
  }

  /// Takes all that wait; answers whether one may have been about a power supply.
  static func takeAll(from descriptor: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    var isOfPower = false
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      // A full buffer lost some (ENOBUFS): any may have been one of ours.
      if count < 0, errno == ENOBUFS { isOfPower = true }
      guard count > 0 else { return isOfPower }
      isOfPower = isOfPower || Uevent.isOfPower(buffer[..<count])
    }
  }
}
