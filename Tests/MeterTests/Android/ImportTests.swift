// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import RadioPower
import Testing

@Suite("Android power profiles")
struct ImportTests {
  /// In the form of newer files; the figures are those of the Pixel 6, as in `phone-2021-lte`.
  private let newer = """
    <?xml version="1.0" encoding="utf-8"?>
    <!-- a comment -->
    <device name="Android">
      <item name="battery.capacity">4614</item>
      <array name="gps.signalqualitybased"><value>23.9</value><value>21.3</value></array>
      <item name="cpu.suspend">10</item>
      <item name="cpu.idle">28.6</item>
      <item name="cpu.active">12.37</item>
      <item name="cpu.cluster_power.cluster0">3.23</item>
      <array name="cpu.core_power.cluster0">
        <value>10</value> <value> 49.37 </value><value>90</value>
      </array>
      <item name="wifi.controller.rx">98</item>
      <item name="bluetooth.on">x</item>
    </device>
    """

  private func profile(_ text: String) throws -> PowerProfileXML {
    try PowerProfileXML(Array(text.utf8).span)
  }

  private func value(_ numbers: [ProfileNumber], _ key: String) -> Double? {
    numbers.first { $0.key.description == key }?.value.nominal
  }

  @Test("Newer files: the figures of the built-in Pixel 6 profile come out")
  func newerFile() throws {
    let xml = try profile(newer)
    #expect(xml.unreadable == ["bluetooth.on"])
    let numbers = xml.numbers(volts: 3.7)
    // 23.9 × 3.7, 21.3 × 3.7, 10 × 3.7, 28.6 × 3.7, (12.37 + 3.23 + 49.37) × 3.7, 98 × 3.7.
    let expected = [
      ("gnss,acquire_cold,power", 88.43), ("gnss,track_good,power", 78.81),
      ("floor,suspended,power", 37), ("soc,awake_idle,power", 105.82),
      ("soc,active,power", 240.389), ("wifi,scan,power", 362.6),
    ]
    for (key, power) in expected {
      #expect(abs((value(numbers, key) ?? 0) - power) < 1e-9, "\(key)")
    }
    // 4,614 mAh × 3.7 V × 3.6 = 61,458 J.
    #expect(abs((value(numbers, "battery,capacity,energy") ?? 0) - 61_458.48) < 1e-6)
  }

  @Test(
    "Currents of the Wi-Fi controller are at its own voltage, where that is one",
    arguments: [("3300", 323.4), ("0", 362.6), ("-5", 362.6), ("200000", 362.6)])
  func controllerVoltage(millivolts: String, power: Double) throws {
    let items =
      "<item name=\"wifi.controller.voltage\">\(millivolts)</item><item name=\"gps.voltage\">1800</item>"
    let text = newer.replacing("<item name=\"bluetooth.on\">x</item>", with: items)
    let numbers = try profile(text).numbers(volts: 3.7)
    // 98 mA × 3.3 V, or × 3.7 V; the receiver's 21.3 mA are the battery's.
    #expect(abs((value(numbers, "wifi,scan,power") ?? 0) - power) < 1e-9)
    #expect(abs((value(numbers, "gnss,track_good,power") ?? 0) - 78.81) < 1e-9)
  }

  @Test("Older files: gps.on, cpu.awake less cpu.idle, the middle of cpu.active (a Nexus 5)")
  func olderFile() throws {
    let xml = try profile(
      """
      <device><item name="gps.on">76.23</item><item name="cpu.idle">3.2</item>
      <item name="cpu.awake">17.4</item><item name="wifi.scan">75.48</item>
      <array name="cpu.active"><value>50</value><value>189.1</value><value>300</value></array>
      </device>
      """)
    let numbers = xml.numbers(volts: 3.8)
    #expect(abs((value(numbers, "soc,awake_idle,power") ?? 0) - 53.96) < 1e-9)
    #expect(abs((value(numbers, "soc,active,power") ?? 0) - 718.58) < 1e-9)
    #expect(abs((value(numbers, "floor,suspended,power") ?? 0) - 12.16) < 1e-9)
    #expect(value(numbers, "gnss,track_good,power") == value(numbers, "gnss,acquire_hot,power"))
    #expect(value(numbers, "battery,capacity,energy") == nil)
  }

  @Test("What comes out is a profile without errors, that meters with the imported powers")
  func usable() throws {
    let base = try #require(ProfileLibrary.file(named: "phone-2021-lte"))
    let numbers = try profile(newer).numbers(volts: 3.85)
    let made = ProfileRevision(
      numbers, into: String(decoding: base, as: UTF8.self), name: "my-phone", title: "Mine",
      origin: [])
    #expect(made.replaced.count == 11 && numbers.count == 11)
    let device = try DeviceProfile.parse(Array(made.text.utf8).span, name: "my-phone")
    #expect(abs(device.battery.nominal - 4_614 * 3.85 * 3.6) < 0.01)
    var meter = EnergyMeter(device: device, network: nil)
    meter.record(.init(at: .init(microseconds: 0), .gnss(.trackGood)))
    meter.finish(at: .init(microseconds: 100_000_000))
    #expect(abs(meter.report().total.nominal - 100 * 21.3 * 3.85 / 1_000) < 1e-9)
  }

  @Test("Documents that are none are refused in words")
  func refusals() {
    let refusal = #expect(throws: InputError.self) { try profile("hello") }
    #expect(refusal?.line == 1 && refusal?.message == "this is not XML: syntax error")
    #expect(throws: InputError.self) { try profile("<gpx></gpx>") }
    #expect(throws: InputError.self) {
      try profile(String(repeating: "<a/>", count: 300_000))
    }
  }

  @Test(
    "A number beyond any phone's is left out and named", arguments: ["1e308", "1e19", "100001"])
  func huge(value: String) throws {
    let xml = try profile(
      "<device><item name=\"wifi.scan\">\(value)</item><item name=\"gps.on\">20</item></device>")
    #expect(xml.unreadable == ["wifi.scan"])
    // 20 mA at 100 V.
    let numbers = xml.numbers(volts: 100)
    #expect(self.value(numbers, "gnss,track_good,power") == 2_000)
  }
}
