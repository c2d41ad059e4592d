// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

private func read(_ text: String) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  try decoded(JSONLinesDecoder(options: DecodingOptions()), text)
}

struct JSONLinesDecoderTests {
  @Test func fixesGapsAndEpochsWithoutFixAreRead() throws {
    let (events, ledger) = try read(
      """
      {"time":"2026-05-04T07:08:09.000Z","latitude":45.5,"longitude":13.5,"accuracy_m":4,"hdop":null}
      {"gap":true}
      {"time":"2026-05-04T07:08:10.000Z","latitude":null,"longitude":null}

      """)
    #expect(positions(events).first?.horizontalAccuracy == 4)
    #expect(positions(events).first?.hdop == nil)
    #expect(
      events.dropFirst() == [
        .segmentEnd(line: 2),
        .noFix(time: UTCInstant(microseconds: 1_777_878_490_000_000), line: 3),
      ])
    #expect(ledger.read == 3)
    #expect(ledger.used == 3)
  }

  @Test func otherProgramsObjectsAreRead() throws {
    let (events, ledger) = try read(
      """
      {"_type":"location","lat":45.5,"lon":13.5,"tst":1777878489,"acc":12,"alt":100,"vac":3}
      {"location":{"coords":1,"latitude":45.5,"longitude":13.5},"timestamp":1777878490000}
      {"_type":"lwt","tst":1777878491}
      {"broken":
      """)
    let fixes = positions(events)
    #expect(fixes.count == 2)
    #expect(fixes[0].verticalAccuracy == 3)
    #expect(fixes[1].time?.rfc3339 == "2026-05-04T07:08:10.000Z")
    #expect(ledger.skipped == ["not a location": 1, "malformed JSON": 1])
  }

  @Test func linesOfOwnTracksRecorderAreMessagesBehindATimeAndAKind() throws {
    // As the Recorder writes them (doc/STORE.md): the kind is padded to 18 characters.
    let text = """
      2026-05-04T07:08:10Z\t*                 \t{"_type":"location","lat":45.5,"lon":13.5,"tst":1777878489,"acc":12}
      2026-05-04T07:08:11Z\tevent             \t{"_type":"transition","lat":45.5,"lon":13.5,"tst":1777878490,"event":"enter"}
      2026-05-04T07:08:12Z\t*                 \tnot JSON

      """
    let (events, ledger) = try read(text)
    #expect(positions(events).map { $0.time?.rfc3339 } == ["2026-05-04T07:08:09.000Z"])
    #expect(ledger.skipped == ["not a location": 1, "malformed JSON": 1])
    #expect(try isIndifferentToCuts({ JSONLinesDecoder(options: DecodingOptions()) }, text))
  }

  @Test func nullIsUnknownAndWhatIsNoNumberIsLeftOutAndTold() throws {
    let (events, ledger) = try read(
      """
      {"lat":45.5,"lon":13.5,"tst":1777878489,"altitude":null,"speed":"","battery":80}
      {"lat":45.5,"lon":13.5,"tst":1777878490,"altitude":true,"speed":{"kmh":3},"battery":80}

      """)
    #expect(positions(events).map(\.altitude) == [nil, nil])
    #expect(
      ledger.findings.map(\.text) == [
        "left out: altitude_m is 'true', not a number",
        "left out: speed_mps is 'an object or a list', not a number",
      ])
    #expect(ledger.unused == ["battery": 2])
  }

  @Test func anyCutGivesTheSameEvents() throws {
    #expect(
      try isIndifferentToCuts(
        { JSONLinesDecoder(options: DecodingOptions()) },
        "{\"lat\":1,\"lon\":2,\"time\":1777878489}\r\n{\"gap\":true}\n{\"lat\":1,\"lon\":2,\"time\":1777878490}"
      ))
  }
}
