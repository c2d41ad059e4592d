// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Testing

struct EnergyMeterTests {
  @Test func `While nobody knows, tails and floor stand still`() throws {
    let log = """
      {"at_s":0,"component":"cell","upload_bytes":0}
      {"at_s":1,"metering":false}
      {"at_s":500,"component":"soc","event":"launch"}
      {"at_s":1001,"metering":true}
      {"at_s":1060,"end":true}
      """
    let frozen = try report(log, on: "lte-2012-huang")
    let plain = try report(packets(at: [0], end: 60), on: "lte-2012-huang")
    #expect(frozen == plain)
  }

  @Test func `A record that is too early counts at the time of the last, and is counted`() throws {
    var meter = EnergyMeter(device: try device(), network: nil)
    meter.record(Activity(at: .zero, .gnss(.trackGood)))
    meter.record(Activity(at: EngineInstant(microseconds: 10_000_000), .delivery))
    meter.record(Activity(at: EngineInstant(microseconds: 4_000_000), .gnss(.off)))
    meter.finish(at: EngineInstant(microseconds: 20_000_000))
    #expect(meter.clamped == 1)
    #expect(meter.receiverOnSeconds == 10)
  }

  @Test func `A part that the device does not have is counted, not metered`() throws {
    var meter = EnergyMeter(device: try device("tracker-ltem-nrf9160"), network: nil)
    meter.record(Activity(at: .zero, .wifiScan))
    meter.record(
      Activity(at: .zero, .cellTransfer(uploadBytes: 9, downloadBytes: 0, rateMbps: nil)))
    meter.finish(at: EngineInstant(microseconds: 20_000_000))
    #expect(meter.unmetered == 2)
    #expect(meter.report().total == .zero)
  }

  @Test func `A Pi's dongle costs the same whether it is used or not, unless its supply is cut`()
    throws
  {
    let day = try activities(
      "{\"at_s\":0,\"component\":\"gnss\",\"state\":\"off\"}\n{\"at_s\":86400,\"end\":true}")
    var pi = try device("pi-zero-ublox7")
    // 0.25 W × 86,400 s
    let idle = meter(day, pi, nil)
    #expect(idle.row("gnss", "usb_idle")?.energy.nominal == 21_600)
    pi.gnssWhenOff = .vbusOff
    #expect(meter(day, pi, nil).total.nominal == 0)
    #expect(pi.forgetsWhenOff)
  }

  @Test func `Transfers wait for each other and share one promotion`() throws {
    // 250,000 bytes at 2 Mbit/s are 1 s each; requested together they take 2 s.
    let log = """
      {"at_s":0,"component":"cell","upload_bytes":250000,"rate_mbps":2}
      {"at_s":0,"component":"cell","upload_bytes":250000,"rate_mbps":2}
      {"at_s":60,"end":true}
      """
    let report = try report(log, on: "lte-2012-huang")
    #expect(report.row("cell", "active")?.seconds == 2)
    #expect(report.row("cell", "promotion")?.seconds == 0.2601)
    #expect(report.row("cell", "tail")?.seconds == 11.576)
  }

  @Test func `A message longer than LoRa's limit is several`() throws {
    let report = try report(packets(at: [0], end: 60, upload: 103), on: "lora-sf12")
    // 103 bytes are two frames of 51, 85.25 symbols of 32.768 ms each, and one of 1 byte, 35.25 symbols.
    #expect(report.row("cell", "tx")?.seconds == 6.742016)
  }

  @Test func `Looking at the energy in between changes nothing`() throws {
    let records = randomActivity(seed: 50)
    var looked = EnergyMeter(device: try device(), network: try network("lte-aro"))
    var plain = looked
    for record in records {
      looked.record(record)
      plain.record(record)
      #expect(looked.joules(at: record.at) >= 0)
    }
    #expect(looked == plain)
  }

  @Test func `The baseline of a day is floor and paging, whatever the mode`() throws {
    var meter = EnergyMeter(device: try device(), network: try network("lte-2021-verizon"))
    meter.finish(at: .zero)
    meter.finish(at: EngineInstant.zero.advanced(bySeconds: 86_400))
    let rows = meter.report().baseline
    #expect(rows.map { "\($0.component) \($0.state)" } == ["floor suspended", "cell idle"])
    // 37 mW and 12.95 mW for 86,400 s
    #expect(rows[0].energy.nominal.isWithin(1e-9, of: 3196.8))
    #expect(rows[1].energy.nominal.isWithin(1e-9, of: 1118.88))
  }

  /// All of them: a row without a place among the sums would be lost silently.
  @Test(arguments: ProfileLibrary.devices)
  func `Reports of several traces add up row by row`(_ name: String) throws {
    let device = try device(name)
    let network = try network(device.network)
    let parts = (60...62 as ClosedRange<UInt64>).map {
      meter(randomActivity(seed: $0), device, network)
    }
    let sum = total(of: parts, from: .zero) { $0.walkSums(&$1) }
    let expected = parts.reduce(0) { $0 + $1.total.nominal }
    // Each row is rounded to millionths.
    #expect(sum.total.nominal.isWithin(1e-6, of: expected))
    #expect(sum.seconds.isWithin(1e-9, of: parts.reduce(0) { $0 + $1.seconds }))
    // Rows of one component stay together.
    let components = sum.components.map(\.component)
    #expect(
      zip(components, components.dropFirst()).filter { $0 != $1 }.count == Set(components).count - 1
    )
  }
}
