// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Testing

/// The meter's test vectors that a log can express, through decoder and meter. Numbers marked "printed" are in the
/// papers; the arithmetic of the others is in the comment. All vectors have numbers, T1 to T18: others are in
/// `DatasheetVectorsTests`, `ReferenceDayTests` and `OptimumTests`.
struct PublishedVectorsTests {
  @Test func `T1: one packet on Huang's LTE costs the printed 12.76 J`() throws {
    let report = try report(packets(at: [0], end: 60), on: "lte-2012-huang")
    // 1.2107×0.2601 + (1.0600 + 0.6201×1.0/40.1)×11.576
    #expect(report.total.nominal.isWithin(0.0001, of: 12.7645))
    #expect((report.total.nominal - 12.76).magnitude < 0.01)
  }

  @Test func `T2: one packet on Huang's 3G costs the printed 7.38 J`() throws {
    let report = try report(packets(at: [0], end: 60), on: "3g-2012-huang")
    #expect(report.total.nominal.isWithin(of: 7.3815))
  }

  @Test func `T3: one packet on Huang's Wi-Fi costs the printed 0.04 J`() throws {
    let byNetwork = try report(packets(at: [0], end: 60), on: "wifi-2012-huang")
    #expect(byNetwork.total.nominal.isWithin(of: 0.038245))
    let log = """
      {"at_s":0,"component":"wifi","upload_bytes":0}
      {"at_s":60,"end":true}
      """
    let byDevice = try report(log, on: "lte-2012-huang", device: "phone-2013-lte")
    #expect(byDevice.total.nominal.isWithin(of: 0.038245))
  }

  @Test func `T4: one packet in ARO's LTE model`() throws {
    let report = try report(packets(at: [0], end: 60), on: "lte-aro")
    // 0.26×1.21 + 0.1×1.2 + 0.02244 + 250×0.04364
    #expect(report.total.nominal.isWithin(of: 11.36704))
  }

  @Test func `T5: a second packet inside the tail needs no promotion and restarts the tail`() throws
  {
    // The tail of the first begins at 0.2601 s; the second comes 5 s later.
    let report = try report(packets(at: [0, 5.2601], end: 60), on: "lte-2012-huang")
    #expect(report.total.nominal.isWithin(of: 18.1418))
    #expect(report.row("cell", "promotion")?.seconds == 0.2601)
  }

  @Test func `T5b: a heartbeat every 10 s never lets LTE sleep`() throws {
    let report = try report(
      packets(at: (0..<360).map { Double($0) * 10 }, end: 3600), on: "lte-2012-huang")
    #expect(report.total.nominal.isWithin(of: 3871.71))
    // In the low lane, with a tail of 5 s, it does sleep; nominally never.
    #expect(report.baseline.first { $0.component == "cell" }?.seconds == 0)
  }

  @Test func `T5c: a minute between packets adds idle paging, in the baseline`() throws {
    let second = 60.2601
    let report = try report(
      packets(at: [0, second], end: second + 0.2601 + 11.576), on: "lte-2012-huang")
    let paging = try #require(report.baseline.first { $0.component == "cell" })
    #expect(paging.seconds.isWithin(of: 48.424))
    #expect((report.total.nominal + paging.energy.nominal).isWithin(of: 26.5001))
  }

  @Test(arguments: [
    (stride(from: 0.0, to: 3600, by: 60).map { $0 }, 823.82), ([0], 84.723),
  ])
  func `T6: batching over an hour, idle included`(_ times: [Double], _ joules: Double) throws {
    let report = try report(packets(at: times, end: 3600), on: "lte-2012-huang")
    let paging = try #require(report.baseline.first { $0.component == "cell" })
    #expect((report.total.nominal + paging.energy.nominal).isWithin(of: joules))
  }

  @Test func `T7: a minute of idle LTE, without ARO's error`() throws {
    let report = try report(
      "{\"at_s\":0,\"metering\":true}\n{\"at_s\":60,\"end\":true}", on: "lte-aro")
    let paging = try #require(report.baseline.first { $0.component == "cell" })
    #expect(paging.energy.nominal.isWithin(0.005, of: 1.200474))
    #expect(report.total == .zero)
  }

  @Test func `T8: the transfer term`() throws {
    let up = """
      {"at_s":0,"component":"cell","upload_bytes":10240,"download_bytes":0,"rate_mbps":2}
      {"at_s":60,"end":true}
      """
    let upload = try report(up, on: "lte-2012-huang")
    #expect(upload.total.nominal.isWithin(of: 12.8531))
    #expect(try #require(upload.row("cell", "active")).energy.nominal.isWithin(of: 0.088671))
    let down = """
      {"at_s":0,"component":"cell","download_bytes":1048576,"rate_mbps":10}
      {"at_s":60,"end":true}
      """
    let download = try report(down, on: "lte-2012-huang")
    #expect(try #require(download.row("cell", "active")).energy.nominal.isWithin(of: 1.51644))
  }

  @Test func `T11: TailEnder's printed 12.5 J and 5.0 J, and what batching saves`() throws {
    let log = packets(at: [0], end: 60, upload: 51_200)
    let threeG = try report(log, on: "3g-tailender")
    #expect(threeG.total.nominal.isWithin(of: 12.5))
    #expect(try #require(threeG.row("cell", "tail")).energy.nominal.isWithin(of: 7.75))
    #expect(try report(log, on: "gsm-tailender").total.nominal.isWithin(of: 5.0))
    let ten = packets(at: (0..<10).map { Double($0) * 60 }, end: 600, upload: 5_120)
    #expect(try report(ten, on: "3g-tailender").total.nominal.isWithin(of: 113.75))
  }

  @Test func `T12: ARO's 3G, alone, from FACH and from DCH`() throws {
    // 2.0×0.65 + 4×1.30 + 10×0.30
    #expect(
      try report(packets(at: [0], end: 60), on: "3g-aro-i997").total.nominal.isWithin(of: 9.5))
    // The first packet's promotion ends at 2 s. 1.3 + 5.2 + 2×0.30 + 1.5×0.80 + 5.2 + 3.0
    #expect(
      try report(packets(at: [0, 8], end: 60), on: "3g-aro-i997").total.nominal.isWithin(of: 16.5))
    // 1.3 + 3×1.3 + 5.2 + 3.0
    #expect(
      try report(packets(at: [0, 5], end: 60), on: "3g-aro-i997").total.nominal.isWithin(of: 13.4))
    #expect(
      try report(packets(at: [0], end: 60), on: "3g-aro-captivate").total.nominal.isWithin(of: 9.1))
  }

  @Test(arguments: [
    // 0.55×2 + 0.90203×5 + 0.40581×12
    ("phone-2010-3g", 10.480),
    // 0.7326×0.36 + 1.0×0.2 + 0.178×10.2
    ("phone-2021-lte", 2.279),
    // 0.5365×0.36 + 0.7844×0.2 + 0.066×5.0
    ("phone-2020-lowpower", 0.680),
    // 0.1665×1.5 + 0.814×0.3 + 0.0333×10
    ("tracker-ltem-nrf9160", 0.827),
    // 0.1452 × (12.25 + 8 + 5·⌈(8·13 − 48 + 44)/40⌉) × 0.032768
    ("tracker-lora-m10", 0.16772),
  ])
  func `A zero-byte upload on a device's own network`(_ name: String, _ joules: Double) throws {
    let device = try device(name)
    let report = meter(
      try activities(packets(at: [0], end: 60)), device, try network(device.network))
    let cell = report.components.filter { $0.component == "cell" }.map(\.energy.nominal)
    #expect(cell.reduce(0, +).isWithin(of: joules))
  }

  @Test func `A reference day's significant-change mode costs the modelled 60.70 J`() throws {
    // T18, P3: 14 × (scan + 10 s awake + launch + upload) + 40 changes of cell:
    // 14×0.5 + 14×(10×0.10582 + 1.5×0.240389) + 40×0.2×0.240389 + 14×2.279336
    var log = ""
    for event in 0..<14 {
      let start = event * 6000
      for second in 0..<(event < 12 ? 3 : 2) {
        log += "{\"at_s\":\(start + second),\"component\":\"cell\",\"wake\":true}\n"
      }
      log += "{\"at_s\":\(start + 5),\"component\":\"soc\",\"event\":\"launch\"}\n"
      log += "{\"at_s\":\(start + 5),\"component\":\"soc\",\"state\":\"awake_idle\"}\n"
      log += "{\"at_s\":\(start + 6),\"component\":\"wifi\",\"scan\":true}\n"
      log += "{\"at_s\":\(start + 8),\"component\":\"cell\",\"upload_bytes\":0}\n"
      log += "{\"at_s\":\(start + 15),\"component\":\"soc\",\"state\":\"suspended\"}\n"
    }
    log += "{\"at_s\":86400,\"end\":true}\n"
    #expect(try report(log, on: "lte-2021-verizon").total.nominal.isWithin(of: 60.697))
  }
}
