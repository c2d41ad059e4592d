// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ServiceContract
import Synchronization
import Testing

@testable import DeviceWatch

@Suite("Watching memory and battery")
struct DeviceWatchTests {
  /// A folder that stands for /proc and /sys.
  private final class Machine {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "milepost-device-\(UUID().uuidString.prefix(8))")
    let heard = Heard()

    init() throws {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("supplies/BAT0"), withIntermediateDirectories: true)
      try write("MemTotal: 2097152 kB\nMemAvailable: 51200 kB\n", "meminfo")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String, _ name: String) throws {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    func charge(_ percent: Int, _ status: String) throws {
      try write("Battery\n", "supplies/BAT0/type")
      try write("\(percent)\n", "supplies/BAT0/capacity")
      try write("\(status)\n", "supplies/BAT0/status")
    }

    var paths: DeviceWatch.Paths {
      var paths = DeviceWatch.Paths()
      paths.pressure = folder.path + "/pressure"
      paths.memory = folder.path + "/meminfo"
      paths.supplies = folder.path + "/supplies"
      paths.sensors = folder.path + "/sensors"
      return paths
    }

    func watch(memory: Bool = true, battery: Bool = true) -> DeviceWatch {
      DeviceWatch(memory: memory, battery: battery, paths: paths, sink: heard.take)
    }
  }

  private final class Heard: Sendable {
    private let entries = Mutex<[MachineEvent]>([])
    var take: @Sendable (MachineEvent) -> Void {
      { event in self.entries.withLock { $0.append(event) } }
    }
    var events: [MachineEvent] { entries.withLock { $0 } }
  }

  @Test("The battery is told at the start, and again only when it reads something else")
  func battery() async throws {
    let machine = try Machine()
    try machine.charge(42, "Discharging")
    let watch = machine.watch(memory: false)
    watch.start()
    #expect(
      machine.heard.events == [
        .externalPower(false), .battery(.init(percent: 42, isCharging: false)),
      ])
    #expect(watch.look(at: 1e9, always: false).isEmpty, "it reads the same")
    try machine.charge(41, "Discharging")
    #expect(watch.look(at: 1e9 + 59, always: false).isEmpty, "it was looked at 59 s ago")
    #expect(
      watch.look(at: 1e9 + 60, always: false)
        == [.battery(.init(percent: 41, isCharging: false))])
    try machine.charge(41, "Charging")
    #expect(
      watch.look(at: 1e9 + 61, always: true)
        == [.externalPower(true), .battery(.init(percent: 41, isCharging: true))])
    await watch.close()
  }

  @Test("A machine without a battery, or told not to look, says nothing of one")
  func noBattery() async throws {
    let machine = try Machine()
    let watch = machine.watch(memory: false)
    watch.start()
    #expect(watch.look().isEmpty)
    await watch.close()
    #expect(machine.heard.events == [.externalPower(nil)])
    try machine.charge(10, "Discharging")
    let other = machine.watch(memory: false, battery: false)
    other.start()
    #expect(other.look().isEmpty)
    await other.close()
    #expect(machine.heard.events == [.externalPower(nil), .externalPower(false)])
  }

  @Test("Why pressure is not watched is said, word for word")
  func troubles() async throws {
    let machine = try Machine()
    let watch = machine.watch()
    watch.start()
    #expect(
      machine.heard.events == [
        .trouble(
          "memory pressure is not watched: this kernel does not count it (/proc/pressure/memory is "
            + "not there)"), .externalPower(nil),
      ])
    await watch.close()
    #expect(
      PressureTrouble(code: EOPNOTSUPP).words
        == "this kernel counts it only when it is started with psi=1")
    #expect(
      PressureTrouble(code: EACCES).words
        == "this user may not ask the kernel for it (before Linux 6.4 only root may)")
    #expect(PressureTrouble(code: EIO).words == "/proc/pressure/memory: Input/output error")
    let survey = DeviceSurvey.taken(machine.paths)
    #expect(survey.pressure == .notTold(.absent) && survey.battery == nil)
    #expect(survey.isOnPower == nil)
  }

  /// `poll` reports urgent data of a socket by `POLLPRI`, as it does pressure.
  @Test(
    "Each time that the kernel says so, memory is read and told; the watch ends when it is closed")
  func pressure() async throws {
    let machine = try Machine()
    let (one, other) = try Self.connection()
    let watch = machine.watch(battery: false)
    watch.start(pressure: one, uevents: -1)
    #expect(machine.heard.events == [.externalPower(nil)])
    #expect(send(other, "!", 1, Int32(MSG_OOB)) == 1)
    for _ in 0..<10_000 where machine.heard.events.count < 2 { poll(nil, 0, 1) }
    #expect(
      machine.heard.events[1] == .memoryIsShort(.init(total: 2_048, available: 50)))
    await watch.close()
    let heard = machine.heard.events.count
    poll(nil, 0, 20)
    #expect(machine.heard.events.count == heard)
    // Its number is no proof: another test may have it by now. Unread data resets the other end.
    var byte: UInt8 = 0
    let count = recv(other, &byte, 1, Int32(MSG_DONTWAIT))
    #expect(count == 0 || errno == ECONNRESET, "its descriptor is closed")
    close(other)
  }

  private struct NoConnection: Error {}

  /// Two ends of a TCP connection on loopback.
  private static func connection() throws -> (Int32, Int32) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 1) == 0
          && getsockname(listener, $0, &length) == 0 && connect(client, $0, length) == 0
      }
    }
    let server = accept(listener, nil, nil)
    guard isConnected, server >= 0 else { throw NoConnection() }
    return (server, client)
  }
}
