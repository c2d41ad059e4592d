// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ServiceContract
import Synchronization
import Testing

@testable import DeviceWatch

@Suite("External power")
struct ExternalPowerTests {
  /// A folder that stands for /sys/class/power_supply.
  private final class Supplies {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "milepost-power-\(UUID().uuidString.prefix(8))")
    let heard = Heard()

    deinit { try? FileManager.default.removeItem(at: folder) }

    func plug(_ name: String, _ files: [String: String]) throws {
      let supply = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: supply, withIntermediateDirectories: true)
      for (file, text) in files {
        try (text + "\n").write(
          to: supply.appendingPathComponent(file), atomically: true, encoding: .utf8)
      }
    }

    func watch(battery: Bool = false) -> DeviceWatch {
      var paths = DeviceWatch.Paths()
      paths.supplies = folder.path
      return DeviceWatch(memory: false, battery: battery, paths: paths, sink: heard.take)
    }
  }

  private final class Heard: Sendable {
    private let entries = Mutex<[MachineEvent]>([])
    var take: @Sendable (MachineEvent) -> Void {
      { event in self.entries.withLock { $0.append(event) } }
    }
    var events: [MachineEvent] { entries.withLock { $0 } }
  }

  /// Supplies as `name:type:value`; the value is a battery's status or a line's `online`.
  private func reading(_ supplies: String...) throws -> Bool? {
    let machine = Supplies()
    for supply in supplies {
      let parts = supply.split(separator: ":").map(String.init)
      try machine.plug(
        parts[0], ["type": parts[1], parts[1] == "Battery" ? "status" : "online": parts[2]])
    }
    return ExternalPower.reading(in: machine.folder.path)
  }

  @Test("A line in use is external power, unless a battery empties all the same")
  func lines() throws {
    #expect(try reading() == nil)
    #expect(try reading("AC:Mains:1") == true)
    #expect(try reading("AC:Mains:0") == false)
    #expect(try reading("AC:Mains:0", "usb:USB:1") == true)
    #expect(try reading("usb:USB:2") == true, "its voltage is programmable")
    #expect(try reading("AC:Mains:1", "BAT0:Battery:Discharging") == false)
    #expect(try reading("AC:Mains:1", "BAT0:Battery:Charging") == true)
    #expect(try reading("AC:Mains:0", "BAT0:Battery:Unknown") == false)
  }

  @Test("A battery alone says it by what it does")
  func batteries() throws {
    #expect(try reading("BAT0:Battery:Discharging") == false)
    #expect(try reading("BAT0:Battery:Charging") == true)
    #expect(try reading("BAT0:Battery:Full") == true)
    #expect(try reading("BAT0:Battery:Not charging") == true)
    #expect(try reading("BAT0:Battery:Unknown") == nil)
    #expect(try reading("BAT0:Battery:Full", "BAT1:Battery:Discharging") == false)
  }

  @Test("What is not the machine's own says nothing")
  func others() throws {
    let machine = Supplies()
    try machine.plug("hid", ["type": "Battery", "scope": "Device", "status": "Discharging"])
    try machine.plug("gone", ["type": "Battery", "present": "0", "status": "Discharging"])
    try machine.plug("odd", ["type": "Odd", "online": "1"])
    try machine.plug("mute", ["type": "Mains"])
    #expect(ExternalPower.reading(in: machine.folder.path) == nil)
  }

  private static let uevent = "change@/devices/AC\0SUBSYSTEM=power_supply\0"

  /// Two ends of a socket, one of which stands for the kernel's.
  private func kernel() -> (watched: Int32, tell: () -> Void, close: () -> Void) {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let (watched, other) = (ends[0], ends[1])
    return (
      watched,
      {
        #expect(send(other, Self.uevent, Self.uevent.utf8.count, 0) == Self.uevent.utf8.count)
      }, { close(other) }
    )
  }

  @Test("It is told at the start, and after an uevent of a supply, where it is otherwise")
  func changes() async throws {
    let machine = Supplies()
    try machine.plug("AC", ["type": "Mains", "online": "1"])
    let kernel = kernel()
    let watch = machine.watch()
    watch.start(pressure: -1, uevents: kernel.watched)
    #expect(machine.heard.events == [.externalPower(true)])
    kernel.tell()
    try machine.plug("AC", ["online": "0"])
    kernel.tell()
    for _ in 0..<10_000 where machine.heard.events.last != .externalPower(false) { poll(nil, 0, 1) }
    await watch.close()
    #expect(
      machine.heard.events == [.externalPower(true), .externalPower(false)],
      "what is the same is not told again")
    kernel.close()
  }

  @Test("A supply whose driver comes later than the service is told of, with its battery")
  func later() async throws {
    let machine = Supplies()
    let kernel = kernel()
    let watch = machine.watch(battery: true)
    watch.start(pressure: -1, uevents: kernel.watched)
    #expect(machine.heard.events == [.externalPower(nil)])
    #expect(watch.look().isEmpty)
    try machine.plug("ups", ["type": "UPS", "status": "Charging"])
    try machine.plug("BAT0", ["type": "Battery", "status": "Charging", "capacity": "80"])
    kernel.tell()
    for _ in 0..<10_000 where machine.heard.events.count < 3 { poll(nil, 0, 1) }
    await watch.close()
    #expect(
      machine.heard.events == [
        .externalPower(nil), .externalPower(true), .battery(.init(percent: 80, isCharging: true)),
      ])
    kernel.close()
  }
}
