// SPDX-License-Identifier: Apache-2.0

import MessageBus
import ServiceContract
import Testing

@Suite("A cell's name")
struct CellIdentityTests {
  @Test("The examples of ModemManager's interface description are read")
  func examples() {
    // Four fields, before release 1.10; numbers by hand: 8BE3 is 35811, 2BAF 11183, CE00 52736,
    // 1CEAD8F0 485153008.
    #expect(
      CellIdentity(locationText: "310,260,8BE3,2BAF")
        == CellIdentity(country: 310, network: 260, area: 35_811, cell: 11_183, trackingArea: 0))
    #expect(
      CellIdentity(locationText: "250,40,CE00,1CEAD8F0")
        == CellIdentity(
          country: 250, network: 40, area: 52_736, cell: 485_153_008, trackingArea: 0))
    // As release 1.10 and later print it; 6FFE is 28670, D30156 13828438.
    #expect(
      CellIdentity(locationText: "460,0,0,D30156,6FFE")
        == CellIdentity(country: 460, network: 0, area: 0, cell: 13_828_438, trackingArea: 28_670))
  }

  @Test(
    "What is no cell is refused",
    arguments: [
      "", ",", ",,,,", "310", "310,260,8BE3", "310,260,8BE3,2BAF,1,2", "3100,260,8BE3,2BAF,0",
      "31A,260,8BE3,2BAF,0", "310,2601,8BE3,2BAF,0", "310,260,18BE3,2BAF,0",
      "310,260,8BE3,123456789,0", "310,260,8BE3,2BAF,123456789", "310,260,8BG3,2BAF,0",
      "310,260,-1,2BAF,0", "310, 260,8BE3,2BAF,0", "0,0,8BE3,2BAF,0", "310,260,8BE3,0,0",
      "310,260,8BE3,2BAF,\u{661}", "310,260,8BE3,2BAF,0\n",
    ])
  func refused(_ text: String) {
    #expect(CellIdentity(locationText: text) == nil)
  }

  @Test("The number is FNV-1a over the fields, and differs with each")
  func number() {
    let base = CellIdentity(country: 228, network: 1, area: 2, cell: 3, trackingArea: 4)
    var others = [base, base, base, base, base]
    others[0].country = 229
    others[1].network = 2
    others[2].area = 3
    others[3].cell = 4
    others[4].trackingArea = 5
    #expect(Set(others.map(\.number) + [base.number]).count == 6)
    // Python: h = 0xcbf29ce484222325; for b in struct.pack('<5I', 228, 1, 2, 3, 4): h = ((h ^ b) *
    // 0x100000001b3) % 2**64
    #expect(base.number == 0xBE41_535E_A787_A9D5)
  }
}
