// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RadioPower

struct LoRaTests {
  private func profile(_ changes: [String: String] = [:]) throws -> NetworkProfile {
    var rows = [
      "power": "145.2,145.2,145.2,mW", "spreading_factor": "12,12,12,bit",
      "bandwidth": "125,125,125,kHz", "parity": "1,1,1,bit", "header": "13,13,13,B",
      "payload": "51,51,51,B", "duty_cycle": "0.01,0.01,0.01,share",
    ]
    rows.merge(changes) { $1 }
    var text = "profile,name,mine\nprofile,title,A test\nprofile,model,lora\n"
    for (quantity, numbers) in rows.sorted(by: { $0.key < $1.key }) {
      text += "cell,tx,\(quantity),\(numbers),estimate,a test\n"
    }
    return try NetworkProfile.parse(Array(text.utf8).span, name: "mine")
  }

  @Test(
    arguments: [
      // SF, bytes after LoRaWAN's 13, milliseconds.
      (12, 4, 1_318.912),  // The Things Network's console, forum topic 25583: 1318.9 ms
      (9, 0, 164.864),  // a published spreadsheet of AN1200.13: 13 bytes at SF9
      // By hand: 12.25 + 8 + 5·⌈(8·64 − 48 + 44)/40⌉ = 85.25 symbols of 32.768 ms.
      (12, 51, 2_793.472),
      // 12.25 + 8 + 5·⌈(8·24 − 28 + 44)/28⌉ = 60.25 symbols of 1.024 ms.
      (7, 11, 61.696),
    ])
  func `A frame is as long on the air as AN1200.13 says`(
    _ spreadingFactor: Int, _ bytes: Int, _ milliseconds: Double
  ) throws {
    let changes = [
      "spreading_factor": "\(spreadingFactor),\(spreadingFactor),\(spreadingFactor),bit"
    ]
    let frame = try #require(try profile(changes).frame)
    #expect((frame.airtime(of: bytes) * 1e3).isWithin(1e-9, of: milliseconds))
  }

  @Test func `A message that no frame can carry is several, each with its header`() throws {
    let frame = try #require(try network("lora-sf12").frame)
    #expect([0, 1, 51, 52, 200, 10_240].map(frame.frames) == [1, 1, 1, 2, 4, 201])
    // Three full ones and one of 47 bytes: 12.25 + 8 + 5·⌈(8·60 − 48 + 44)/40⌉ = 80.25 symbols.
    #expect(frame.airtime(ofMessage: 200).isWithin(1e-9, of: 3 * 2.793472 + 2.629632))
    let log = """
      {"at_s":0,"component":"cell","upload_bytes":200}
      {"at_s":60,"end":true}
      """
    // 11.010048 s at 145.2 mW.
    #expect(try report(log, on: "lora-sf12").total.nominal.isWithin(1e-9, of: 1.5986589696))
  }

  @Test func `What cannot be modulated is refused with its range`() {
    #expect {
      try profile(["spreading_factor": "0,0,0,bit", "bandwidth": "0,0,0,kHz"])
    } throws: { error in
      let text = (error as? ProfileErrors)?.errors.map(\.description).joined(separator: "\n") ?? ""
      return text.contains("nominal \"0\" is not a number from 1 to 12")
        && text.contains("nominal \"0\" is not a number from 1 to 100000")
    }
  }

  @Test func `LoRa has spreading factors of 6 to 12 and 1 to 4 bits of parity`() {
    #expect {
      try profile(["spreading_factor": "3,3,3,bit", "parity": "9,9,9,bit"])
    } throws: { error in
      let text = (error as? ProfileErrors)?.errors.map(\.description).joined(separator: "\n") ?? ""
      return text.contains("cell,tx,spreading_factor: 3 is not from 6 to 12")
        && text.contains("cell,tx,parity: 9 is not from 1 to 4")
    }
  }

  @Test func `A profile of before has a state that is not known`() {
    let old = """
      profile,name,mine
      profile,title,A test
      profile,model,lora
      cell,tx_sf12,power,145.2,100,400,mW,read,a test
      """
    #expect {
      try NetworkProfile.parse(Array(old.utf8).span, name: "mine")
    } throws: { error in
      (error as? ProfileErrors)?.errors.first?.description
        == "line 4: cell,tx_sf12,power: the state \"tx_sf12\" is not known here; allowed: tx"
    }
  }
}
