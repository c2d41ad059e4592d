// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Testing

/// What a whole phone spends around its parts, by hand, on `phone-2014-iphone6`.
struct WholePhoneTests {
  private static let log = """
    {"at_s":0,"component":"gnss","state":"track_good"}
    {"at_s":0,"component":"soc","state":"awake_idle"}
    {"at_s":0,"component":"device","moving":true}
    {"at_s":100,"component":"device","moving":false}
    {"at_s":300,"component":"soc","state":"suspended"}
    {"at_s":300,"component":"gnss","state":"off"}
    {"at_s":300,"component":"device","moving":true}
    {"at_s":1000,"end":true}
    """

  @Test func `Tracking in motion and at rest, awake in motion`() throws {
    let report = try report(Self.log, on: "lte-2021-verizon", device: "phone-2014-iphone6")
    // 100 s × 304.92 mW; 200 s × 190 mW; 300 s × 55 mW; 100 s × 158 mW, and not while it sleeps.
    #expect(report.row("gnss", "track_good")?.energy.nominal.isWithin(of: 30.492) == true)
    #expect(report.row("gnss", "track_still")?.energy.nominal.isWithin(of: 38.0) == true)
    #expect(report.row("soc", "awake_idle")?.energy.nominal.isWithin(of: 16.5) == true)
    #expect(report.row("soc", "moving")?.energy.nominal.isWithin(of: 15.8) == true)
    #expect(report.row("soc", "moving")?.seconds == 100)
  }

  @Test func `The floor of a whole phone holds its camping radio`() throws {
    let whole = try report(Self.log, on: "lte-2021-verizon", device: "phone-2014-iphone6")
    // 1,000 s × 33 mW, and nothing of the network's 12.95 mW.
    #expect(whole.baselineTotal.nominal.isWithin(of: 33.0))
    #expect(whole.baseline.map(\.component) == ["floor"])
    // The Pixel 6 of 2021: 1,000 s × (37 + 12.95) mW.
    let parts = try report(Self.log, on: "lte-2021-verizon")
    #expect(parts.baselineTotal.nominal.isWithin(of: 49.95))
  }

  @Test func `A log that does not say whether it moves has the parts alone`() throws {
    let silent = Self.log.split(separator: "\n").filter { !$0.contains("device") }
      .joined(separator: "\n")
    let report = try report(silent, on: "lte-2021-verizon", device: "phone-2014-iphone6")
    #expect(report.row("gnss", "track_good")?.energy.nominal.isWithin(of: 91.476) == true)
    #expect(report.row("gnss", "track_still") == nil)
    #expect(report.row("soc", "moving") == nil)
  }

  @Test
  func
    `A look on the way costs the receiver and the processor; a network position a scan and that`()
    throws
  {
    let phone = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    // 10 s × (88.43 + 105.82 + 245) mW; 1.3789 s × 362.6 mW + 1 s × (105.82 + 245) mW.
    #expect(phone.lookEnergy(start: .hot, seconds: 10).isWithin(of: 4.3925))
    #expect(try #require(phone.networkEnergy).isWithin(of: 0.85081))
    #expect(try #require(try ProfileLibrary.device(named: "tracker-lora-m10")).networkEnergy == nil)
  }

  @Test(arguments: ["pi-zero-ublox7", "tracker-lora-m10", "phone-2010-3g"])
  func `A device without these rows spends the same in motion and at rest`(_ name: String) throws {
    let moving = try report(
      Self.log.replacing("false", with: "true"), on: "lte-2021-verizon", device: name)
    #expect(try report(Self.log, on: "lte-2021-verizon", device: name) == moving)
  }

  @Test func `A gap of unknown time is neither motion nor rest`() throws {
    let gap = """
      {"at_s":0,"component":"soc","state":"awake_idle"}
      {"at_s":0,"component":"device","moving":true}
      {"at_s":10,"metering":false}
      {"at_s":20,"component":"device","moving":false}
      {"at_s":60,"metering":true}
      {"at_s":70,"end":true}
      """
    let report = try report(gap, on: "lte-2021-verizon", device: "phone-2014-iphone6")
    #expect(report.row("soc", "moving")?.seconds == 10)
  }
}
