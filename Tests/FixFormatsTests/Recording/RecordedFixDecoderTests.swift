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
      {"class":"MILEPOST_RECORDING","version":1}
      {"at_us":1,"input":{"app":{"id":1,"does":"launched"}},"commands":[]}
      {"at_us":2,"input":{"fix":{"time":"2026-05-04T07:08:09.250Z","latitude":45.5,"longitude":13.5,\
      "accuracy_m":4.5,"speed_mps":15,"satellites":9}},"commands":["request_network_position"]}
      {"at_us":3,"input":{"network_fix":{"latitude":45,"longitude":13}},"commands":[]}
      {"at_us":4,"input":"time_passed","commands":[{"deliver":{"app":1,"fix":{"latitude":1,"longitude":2}}}]}
      {"class":"MILEPOST_RECORDING_END","steps":4}

      """)
    let fixes = positions(events)
    #expect(fixes.count == 1)
    #expect(fixes.first?.time == UTCInstant(microseconds: 1_777_878_489_250_000))
    #expect(fixes.first?.coordinate == Coordinate(latitude: 45.5, longitude: 13.5))
    #expect(fixes.first?.horizontalAccuracy == 4.5)
    #expect(fixes.first?.speed == 15)
    #expect(fixes.first?.satellites == 9)
    #expect(ledger.read == 6)
    #expect(ledger.used == 3)
    #expect(ledger.skipped == ["other input": 3])
  }
}
