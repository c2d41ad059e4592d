// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import RadioPower

/// A profile in which everything is free except the values of a test: `component,state,quantity` to
/// value.
private func bare(_ numbers: [String: Double]) throws -> DeviceProfile {
  var text = """
    profile,name,bare
    profile,title,For a test
    profile,network,none
    profile,cell_events,none
    profile,motion,no
    profile,gnss_when_off,backup

    """
  let source = try device("phone-2010-3g")
  for number in source.numbers {
    let value = numbers[number.key.description] ?? 0
    text += "\(number.key),\(value),\(value),\(value),\(number.unit),estimate,test\n"
  }
  let bytes = Array(text.utf8)
  return try DeviceProfile.parse(bytes.span, name: "bare")
}

private func joules(_ log: String, _ numbers: [String: Double]) throws -> Double {
  meter(try activities(log), try bare(numbers), nil).total.nominal
}

struct DatasheetVectorsTests {
  @Test func `T9: Android's own reference values`() throws {
    let volts = 3.7
    // (i) 360 mA for 1 s is 0.1 mAh.
    let first = try joules(
      """
      {"at_s":0,"component":"gnss","state":"track"}
      {"at_s":1,"component":"gnss","state":"off"}
      {"at_s":2,"end":true}
      """, ["gnss,track_good,power": 360 * volts])
    #expect((first / volts / 3.6).isWithin(of: 0.1))
    // (ii) Wi-Fi: sending 1 s at 720 mA, receiving 2 s at 480 mA, idle 4 s at 360 mA. 0.866667 mAh.
    let second = try joules(
      """
      {"at_s":0,"component":"wifi","upload_bytes":125000,"download_bytes":250000,"rate_mbps":1}
      {"at_s":60,"end":true}
      """,
      [
        "wifi,active,per_mbps_up": 720 * volts, "wifi,active,per_mbps_down": 480 * volts,
        "wifi,tail,power": 360 * volts, "wifi,tail,duration": 4,
      ])
    #expect((second / volts / 3.6).isWithin(of: 0.866667))
    // (iii) 600 s good at 21.3 mA and 60 s poor at 23.9 mA. 52.5918 J.
    let third = try joules(
      """
      {"at_s":0,"component":"gnss","state":"track_good"}
      {"at_s":600,"component":"gnss","state":"track_poor"}
      {"at_s":660,"component":"gnss","state":"off"}
      {"at_s":700,"end":true}
      """, ["gnss,track_good,power": 21.3 * volts, "gnss,track_poor,power": 23.9 * volts])
    #expect(third.isWithin(of: 52.5918))
  }

  @Test func `T10: LoRaTracker's published 2.2 mAh a day`() throws {
    // 144 wakes of 2.91 s at 7.2 mA, 0.925 s of them at 44 mA on air; 3.3 V.
    var log = ""
    for wake in 0..<144 {
      let start = Double(wake) * 600
      log += "{\"at_s\":\(start),\"component\":\"soc\",\"state\":\"active\"}\n"
      log += "{\"at_s\":\(start + 1.985),\"component\":\"soc\",\"state\":\"suspended\"}\n"
      log += "{\"at_s\":\(start + 1.985),\"component\":\"cell\",\"upload_bytes\":20}\n"
    }
    log += "{\"at_s\":86400,\"end\":true}\n"
    let device = try bare(["soc,active,power": 7.2 * 3.3])
    // 0.925 s were measured; the result of LoRa's formula is another test.
    let uplink = """
      profile,name,measured
      profile,title,A transmitter
      profile,model,iot
      cell,edrx,power,0,0,0,mW,read,off
      cell,rrc_connect,power,0,0,0,mW,read,none
      cell,rrc_connect,duration,0,0,0,s,read,none
      cell,tx,base,145.2,145.2,145.2,mW,read,44 mA x 3.3 V
      cell,tx,per_mbps_up,0,0,0,mW/Mbps,read,none
      cell,tx,per_mbps_down,0,0,0,mW/Mbps,read,none
      cell,tx,setup,0.925,0.925,0.925,s,read,on air
      cell,tx,rate,0,0,0,Mbps,read,none
      cell,cdrx,power,0,0,0,mW,read,none
      cell,cdrx,duration,0,0,0,s,read,none
      """
    let network = try NetworkProfile.parse(Array(uplink.utf8).span, name: "measured")
    let report = meter(try activities(log), device, network)
    #expect((report.total.nominal / 3.3 / 3.6).isWithin(of: 2.19968))
  }

  @Test(arguments: [(429.55, 173.55, 5.3368), (268.94, 17.5, 2.7944)])
  func `T13: PowerTutor's session lingers 6 s`(_ on: Double, _ linger: Double, _ expected: Double)
    throws
  {
    let log = """
      {"at_s":0,"component":"gnss","state":"track"}
      {"at_s":10,"component":"gnss","state":"off"}
      {"at_s":60,"end":true}
      """
    let numbers = [
      "gnss,track_good,power": on, "gnss,linger,power": linger, "gnss,linger,duration": 6,
    ]
    #expect(try joules(log, numbers).isWithin(of: expected))
  }

  @Test func `T13: a session during the linger cancels the rest of it`() throws {
    let log = """
      {"at_s":0,"component":"gnss","state":"track"}
      {"at_s":10,"component":"gnss","state":"off"}
      {"at_s":13,"component":"gnss","state":"track"}
      {"at_s":23,"component":"gnss","state":"off"}
      {"at_s":60,"end":true}
      """
    let numbers = [
      "gnss,track_good,power": 429.55, "gnss,linger,power": 173.55, "gnss,linger,duration": 6,
    ]
    // 20×0.42955 + (3+6)×0.17355
    #expect(try joules(log, numbers).isWithin(of: 10.15295))
  }

  /// State, milliwatts, seconds and joules.
  static let datasheets: [(String, Double, Double, Double)] = [
    // NEO-6M: cold fix at 47 mA, an hour of tracking at 39 mA, of power save at 11 mA; 3.0 V
    ("acquire_cold", 141, 27, 3.807), ("track", 117, 3600, 421.2), ("powersave", 33, 3600, 118.8),
    // SAM-M10Q: cold fix at 15.3 mA, a day of tracking at 12.3 mA, of backup at 32 µA and 3.3 V
    ("acquire_cold", 45.9, 23, 1.0557), ("track", 36.9, 86_400, 3188.16),
    ("backup", 0.1056, 86_400, 9.12384),
    // nRF9160: one fix, 2.5 mA × 120 s / 44.3 mA = 6.77201 s at 44.3 mA × 3.7 V
    ("acquire_hot", 163.91, 6.77201, 1.11),
  ]

  @Test(arguments: datasheets)
  func `T14: datasheet energies`(
    _ state: String, _ milliwatts: Double, _ seconds: Double, _ expected: Double
  ) throws {
    let log = """
      {"at_s":0,"component":"gnss","state":"\(state)"}
      {"at_s":\(seconds),"end":true}
      """
    let name = state == "track" ? "track_good" : state
    #expect(try joules(log, ["gnss,\(name),power": milliwatts]).isWithin(of: expected))
  }

  @Test func `T15: from which pause on a NEO-6M is switched off`() throws {
    // 141 mW to acquire, 117 mW to track, 22 µA × 1.8 V = 0.0396 mW of backup, 12 s to a hot fix:
    // 12 × 140.9604/116.9604 = 14.4624 s.
    let receiver = try bare([
      "gnss,acquire_hot,power": 141, "gnss,track_good,power": 117, "gnss,backup,power": 0.0396,
    ])
    let pause = try #require(receiver.breakEvenPause(start: .hot, seconds: 12))
    #expect(pause.isWithin(of: 14.4624))
    let dongle = try device("pi-zero-ublox7")
    #expect(dongle.breakEvenPause(start: .hot, seconds: 12) == nil)
  }
}
