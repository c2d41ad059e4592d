// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Testing

struct SnifferTests {
  private func recognises(_ text: String) -> Bool { isNMEA(Array(text.utf8)) }

  @Test func `NMEA is recognised behind headers and garbage`() {
    #expect(recognises("# Name: a receiver\n\n+ 6: 28\n" + rmc("120000", "040526")))
    #expect(recognises("$GPGGA,222449,3349.0337,S,01843.9282,E,1,07,02.31,000115.4,M,0033.3,M,,\n"))
    #expect(recognises("!AIVDM,1,1,,B,13aDp<PP000IwSlN?Wm@0?wN2<1T,0*29\n"))
  }

  @Test func `other formats are not NMEA`() {
    #expect(!recognises("<?xml version=\"1.0\"?><gpx><name>$GPRMC,120000</name></gpx>"))
    #expect(!recognises("{\"class\":\"TPV\",\"device\":\"$GPRMC\"}\n"))
    #expect(!recognises("latitude,longitude\n1.0,$2.0\n"))
    #expect(!recognises(""))
  }

  @Test func `binary protocols are recognised by a whole frame`() {
    // UBX-MON-VER poll, and SiRF's message 2 acknowledged, both with their checksums.
    let ubx: [UInt8] = [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34]
    let sirf: [UInt8] = [0xA0, 0xA2, 0x00, 0x02, 0x0B, 0x02, 0x00, 0x0D, 0xB0, 0xB3]
    let header = Array("# Name: a log\n".utf8)
    #expect(binaryProtocol((header + ubx)) == .ubx)
    #expect(binaryProtocol((header + sirf)) == .sirf)
    #expect(binaryProtocol(Array(ubx.dropLast())) == nil)
    // UBX-ACK-ACK of CFG-MSG, and Skytraq's acknowledgement of message 2, after bytes that only look like a frame.
    let payload: [UInt8] = [0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0F, 0x38]
    let skytraq: [UInt8] = [0xA0, 0xA1, 0x00, 0x02, 0x83, 0x02, 0x81, 0x0D, 0x0A]
    #expect(binaryProtocol(header + [0xB5, 0x62, 0, 0, 0, 0, 1, 1] + payload) == .ubx)
    #expect(binaryProtocol(header + [0xA0, 0xA1, 0, 1, 7, 8, 0x0D, 0x0A] + skytraq) == .skytraq)
    for wrong in 4..<payload.count {
      var bytes = header + payload
      bytes[header.count + wrong] ^= 1
      #expect(binaryProtocol(bytes) == nil)
    }
    #expect(binaryProtocol(Array(rmc("120000", "040526").utf8)) == nil)
  }

  @Test func `a binary log is refused with advice`() throws {
    let frame: [UInt8] = [0xA0, 0xA2, 0x00, 0x02, 0x0B, 0x02, 0x00, 0x0D, 0xB0, 0xB3]
    let error = #expect(throws: TraceError.self) {
      try decode(Array("# Name: a log\n".utf8) + frame + frame)
    }
    #expect(error?.code == .binary)
    #expect(error?.message.contains("gpsd") == true)
  }
}
