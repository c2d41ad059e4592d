// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import Testing

@testable import DeviceWatch

@Suite("What the kernel says of memory and battery")
struct DeviceReadingTests {
  // The form of Documentation/accounting/psi.rst.
  static let pressure = """
    some avg10=12.50 avg60=3.00 avg300=0.70 total=1234567
    full avg10=2.25 avg60=0.10 avg300=0.00 total=34567

    """

  @Test("Pressure is read from its file, and from nothing else")
  func shares() throws {
    let shares = try #require(MemoryPressure.shares(in: Self.pressure))
    #expect(shares.some == 12.5)
    #expect(shares.full == 2.25)
    for text in [
      "", "some avg10=1.0", "some avg60=1.0\nfull avg10=0.0", "some avg10=x\nfull avg10=0",
      "some avg10=100.5\nfull avg10=0.0", "some\nfull",
    ] {
      #expect(MemoryPressure.shares(in: text) == nil, "\(text)")
    }
  }

  @Test("Memory is read from /proc/meminfo, whose kB are 1024 bytes")
  func memory() {
    let text = """
      MemTotal:        2097152 kB
      MemFree:           12345 kB
      MemAvailable:      51200 kB

      """
    #expect(MemoryPressure.reading(in: text) == MemoryReading(total: 2_048, available: 50))
    #expect(MemoryPressure.reading(in: "MemTotal: 2048 kB\n") == nil)
    #expect(MemoryPressure.reading(in: "MemTotal: 2048\nMemAvailable: 1 kB\n") == nil)
    #expect(MemoryPressure.reading(in: "MemTotal: -1 kB\nMemAvailable: 1 kB\n") == nil)
  }

  private func supply(_ files: [String: String]) -> MachineBattery? { MachineBattery { files[$0] } }

  @Test("The machine's own battery counts; a mains adapter, a mouse and an empty bay do not")
  func supplies() throws {
    let own = ["type": "Battery\n", "capacity": "57\n", "status": "Discharging\n"]
    let battery = try #require(supply(own))
    #expect(battery.capacity == 57)
    #expect(battery.status == .discharging)
    #expect(supply(own.merging(["scope": "System\n"]) { $1 }) != nil)
    #expect(supply(own.merging(["scope": "Device\n"]) { $1 }) == nil)
    #expect(supply(own.merging(["present": "0\n"]) { $1 }) == nil)
    #expect(supply(own.merging(["type": "Mains\n"]) { $1 }) == nil)
    #expect(supply(own.merging(["capacity": "many\n"]) { $1 }) == nil)
    #expect(supply(own.merging(["capacity": "101\n"]) { $1 }) == nil)
    #expect(supply(own.merging(["status": "Odd\n"]) { $1 })?.status == .unknown)
  }

  private func reading(_ batteries: (String, String)...) -> BatteryReading? {
    MachineBattery.reading(
      of: batteries.compactMap {
        supply(["type": "Battery", "capacity": $0.0, "status": $0.1])
      })
  }

  @Test("Several batteries are one: their mean, and charging unless one is being used")
  func several() {
    #expect(reading() == nil)
    #expect(reading(("19", "Discharging")) == .init(percent: 19, isCharging: false))
    #expect(reading(("100", "Full")) == .init(percent: 100, isCharging: true))
    #expect(reading(("80", "Not charging")) == .init(percent: 80, isCharging: false))
    #expect(
      reading(("10", "Charging"), ("80", "Not charging")) == .init(percent: 45, isCharging: true))
    #expect(
      reading(("10", "Discharging"), ("100", "Full")) == .init(percent: 55, isCharging: false))
  }

  @Test("An uevent is of a power supply or of a sensor where its subsystem says so")
  func uevents() {
    func subject(_ text: String) -> Uevent.Subjects { Uevent.subject(of: ArraySlice(text.utf8)) }
    let head = "change@/devices/LNXSYSTM:00/PNP0C0A:00/power_supply/BAT0\0ACTION=change\0"
    #expect(subject(head + "SUBSYSTEM=power_supply\0POWER_SUPPLY_CAPACITY=19\0") == .power)
    #expect(subject("add@/devices/i2c-1/1-0018/iio:device0\0SUBSYSTEM=iio\0") == .sensors)
    #expect(subject(head + "SUBSYSTEM=net\0") == [])
    #expect(subject("") == [])
  }
}
