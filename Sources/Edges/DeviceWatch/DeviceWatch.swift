// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Host
package import ServiceContract
import Synchronization

// Theory
// ======
//
// One thread, which blocks in `poll` without a timeout: on the kernel's pressure trigger, on its uevents, and on a bell
// for the end. The kernel reports pressure once per window for as long as it lasts, and a supply when it appears, when
// it is plugged in or out, or when its driver sees a change. Not every driver reports every per cent, so supplies are
// read again when the daemon is awake anyway (`look`), once a minute at most. Without pressure and changes of its
// devices this does not wake the machine.
//
// The uevents are subscribed before the first reading: a change in between is a waiting message. They are subscribed on
// every machine, since a driver may come later than the service.
//
// Nothing is decided here: readings are reported. External power is reported at the start, even if it is unknown; the
// battery if there is one. An equal reading (a battery: the same whole per cent) is not reported again.

/// Watches this machine's memory, battery and external power.
package final class DeviceWatch: Sendable {
  /// The paths of the files; others in tests.
  package struct Paths: Sendable {
    package var pressure = MemoryPressure.file
    package var memory = "/proc/meminfo"
    package var supplies = PowerSupply.folder
  }

  private struct State {
    var battery: BatteryReading?
    var isOnPower: Bool?
    var lookedAt = -Double.infinity

    /// Whether there is any supply to read.
    var hasSupplies: Bool { battery != nil || isOnPower != nil }
  }

  private let paths: Paths
  private let watchesBattery: Bool
  private let watchesMemory: Bool
  private let sink: @Sendable (MachineEvent) -> Void
  private let state = Mutex(State())
  private let thread = BellThread()

  /// Seconds between two readings of supplies without a report.
  private static let pause = 60.0

  /// `sink` is called on the watch's own thread and must not block. External power is watched in any case.
  package init(
    memory: Bool, battery: Bool, paths: Paths = Paths(),
    sink: @escaping @Sendable (MachineEvent) -> Void
  ) {
    watchesMemory = memory
    watchesBattery = battery
    self.paths = paths
    self.sink = sink
  }

  /// Begins; reports battery and external power, and what cannot be watched. Called once.
  package func start() {
    let pressure = watchesMemory ? openPressure() : -1
    let uevents = unix_uevent_descriptor()
    let why = uevents < 0 ? SystemError.text() : nil
    start(pressure: pressure, uevents: uevents)
    if let why, state.withLock(\.hasSupplies) {
      sink(
        .trouble("battery and external power are looked at only when the service is awake: \(why)"))
    }
  }

  /// Reports the current readings, and watches these descriptors, which it closes; one below 0 is none.
  func start(pressure: Int32, uevents: Int32) {
    tellFirst()
    guard pressure >= 0 || uevents >= 0 else { return }
    do throws(BlockingThread.Missing) {
      try thread.start { self.runThread(pressure, uevents) }
    } catch {
      for descriptor in [pressure, uevents] where descriptor >= 0 { Glibc.close(descriptor) }
      sink(.trouble("memory, battery and external power are not watched: \(error)"))
    }
  }

  private func tellFirst() {
    let events = look(at: BlockingThread.now, always: true)
    if !events.contains(where: \.isExternalPower) { sink(.externalPower(nil)) }
    for event in events { sink(event) }
  }

  /// Battery and external power, if they have changed since their last report, and were not read for a minute.
  package func look() -> [MachineEvent] {
    guard state.withLock(\.hasSupplies) else { return [] }
    return look(at: BlockingThread.now, always: false)
  }

  /// Ends the thread. No event follows.
  package func close() async { await thread.close() }

  private func openPressure() -> Int32 {
    switch MemoryPressure.descriptor(paths.pressure) {
    case .success(let descriptor): return descriptor
    case .failure(let trouble):
      sink(.trouble("memory pressure is not watched: \(trouble.words)"))
      return -1
    }
  }

  /// `now`: seconds of a monotonic clock.
  func look(at now: Double, always: Bool) -> [MachineEvent] {
    let isDue = state.withLock { state in
      guard always || now - state.lookedAt >= Self.pause else { return false }
      state.lookedAt = now
      return true
    }
    guard isDue else { return [] }
    let battery = watchesBattery ? PowerSupply.reading(in: paths.supplies) : nil
    let isOnPower = ExternalPower.reading(in: paths.supplies)
    return state.withLock { state in
      var events: [MachineEvent] = []
      if isOnPower != state.isOnPower { events.append(.externalPower(isOnPower)) }
      if let battery, battery != state.battery { events.append(.battery(battery)) }
      state.battery = battery ?? state.battery
      state.isOnPower = isOnPower
      return events
    }
  }

  // MARK: The thread

  private func runThread(_ pressure: Int32, _ uevents: Int32) {
    // poll(2) ignores an entry with a descriptor below 0.
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
      if entries[2].revents & Int16(POLLHUP | POLLNVAL) != 0 { entries[2].fd = -1 }
      if entries[2].revents != 0 { takeUevents(uevents) }
    }
    for descriptor in [pressure, uevents] where descriptor >= 0 { Glibc.close(descriptor) }
  }

  private func tellOfMemory() {
    guard let reading = SmallFile.text(of: paths.memory).flatMap(MemoryPressure.reading) else {
      return
    }
    sink(.memoryIsShort(reading))
  }

  /// Reads all uevents; any about a power supply causes a reading.
  private func takeUevents(_ descriptor: Int32) {
    guard Uevent.takeAll(from: descriptor) else { return }
    for event in look(at: BlockingThread.now, always: true) { sink(event) }
  }
}

extension MachineEvent {
  fileprivate var isExternalPower: Bool {
    if case .externalPower = self { true } else { false }
  }
}

/// The kernel's messages of changes: texts that end in zero bytes, `SUBSYSTEM=…` among them.
enum Uevent {
  static func isOfPower(_ message: ArraySlice<UInt8>) -> Bool {
    message.split(separator: 0).contains { $0.elementsEqual("SUBSYSTEM=power_supply".utf8) }
  }

  /// Takes all waiting messages; returns whether one may have been about a power supply.
  static func takeAll(from descriptor: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    var isOfPower = false
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      // A full buffer lost some (ENOBUFS): any may have been relevant.
      if count < 0, errno == ENOBUFS { isOfPower = true }
      guard count > 0 else { return isOfPower }
      isOfPower = isOfPower || Uevent.isOfPower(buffer[..<count])
    }
  }
}
