// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

struct RecordedFixDecoderTests {
  @Test func theReceiversFixesAreReadAndTheRestIsCounted() throws {
    let (events, ledger) = try decoded(
      RecordedFixDecoder(options: DecodingOptions()),
      """
      {"class":"MILEPOST_RECORDING","release":"0.2.0","version":4}
      {"at_us":1,"input":{"began":{"adopted":[]}},"utc_us":1}
      {"at_us":2,"input":{"gpsd":{"_0":{"fix":{"_0":{"coordinate":{"latitude":45.5,"longitude":13.5},\
      "horizontalAccuracy":4.5,"satellites":9,"source":0,"speed":15,\
      "time":{"microseconds":1777878489250000}},"device":"/dev/ttyACM0"}}}},"utc_us":2}
      {"commit":{"noStore":{}}}
      {"effect":{"send":{"_0":{"report":{"_0":{"coordinate":{"latitude":1,"longitude":2}}}}}}}
      {"at_us":3,"input":{"radio":{"_0":{"networkFix":{"_0":{"coordinate":{"latitude":45,"longitude":13},\
      "source":1}}}}},"utc_us":3}
      {"at_us":4,"input":{"timePassed":{}},"utc_us":4}
      {"class":"MILEPOST_RECORDING_END","effects":1,"inputs":4}

      """)
    let fixes = positions(events)
    #expect(fixes.count == 1)
    #expect(fixes.first?.time == UTCInstant(microseconds: 1_777_878_489_250_000))
    #expect(fixes.first?.coordinate == Coordinate(latitude: 45.5, longitude: 13.5))
    #expect(fixes.first?.horizontalAccuracy == 4.5)
    #expect(fixes.first?.speed == 15)
    #expect(fixes.first?.satellites == 9)
    #expect(ledger.read == 8)
    #expect(ledger.used == 5)
    #expect(ledger.skipped == ["other input": 3])
  }

  @Test func aRecordingOfTheFirstFormIsRefusedWithTheReleaseThatReadsIt() {
    #expect {
      try decoded(
        RecordedFixDecoder(options: DecodingOptions()),
        "{\"class\":\"MILEPOST_RECORDING\",\"version\":1,\"release\":\"0.1.0\"}\n")
    } throws: {
      ($0 as? TraceError)?.message
        == "a recording of version 1, and this release reads version 4; read it with release 0.1.0, "
        + "which made it"
    }
  }
}
