// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc
import Host
package import ServiceContract
import Synchronization

// Theory
// ======
//
// One thread, which blocks in `poll` without a timeout: on the kernel's pressure trigger, on its uevents, on the events
// of an accelerometer while motion is armed, and on a bell for the end. The kernel reports pressure once per window for as long as it lasts, and a supply when it appears, when
// it is plugged in or out, or when its driver sees a change. Not every driver reports every per cent, so supplies are
// read again when the daemon is awake anyway (`look`), once a minute at most. Without pressure and changes of its
// devices this does not wake the machine.
//
// The uevents are subscribed before the first reading: a change in between is a waiting message. They are subscribed on
// every machine, since a driver may come later than the service.
//
// An accelerometer is looked for at the start and when one comes or goes, if motion is wanted at all (MotionWatch.swift).
// It is listened to only while armed. After motion the thread has a deadline, the end of the sensor's window; one that is
// read has one in each period.
//
// Nothing is decided here: readings are reported. External power is reported at the start, even if it is unknown; the
// battery if there is one. An equal reading (a battery: the same whole per cent) is not reported again.

/// Watches this machine's memory, battery, external power and motion.
package final class DeviceWatch: Sendable {
  /// The paths of the files; others in tests.
  package struct Paths: Sendable {
    package var pressure = MemoryPressure.file
    package var memory = "/proc/meminfo"
    package var supplies = MachineBattery.folder
    package var clocks = "/sys/class/rtc"
    package var sensors = Accelerometer.folder
    package var devices = Accelerometer.devices
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
  private let motionSample: Double?
  private let events: @Sendable (String) -> Int32
  private let isArmed = Mutex(false)
  private let sink: @Sendable (MachineEvent) -> Void
  private let state = Mutex(State())
  private let thread = BellThread()

  /// Seconds between two readings of supplies without a report.
  private static let pause = 60.0

  /// `sink` is called on the watch's own thread and must not block. External power is watched in any case.
  /// `motionSample`: seconds between readings of an accelerometer that does not tell of motion by itself, 0 for none;
  /// `nil` if motion is not wanted. `events` opens the events of a device.
  package init(
    memory: Bool, battery: Bool, motionSample: Double? = nil, paths: Paths = Paths(),
    events: @escaping @Sendable (String) -> Int32 = { unix_iio_events($0) },
    sink: @escaping @Sendable (MachineEvent) -> Void
  ) {
    self.motionSample = motionSample
    self.events = events
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

  /// Whether motion is listened to.
  package func armMotion(_ isOn: Bool) {
    guard motionSample != nil else { return }
    isArmed.withLock { $0 = isOn }
    thread.bell.ring()
  }

  /// Reports the current readings, and watches these descriptors, which it closes; one below 0 is none.
  func start(pressure: Int32, uevents: Int32) {
    tellFirst()
    let motion = findMotion()
    guard pressure >= 0 || uevents >= 0 || motion != nil else { return }
    do throws(BlockingThread.Missing) {
      try thread.start { self.runThread(pressure, uevents, motion) }
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
    let battery = watchesBattery ? MachineBattery.reading(in: paths.supplies) : nil
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

  private func runThread(
    _ pressure: Int32, _ uevents: Int32, _ found: (Accelerometer, MotionSource)?
  ) {
    // poll(2) ignores an entry with a descriptor below 0.
    var entries = [
      thread.bell.entry,
      pollfd(fd: pressure, events: Int16(POLLPRI), revents: 0),
      pollfd(fd: uevents, events: Int16(POLLIN), revents: 0),
      MotionLine.none,
    ]
    var motion = found.map { MotionLine($0, $1, open: events) }
    while !thread.isToEnd {
      armLine(&motion)
      entries[3] = motion?.entry ?? MotionLine.none
      guard poll(&entries, nfds_t(entries.count), Self.timeout(until: motion?.deadline)) >= 0
      else { continue }
      thread.bell.answer(entries[0])
      if entries[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
        entries[1].fd = -1
        sink(.trouble("memory pressure is not watched any more: the kernel took the trigger back"))
      } else if entries[1].revents & Int16(POLLPRI) != 0 {
        tellOfMemory()
      }
      if entries[2].revents & Int16(POLLHUP | POLLNVAL) != 0 { entries[2].fd = -1 }
      if entries[2].revents != 0, takeUevents(uevents) { findAgain(&motion) }
      follow(&motion, entries[3])
    }
    motion?.close()
    for descriptor in [pressure, uevents] where descriptor >= 0 { Glibc.close(descriptor) }
  }

  private func tellOfMemory() {
    guard let reading = SmallFile.text(of: paths.memory).flatMap(MemoryPressure.reading) else {
      return
    }
    sink(.memoryIsShort(reading))
  }

  /// Reads all uevents; any about a power supply causes a reading. Returns whether a sensor may have come or gone.
  private func takeUevents(_ descriptor: Int32) -> Bool {
    let subjects = Uevent.takeAll(from: descriptor)
    if subjects.contains(.power) {
      for event in look(at: BlockingThread.now, always: true) { sink(event) }
    }
    return subjects.contains(.sensors)
  }
}

// Motion, on the thread.

extension DeviceWatch {
  /// Milliseconds of `poll`; -1 without a deadline.
  private static func timeout(until deadline: Double?) -> Int32 {
    deadline.map { Int32(min(1e6, max(0, ($0 - BlockingThread.now) * 1_000)).rounded(.up)) } ?? -1
  }

  /// The accelerometer, which is told of; so is that there is none.
  private func findMotion() -> (Accelerometer, MotionSource)? {
    guard let motionSample else { return nil }
    let all = Accelerometer.all(in: paths.sensors, devices: paths.devices)
    let chosen = Accelerometer.chosen(among: all, every: motionSample)
    if chosen == nil, case .isRefused(let why)? = all.first?.use {
      sink(.trouble("the accelerometer \(all[0].name) may not be told to watch for motion: \(why)"))
    }
    sink(.motionSensor(chosen?.1))
    return chosen
  }

  private func findAgain(_ motion: inout MotionLine?) {
    motion?.close()
    motion = findMotion().map { MotionLine($0, $1, open: events) }
  }

  private func armLine(_ motion: inout MotionLine?) {
    guard let trouble = motion?.arm(isArmed.withLock(\.self), at: BlockingThread.now) else {
      return
    }
    lose(&motion, trouble)
  }

  private func follow(_ motion: inout MotionLine?, _ entry: pollfd) {
    guard motion != nil else { return }
    switch motion?.followPoll(entry, at: BlockingThread.now) {
    case true?: sink(.motionFelt)
    case false?: break
    case nil: lose(&motion, "it does not answer")
    }
  }

  private func lose(_ motion: inout MotionLine?, _ why: String) {
    sink(.trouble("the accelerometer tells nothing any more: \(why)"))
    motion?.close()
    motion = nil
    sink(.motionSensor(nil))
  }
}

extension MachineEvent {
  fileprivate var isExternalPower: Bool {
    if case .externalPower = self { true } else { false }
  }
}

/// The kernel's messages of changes: texts that end in zero bytes, `SUBSYSTEM=…` among them.
enum Uevent {
  struct Subjects: OptionSet {
    let rawValue: UInt8
    static let power = Subjects(rawValue: 1)
    static let sensors = Subjects(rawValue: 2)
  }

  static func subject(of message: ArraySlice<UInt8>) -> Subjects {
    for line in message.split(separator: 0) {
      if line.elementsEqual("SUBSYSTEM=power_supply".utf8) { return .power }
      if line.elementsEqual("SUBSYSTEM=iio".utf8) { return .sensors }
    }
    return []
  }

  /// Takes all waiting messages; returns what they may have been about.
  static func takeAll(from descriptor: Int32) -> Subjects {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    var subjects: Subjects = []
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      // A full buffer lost some (ENOBUFS): any may have been relevant.
      if count < 0, errno == ENOBUFS { subjects = [.power, .sensors] }
      guard count > 0 else { return subjects }
      subjects.formUnion(subject(of: buffer[..<count]))
    }
  }
}
