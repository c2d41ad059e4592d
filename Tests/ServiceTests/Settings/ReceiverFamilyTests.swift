// SPDX-License-Identifier: Apache-2.0

import ServiceContract
import ServiceSimulation
import Testing

/// Published bytes, and checksums by hand.
@Suite("Receivers' commands to sleep")
struct ReceiverFamilyTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("A frame is as in a published one: UBX-CFG-RXM, power save (geogadget's notes on u-blox 7)")
  func frame() {
    #expect(hex(ReceiverFamily.ubx(0x06, 0x11, [0x08, 0x01])) == "b5620611020008012292")
    // gpsd's own poll of UBX-MON-VER, as gpsd 3.22 sent it to a pseudo-terminal.
    #expect(hex(ReceiverFamily.ubx(0x0A, 0x04, [])) == "b5620a0400000e34")
  }

  @Test(
    "Each family's bytes, field by field of its document; 600 s are 0x000927C0 ms, least byte first"
  )
  func bytes() {
    // 02 41 08 00 | C0 27 09 00 | 02 00 00 00. A is the sum, B the sum of the As:
    // A: 02 43 4B 4B 0B 32 3B 3B 3D 3D 3D 3D; B: 02 45 90 DB E6 18 53 8E CB 08 45 82.
    #expect(
      hex(ReceiverFamily.ublox7.sleepCommand(for: 600)) == "b56202410800c0270900020000003d82")
    let m8 = hex(ReceiverFamily.ubloxM8.sleepCommand(for: 600))
    #expect(m8.hasPrefix("b5620241100000000000c02709000200000008000000"))
    let m10 = hex(ReceiverFamily.ubloxM10.sleepCommand(for: 600))
    #expect(m10.hasPrefix("b5620241100000000000c02709000600000008000000"))
    // The documents' own examples: UBX-13003181 2.11 and CASIC V4.2.0.3, CAS12.
    #expect(text(ReceiverFamily.mediaTek.sleepCommand(for: 600)) == "$PMTK161,0*28\r\n")
    #expect(text(ReceiverFamily.casic.sleepCommand(for: 60)) == "$PCAS12,60*28\r\n")
    // As Quectel's support writes it (forum, "LC76G entering backup mode").
    #expect(text(ReceiverFamily.airoha.sleepCommand(for: 10)) == "$PAIR650,10*14\r\n")
  }

  @Test("No u-blox and no CASIC sleeps for ever, or longer than its document allows")
  func limits() {
    for family in [ReceiverFamily.ublox7, .ubloxM8, .ubloxM10] {
      let at = family == .ublox7 ? 6 : 10
      for (seconds, milliseconds) in [(0.0, 1), (0.5, 500), (1e9, 1_036_800_000)] {
        let bytes = family.sleepCommand(for: seconds)
        #expect((0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } == milliseconds)
      }
    }
    #expect(text(ReceiverFamily.casic.sleepCommand(for: 0)).hasPrefix("$PCAS12,1*"))
    // $PAIR650,0 is for ever: 0x24 of the 1 is not its 0x25.
    #expect(text(ReceiverFamily.airoha.sleepCommand(for: 0.4)) == "$PAIR650,1*24\r\n")
    #expect(text(ReceiverFamily.airoha.sleepCommand(for: 1e9)).hasPrefix("$PAIR650,86400*"))
    #expect(text(ReceiverFamily.casic.sleepCommand(for: 1e9)).hasPrefix("$PCAS12,65535*"))
  }

  @Test("A timer has time for a look that is put off where a byte can wake before, else none")
  func timers() {
    #expect(ReceiverFamily.ubloxM8.timer(for: .init(seconds: 300)) == 600)
    #expect(ReceiverFamily.ubloxM8.timer(for: .init(seconds: 300, most: 43_200)) == 43_200)
    #expect(ReceiverFamily.ublox7.timer(for: .init(seconds: 1e7)) == 1_036_800)
    #expect(ReceiverFamily.casic.timer(for: .init(seconds: 300, most: 43_200)) == 300)
    #expect(ReceiverFamily.casic.timer(for: .init(seconds: 1e6)) == 65_535)
    #expect(ReceiverFamily.mediaTek.timer(for: .init(seconds: 300)) == nil)
  }

  @Test("A simulated receiver takes the bytes of its family, and refuses those of another")
  func accepted() {
    for (model, family, other) in [
      (SimulatedReceiver.Model.m8, ReceiverFamily.ubloxM8, nil as ReceiverFamily?),
      (.neo6, .ublox7, .ubloxM8),
    ] {
      var receiver = SimulatedReceiver(model, at: 0, hasEphemeris: true)
      if let other {
        _ = receiver.receive(other.sleepCommand(for: 600), at: 10)
        #expect(receiver.isAwake && receiver.refused == 1)
      }
      _ = receiver.receive(family.sleepCommand(for: 600), at: 10)
      #expect(receiver.state == .asleep(until: 610, byByte: true))
      _ = receiver.receive(family.wake, at: 300)
      #expect(receiver.state == .acquiring(until: 301))
      receiver.advance(to: 400)
      _ = receiver.receive(family.sleepCommand(for: 600), at: 400)
      receiver.advance(to: 1_002)
      #expect(receiver.hasFix && receiver.sleeps == 2)
      // A cut supply forgets, a sleep does not.
      receiver.cutSupply(at: 1_010)
      #expect(receiver.state == .acquiring(until: 1_010 + model.coldStart))
    }
    var usb = SimulatedReceiver.Model.m8
    usb.isOnUSB = true
    var receiver = SimulatedReceiver(usb, at: 0)
    _ = receiver.receive(ReceiverFamily.ubloxM8.sleepCommand(for: 600), at: 10)
    #expect(receiver.isAwake && receiver.refused == 1)
    var broken = ReceiverFamily.ubloxM8.sleepCommand(for: 600)
    broken[10] ^= 1
    _ = receiver.receive(broken, at: 10)
    #expect(receiver.isAwake && receiver.refused == 2)
  }

  @Test("A simulated receiver of another make takes its own sentence, and wakes as its maker says")
  func sentences() {
    for (family, address, other) in [
      (ReceiverFamily.mediaTek, "PMTK161", ReceiverFamily.casic),
      (.casic, "PCAS12", .airoha), (.airoha, "PAIR650", .mediaTek),
    ] {
      var model = SimulatedReceiver.Model.m8
      model.language = .sentence(address)
      var receiver = SimulatedReceiver(model, at: 0, hasEphemeris: true)
      _ = receiver.receive(other.sleepCommand(for: 600), at: 10)
      var broken = family.sleepCommand(for: 600)
      broken[6] ^= 1
      _ = receiver.receive(broken, at: 10)
      #expect(receiver.isAwake && receiver.refused == 1, "\(family)")
      _ = receiver.receive(family.sleepCommand(for: 600), at: 10)
      let isByByte = family.waking == .byByte
      #expect(receiver.state == .asleep(until: isByByte ? nil : 610, byByte: isByByte))
      _ = receiver.receive(family.wake, at: 300)
      #expect(receiver.isAwake == isByByte)
      receiver.advance(to: 700)
      #expect(receiver.hasFix)
    }
  }

  /// DEVICE as gpsd 3.22 wrote it for a receiver with firmware SPG 3.01, and as it writes others' hardware.
  static let kinds: [(ReceiverIdentity, ReceiverFamily?)] = [
    (
      .init(
        driver: "u-blox", subtype: "SW ROM CORE 3.01 (107888),HW 00080000",
        subtype1: "FWVER=SPG 3.01,PROTVER=18.00"), .ubloxM8
    ),
    (
      .init(driver: "u-blox", subtype: "SW 1.00 (59842),HW 00070000", subtype1: "PROTVER 14.00"),
      .ublox7
    ),
    (.init(driver: "u-blox", subtype: "SW 7.03 (45969),HW 00040007"), .ublox7),
    (.init(driver: "u-blox", subtype: "SW 5.00,HW 00040005"), nil),
    (.init(driver: "u-blox", subtype1: "FWVER=SPG 4.04,PROTVER=32.01"), .ubloxM8),
    (
      .init(driver: "u-blox", subtype: "HW 000A0000", subtype1: "FWVER=SPG 5.10,PROTVER=34.10"),
      .ubloxM10
    ),
    (.init(driver: "u-blox"), nil),
    (.init(driver: "MTK-3301", subtype: "AXN_2.31_3339"), .mediaTek),
    (.init(driver: "CASIC"), .casic),
    (.init(driver: "MTK-3301", subtype: "AG3335M_V2.5.0.AG3335_20210801"), .airoha),
    (.init(driver: "SiRF", subtype: "GSD4e_4.1.2-P6"), nil), (.init(driver: "ALLYSTAR"), nil),
    (.init(driver: "NMEA0183"), nil), (.init(), nil),
  ]

  @Test("The family is what gpsd says of a device", arguments: kinds)
  func family(_ identity: ReceiverIdentity, _ family: ReceiverFamily?) {
    #expect(identity.family == family)
  }

  @Test(
    "What cannot be woken in every case is left alone unless the user wants it; the rest always")
  func rests() {
    var m8 = Self.kinds[0].0
    #expect(m8.rest(by: .timed) == .sleeps(.ubloxM8) && m8.rest(by: .always) == .sleeps(.ubloxM8))
    #expect(m8.rest(by: .off) == .goesOn("receiver_sleep is off"))
    m8.file = "/dev/ttyACM0"
    let usb = "a u-blox that is itself the USB device stays awake for its host"
    #expect(m8.rest(by: .always) == .goesOn(usb))
    let mediaTek = ReceiverIdentity(driver: "MTK-3301", file: "/dev/ttyACM0")
    #expect(
      mediaTek.rest(by: .timed)
        == .goesOn("only a byte ends its sleep, and receiver_sleep is timed"))
    #expect(mediaTek.rest(by: .always) == .sleeps(.mediaTek))
    #expect(
      ReceiverIdentity(driver: "CASIC").rest(by: .timed)
        == .goesOn("only its timer ends its sleep, and receiver_sleep is timed"))
    #expect(
      ReceiverIdentity(driver: "SiRF").rest(by: .always)
        == .goesOn("only a pulse on its pin ON_OFF ends a SiRF's sleep, and no line carries that"))
    #expect(
      ReceiverIdentity(driver: "ALLYSTAR").rest(by: .always)
        == .goesOn("no command to sleep is known for 'ALLYSTAR'"))
    #expect(
      ReceiverIdentity(driver: "NMEA0183").rest(by: .always)
        == .goesOn("no command to sleep is known for 'NMEA0183'"))
    #expect(
      ReceiverIdentity().rest(by: .always) == .goesOn("no command to sleep is known for its kind"))
  }

  @Test("Each family names its document", arguments: ReceiverFamily.allCases)
  func sources(_ family: ReceiverFamily) {
    let name =
      switch family {
      case .casic: "CAS12"
      case .mediaTek: "PMTK161"
      case .airoha: "PAIR650"
      case .ublox7, .ubloxM8, .ubloxM10: "UBX-"
      }
    #expect(family.source.contains(name))
  }
}
